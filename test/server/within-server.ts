import { randomUUID } from 'node:crypto'
import type { Grant } from '../../generated/settings.ts'
import type { Role } from '../../src/auth/roles.ts'
import { findAccountByLogin } from '../../src/platform/access/accounts/accounts.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { giveToken } from '../support/access.ts'
import type { Database } from '../../src/db/sql.ts'
import { setGrants } from '../support/grants.ts'
import { makeTwoOrganizations, type TwoOrganizations } from '../support/two-organizations.ts'
import {
  contextOf,
  startTestServer,
  type Answer,
  type Call,
  type GraphqlAnswer,
  type TestServer,
} from './test-server.ts'

/** The roles that can be bound to an organization, each held by a machine user, within amber. */
export const BOUND_ROLES = ['viewer', 'operator', 'editor'] as const satisfies readonly Role[]

export type BoundRole = (typeof BOUND_ROLES)[number]

export interface WithinServer extends TwoOrganizations {
  readonly server: TestServer
  readonly context: DomainContext
  readonly token: { readonly [role in BoundRole]: string }
  /** Beside those of the beginning. */
  grant(...more: readonly Grant[]): Promise<void>
  /** In place of them. */
  grantInstead(...grants: readonly Grant[]): Promise<void>
  ask(role: BoundRole, query: string, variables?: object): Promise<GraphqlAnswer>
  call(role: BoundRole, call: Call): Promise<Answer>
}

const GRANTS: readonly Grant[] = BOUND_ROLES.map((role) => ({ role, machineUser: `amber-${role}`, within: 'amber' }))

export async function startWithinServer(database: Database): Promise<WithinServer> {
  const server = await startTestServer(database)
  const context = contextOf(server)
  const machineUsers = BOUND_ROLES.map((username) => ({ username: `amber-${username}`, password: randomUUID() }))
  const customers = await makeTwoOrganizations(context, server.datapoints, { machineUsers })
  await setGrants(context, GRANTS)
  const token = Object.fromEntries(
    await Promise.all(BOUND_ROLES.map(async (role) => [role, await tokenOf(context, `amber-${role}`)] as const)),
  ) as WithinServer['token']
  const call = (role: BoundRole, what: Call) => server.call({ authorization: `Bearer ${token[role]}`, ...what })
  return {
    ...customers,
    server,
    context,
    token,
    grantInstead: (...grants) => setGrants(context, grants),
    grant: (...more) => setGrants(context, [...GRANTS, ...more]),
    call,
    ask: async (role, query, variables = {}) =>
      (await call(role, { body: JSON.stringify({ query, variables }) })).json as GraphqlAnswer,
  }
}

export async function tokenOf(context: DomainContext, login: string): Promise<string> {
  const account = await findAccountByLogin(context, 'machine', login)
  if (account === null) throw new Error(`there is no machine user ${login}`)
  return giveToken(context, account)
}
