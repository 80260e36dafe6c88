import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLID,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'
import type { HeldRole } from '../auth/roles.ts'
import { ROLE } from './grant-types.ts'
import type { CallerView, DomainView, GraphqlContext } from './resolvers.ts'
import { CONSENTS, SESSIONS } from './session-types.ts'
import { operation, type OperationFields } from './scope.ts'

const TEXTS = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLString)))

export const DOMAIN = new GraphQLObjectType<DomainView, GraphqlContext>({
  name: 'Domain',
  description: 'A tenant: its records, users and data are apart from those of every other domain.',
  fields: {
    uuid: { type: new GraphQLNonNull(GraphQLID), description: 'Identifies the domain.' },
    name: { type: new GraphQLNonNull(GraphQLString), description: 'Name shown to people.' },
    hostNames: { type: TEXTS, description: 'The host names at which the platform answers for the domain.' },
    requiresPkce: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: 'Whether every application consumer must use PKCE (RFC 7636), also one that has a secret.',
      resolve: async (_domain, _args, { resolvers }) => (await resolvers.domainSettings()).requiresPkce,
    },
  },
})

const CALLER_KIND = new GraphQLEnumType({
  name: 'CallerKind',
  description: 'Who can hold a token.',
  values: {
    PERSON: { value: 'person', description: 'A user.' },
    MACHINE: { value: 'machine', description: 'A machine user.' },
    PLATFORM: { value: 'platform', description: 'The platform itself, for commands on its own data directory.' },
  },
})

const HELD_ROLE = new GraphQLObjectType<HeldRole>({
  name: 'HeldRole',
  description: 'A role that an account has been granted.',
  fields: {
    role: { type: new GraphQLNonNull(ROLE), description: 'What it allows.' },
    within: {
      type: GraphQLString,
      description: 'The key of the organization or unit within which it counts; null: the whole domain.',
    },
  },
})

const CALLER = new GraphQLObjectType<CallerView, GraphqlContext>({
  name: 'Caller',
  description: 'On whose behalf a request is made, and what its token allows.',
  fields: {
    name: { type: new GraphQLNonNull(GraphQLString), description: 'As the history of applies shows it.' },
    kind: { type: new GraphQLNonNull(CALLER_KIND), description: 'Who holds the token.' },
    login: { type: GraphQLString, description: 'The e-mail address or user name; null for the platform itself.' },
    scopes: { type: TEXTS, description: 'The scopes of the token.' },
    rights: {
      type: TEXTS,
      description:
        'What may be done in the whole domain: what the scopes and the roles both allow. See the table of scopes.',
    },
    roles: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(HELD_ROLE))),
      description: 'The roles that the account has been granted.',
    },
    sessions: {
      type: SESSIONS,
      description: 'Where the account is signed in, the last used first. endSession and endSessions end them.',
      resolve: (_caller, _args, { resolvers }) => resolvers.listSessions(null),
    },
    consents: {
      type: CONSENTS,
      description: 'What applications may do for the account. revokeConsent takes it back.',
      resolve: (_caller, _args, { resolvers }) => resolvers.listConsents(null),
    },
  },
})

/** About the request itself. */
export const DOMAIN_QUERIES: OperationFields = {
  currentDomain: operation<object>({
    right: 'domain:read',
    keepsWithin: true,
    type: new GraphQLNonNull(DOMAIN),
    description: 'The domain that this request is about.',
    resolve: (resolvers) => resolvers.currentDomain(),
  }),
  me: operation<object>({
    right: 'self:read',
    type: new GraphQLNonNull(CALLER),
    description: 'On whose behalf this request is made.',
    resolve: (resolvers) => resolvers.me(),
  }),
}
