import { GraphQLBoolean, GraphQLID, GraphQLString } from 'graphql'
import {
  countIdentities,
  findIdentities,
  listIdentities,
  unbindIdentity,
} from '../../../platform/access/delegated/identity/identities.ts'
import { EXTERNAL_IDENTITY } from '../../../records/entities.ts'
import { checkUuid } from '../../checked-arguments.ts'
import { nodeType } from '../entities.ts'
import { operation, type OperationFields } from '../operation.ts'
import { checkPageSize, FIRST, pageType, plainPage } from '../page.ts'
import { nonNull, optional, required } from '../typed.ts'

// Identities of people at other providers, for administrators.

export const IDENTITY = nodeType(EXTERNAL_IDENTITY, {
  find: ({ context }, uuids) => findIdentities(context, uuids),
})

const IDENTITY_CONNECTION = pageType(IDENTITY, 'identity', 'identities')

export const IDENTITY_QUERIES: OperationFields = {
  externalIdentities: operation({
    right: EXTERNAL_IDENTITY.rights.read,
    type: nonNull(IDENTITY_CONNECTION),
    description:
      'Identities of other providers: of a user, of a method, or all, with the reason of a refusal. Holdfast keeps the newest 1,000 refused ones, for 30 days.',
    args: {
      account: optional(GraphQLID, 'Only identities of this user, inside or outside of the model.'),
      method: optional(GraphQLID, 'Only identities whose last sign-in used this authentication method.'),
      refused: optional(
        GraphQLBoolean,
        'true: only identities whose last sign-in was refused. false: only the others.',
      ),
      first: FIRST,
      after: optional(GraphQLString, 'The cursor after which to continue.'),
    },
    async resolve({ context }, args) {
      const { account, method, refused = null, first, after } = args
      checkPageSize(first)
      const filter = {
        account: uuidOrNull(account, 'account'),
        method: uuidOrNull(method, 'method'),
        isRefused: refused,
      }
      const page = { first: first + 1, after: after ?? null }
      return plainPage(args, await listIdentities(context, filter, page), () => countIdentities(context, filter))
    },
  }),
}

function uuidOrNull(text: string | null | undefined, name: string): string | null {
  return text == null ? null : checkUuid(text, name)
}

export const IDENTITY_MUTATIONS: OperationFields = {
  unbindIdentity: operation({
    right: EXTERNAL_IDENTITY.rights.write,
    type: nonNull(IDENTITY),
    description:
      'Deletes an identity, ends its sessions and tokens, and returns it. The person can sign in at the provider again, like somebody new.',
    args: { uuid: required(GraphQLID, 'The uuid of the identity.') },
    async resolve({ context, noteAccessChange }, { uuid }) {
      const unbound = await unbindIdentity(context, checkUuid(uuid, 'uuid'))
      noteAccessChange('identity unbound', { target: unbound.uuid })
      return unbound
    },
  }),
}
