import type { Grant } from '../../generated/settings.ts'
import type { GuardCode } from '../plan/plan.ts'
import { GRANT, GRANT_CONNECTION, GRANT_INPUT, IMPLIED_GRANT, LOST_RIGHT } from './grant-types.ts'
import { PAGE_ARGUMENTS } from './page-type.ts'
import { ALLOW_ARGUMENT } from './record-inputs.ts'
import { listOf, required, TEXT } from './scalars.ts'
import { operation, type OperationFields } from './scope.ts'
import type { PageArguments } from './system-resolvers.ts'

// Who may do what. Where `holdfast.yaml` has a section `access`, what is changed here shows as drift in the next plan.

export const GRANT_QUERIES: OperationFields = {
  grants: operation<PageArguments>({
    right: 'model:read',
    type: GRANT_CONNECTION,
    description: 'The grants of the domain by key, page by page.',
    args: PAGE_ARGUMENTS,
    resolve: (resolvers, page) => resolvers.listGrants(page),
  }),
  impliedGrants: operation<object>({
    right: 'model:read',
    type: listOf(IMPLIED_GRANT),
    description: "What accounts may do without a grant: by rules of authentication methods, and as the platform's own.",
    resolve: (resolvers) => resolvers.listImpliedGrants(),
  }),
}

/** For the one who upgrades a platform from before there were roles. */
export const UPGRADE_QUERIES: OperationFields = {
  lostRights: operation<object>({
    right: 'access:admin',
    type: listOf(LOST_RIGHT),
    description: 'Who could do more before accounts had roles, and what gives it back.',
    resolve: (resolvers) => resolvers.listLostRights(),
  }),
}

export const GRANT_MUTATIONS: OperationFields = {
  createGrant: operation<{ readonly input: Grant; readonly allow?: readonly GuardCode[] | null }>({
    right: 'access:admin',
    type: required(GRANT),
    description: 'Gives a role to an account, or to several. It counts on their next request.',
    args: { input: { type: required(GRANT_INPUT), description: 'What to give to whom.' }, ...ALLOW_ARGUMENT },
    resolve: (resolvers, { input, allow }) => resolvers.createGrant(input, allow ?? []),
  }),
  deleteGrant: operation<{ readonly key: string }>({
    right: 'access:admin',
    type: required(GRANT),
    description: 'Takes a grant back, and gives it as it was. It counts on their next request.',
    args: { key: { type: TEXT, description: 'The key of the grant.' } },
    resolve: (resolvers, { key }) => resolvers.deleteGrant(key),
  }),
}
