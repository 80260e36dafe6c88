import { GraphQLBoolean, GraphQLID, GraphQLObjectType, GraphQLString } from 'graphql'
import { listIdentities, unbindIdentity, type Identity } from '../../../platform/access/delegated/identities.ts'
import { checkUuid } from '../../checked-arguments.ts'
import { STATUS } from '../field-types.ts'
import { operation, type OperationFields } from '../operation.ts'
import { checkPageSize, FIRST, plainPage, plainPageType } from '../page.ts'
import { TEXT, TIME, UUID } from '../scalars.ts'
import { enumOf, nonNull, optional, required } from '../typed.ts'

// Who people are at other providers, as administrators see it.

const REASON = enumOf('IdentityRefusalReason', 'Why somebody whom a provider vouches for is not let in.', {
  'no-rule-fits': 'The method has rules, and the token fits none.',
  'not-for-people': 'In a browser, by a rule that stands for a machine user.',
  'no-machine-user': 'The rule names a machine user who does not exist.',
  'not-activated': 'The account is not ACTIVATED.',
  'address-not-trusted':
    'The verified e-mail address is that of a user of the model, and emailDomains of the method does not cover it.',
  unbound: 'The token was issued before the identity was unbound.',
})

const ACCOUNT = new GraphQLObjectType<NonNullable<Identity['account']>>({
  name: 'IdentityAccount',
  description: 'Who somebody of another provider is here.',
  fields: {
    uuid: { type: UUID, description: 'Of the user: sub of their tokens.' },
    login: { type: TEXT, description: 'As the history shows them.' },
    status: { type: nonNull(STATUS), description: 'Counts on every request.' },
    isOfModel: {
      type: nonNull(GraphQLBoolean),
      description: 'Whether it is a user of the model; otherwise only the provider knows them.',
    },
  },
})

export const IDENTITY = new GraphQLObjectType<Identity>({
  name: 'ExternalIdentity',
  description: 'Who somebody is at another provider, and here.',
  fields: {
    uuid: { type: UUID, description: 'Identifies it, for unbindIdentity.' },
    issuer: { type: TEXT, description: 'The provider.' },
    subject: { type: TEXT, description: 'Its name for them (sub).' },
    method: {
      type: GraphQLID,
      description: 'The uuid of the authentication method that they came by last.',
      resolve: ({ methodUuid }) => methodUuid,
    },
    email: { type: GraphQLString, description: 'As the provider told it last.' },
    emailVerified: {
      type: nonNull(GraphQLBoolean),
      description: 'Whether the provider said that it has verified that address.',
      resolve: ({ isVerified }) => isVerified,
    },
    firstSeenAt: { type: TIME, description: 'When they came first.' },
    lastSeenAt: { type: TIME, description: 'When they signed in, or were refused, last.' },
    account: { type: ACCOUNT, description: 'Whom they are here; null where they are nobody, or nobody any more.' },
    refusal: { type: REASON, description: 'Why they were refused the last time; null where they were let in.' },
    refusalDetail: { type: GraphQLString, description: 'The same, in a sentence.' },
  },
})

const IDENTITY_CONNECTION = plainPageType(IDENTITY, ({ uuid }) => uuid, {
  description: 'A page of identities.',
  nodes: 'The page, the newest first.',
  cursor: 'The cursor of an identity is its uuid.',
})

export const IDENTITY_QUERIES: OperationFields = {
  externalIdentities: operation({
    right: 'access:admin',
    type: nonNull(IDENTITY_CONNECTION),
    description:
      'Who came from other providers: of a user, of a method, or all; also those who were refused, and why. Of these the newest 1,000 are kept, for 30 days.',
    args: {
      account: optional(GraphQLID, 'Only those of this user, of the model or not.'),
      method: optional(GraphQLID, 'Only those who came last by this authentication method.'),
      refused: optional(GraphQLBoolean, 'Only those who were refused the last time, or only the others.'),
      first: FIRST,
      after: optional(GraphQLString, 'The uuid of the identity after which to go on.'),
    },
    async resolve({ context }, args) {
      const { account, method, refused = null, first, after } = args
      checkPageSize(first)
      const filter = {
        account: uuidOrNull(account, 'account'),
        method: uuidOrNull(method, 'method'),
        isRefused: refused,
      }
      const page = { first: first + 1, after: uuidOrNull(after, 'after') }
      return plainPage(args, await listIdentities(context, filter, page))
    },
  }),
}

function uuidOrNull(text: string | null | undefined, name: string): string | null {
  return text == null ? null : checkUuid(text, name)
}

export const IDENTITY_MUTATIONS: OperationFields = {
  unbindIdentity: operation({
    right: 'access:admin',
    type: nonNull(IDENTITY),
    description:
      'Forgets an identity, ends every session and token that came in by it, and gives it as it was. Who still has it at the provider can sign in again, as by a first sign-in.',
    args: { uuid: required(GraphQLID, 'The uuid of the identity.') },
    async resolve({ context, noteAccessChange }, { uuid }) {
      const unbound = await unbindIdentity(context, checkUuid(uuid, 'uuid'))
      noteAccessChange('identity unbound', { target: unbound.uuid })
      return unbound
    },
  }),
}
