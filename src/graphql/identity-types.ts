import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'
import type { IdentityPage, IdentityView } from './access-resolvers.ts'
import { enumType } from './field-types.ts'
import { PAGE_INFO_TYPE } from './record-types.ts'
import { DATE_TIME } from './scalars.ts'

// Who people are at other providers, as administrators see it.

const REASON = new GraphQLEnumType({
  name: 'IdentityRefusalReason',
  description: 'Why somebody whom a provider vouches for is not let in.',
  values: {
    NO_RULE_FITS: { value: 'no-rule-fits', description: 'The method has rules, and the token fits none.' },
    NOT_FOR_PEOPLE: {
      value: 'not-for-people',
      description: 'In a browser, by a rule that stands for a machine user.',
    },
    NO_MACHINE_USER: { value: 'no-machine-user', description: 'The rule names a machine user who does not exist.' },
    NOT_ACTIVATED: { value: 'not-activated', description: 'The account is not ACTIVATED.' },
    ADDRESS_NOT_TRUSTED: {
      value: 'address-not-trusted',
      description:
        'The verified e-mail address is that of a user of the model, and emailDomains of the method does not cover it.',
    },
    UNBOUND: { value: 'unbound', description: 'The token was issued before the identity was unbound.' },
  },
})

const ACCOUNT = new GraphQLObjectType<NonNullable<IdentityView['account']>>({
  name: 'IdentityAccount',
  description: 'Who somebody of another provider is here.',
  fields: {
    uuid: { type: new GraphQLNonNull(GraphQLID), description: 'Of the user: sub of their tokens.' },
    login: { type: new GraphQLNonNull(GraphQLString), description: 'As the history shows them.' },
    status: { type: new GraphQLNonNull(enumType('Status')), description: 'Counts on every request.' },
    isOfModel: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'Whether it is a user of the model; otherwise only the provider knows them.',
    },
  },
})

export const IDENTITY = new GraphQLObjectType<IdentityView>({
  name: 'ExternalIdentity',
  description: 'Who somebody is at another provider, and here.',
  fields: {
    uuid: { type: new GraphQLNonNull(GraphQLID), description: 'Identifies it, for unbindIdentity.' },
    issuer: { type: new GraphQLNonNull(GraphQLString), description: 'The provider.' },
    subject: { type: new GraphQLNonNull(GraphQLString), description: 'Its name for them (sub).' },
    method: { type: GraphQLID, description: 'The uuid of the authentication method that they came by last.' },
    email: { type: GraphQLString, description: 'As the provider told it last.' },
    emailVerified: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'Whether the provider said that it has verified that address.',
    },
    firstSeenAt: { type: new GraphQLNonNull(DATE_TIME), description: 'When they came first.' },
    lastSeenAt: { type: new GraphQLNonNull(DATE_TIME), description: 'When they signed in, or were refused, last.' },
    account: { type: ACCOUNT, description: 'Whom they are here; null where they are nobody, or nobody any more.' },
    refusal: { type: REASON, description: 'Why they were refused the last time; null where they were let in.' },
    refusalDetail: { type: GraphQLString, description: 'The same, in a sentence.' },
  },
})

export const IDENTITY_CONNECTION = new GraphQLObjectType<IdentityPage>({
  name: 'ExternalIdentityConnection',
  description: 'A page of identities.',
  fields: {
    nodes: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(IDENTITY))),
      description: 'The page, the newest first.',
      resolve: ({ identities }) => identities,
    },
    pageInfo: {
      type: PAGE_INFO_TYPE,
      description: 'Whether there is more. The cursor of an identity is its uuid.',
      resolve: ({ identities, ...more }) => ({
        ...more,
        startCursor: identities[0]?.uuid ?? null,
        endCursor: identities.at(-1)?.uuid ?? null,
      }),
    },
  },
})
