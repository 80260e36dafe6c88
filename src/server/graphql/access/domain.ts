import { GraphQLBoolean, GraphQLObjectType, GraphQLString } from 'graphql'
import type { HeldRole } from '../../../auth/roles.ts'
import type { Account } from '../../../platform/access/accounts/account.ts'
import type { Actor } from '../../../platform/access/grants/actor.ts'
import { changeDomainSettings, domainSettings } from '../../../platform/access/methods/domain-settings.ts'
import type { Domain } from '../../../store/domains.ts'
import { recordType } from '../../../records/registry.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import type { GraphqlContext } from '../call.ts'
import { withEdges } from '../edges/to-one.ts'
import { operation, type OperationFields } from '../operation.ts'
import { TEXT, TEXTS, UUID } from '../scalars.ts'
import { enumOf, list, nonNull, optional } from '../typed.ts'
import { ROLE } from './grants.ts'
import { CONSENTS, ownConsents, ownSessions, SESSIONS } from './sessions.ts'

const ALLOWED_ORIGINS =
  'The origins whose web pages may call GraphQL and REST from a browser (CORS), such as https://app.example.com. Each is compared exactly.'

const DOMAIN = new GraphQLObjectType<Domain, GraphqlContext>({
  name: 'Domain',
  description: 'A tenant: its records, users and data are separate from those of every other domain.',
  fields: {
    uuid: { type: UUID, description: 'Identifies the domain.' },
    name: { type: TEXT, description: 'Name shown to people.' },
    hostNames: { type: nonNull(TEXTS), description: 'The host names at which the platform answers for the domain.' },
    requiresPkce: {
      type: nonNull(GraphQLBoolean),
      description: 'Whether every application consumer must use PKCE (RFC 7636), also one that has a secret.',
      resolve: async (_domain, _args, { parts }) => (await domainSettings(parts.context)).requiresPkce,
    },
    allowedOrigins: {
      type: nonNull(TEXTS),
      description: ALLOWED_ORIGINS,
      resolve: async (_domain, _args, { parts }) => (await domainSettings(parts.context)).allowedOrigins,
    },
  },
})

const CALLER_KIND = enumOf<Account['kind'] | 'platform'>('CallerKind', 'Who can hold a token.', {
  person: 'A user.',
  machine: 'A machine user.',
  platform: 'The platform itself, for commands on its own data directory.',
})

export const HELD_ROLE = new GraphQLObjectType<HeldRole, GraphqlContext>({
  name: 'HeldRole',
  description: 'A role that an account has been granted.',
  fields: () =>
    withEdges<HeldRole>(
      {
        role: { type: nonNull(ROLE), description: 'The rights of the role.' },
        within: {
          type: GraphQLString,
          description: 'The key of the organization or unit within which it counts; null: the whole domain.',
        },
      },
      [{ field: 'within', to: recordType(DATA_TYPES.unit).definition, by: 'key' }],
    ),
})

const CALLER = new GraphQLObjectType<Actor, GraphqlContext>({
  name: 'Caller',
  description: 'The sender of a request, and the rights of its token.',
  fields: {
    name: { type: TEXT, description: 'As the history of applies shows it.' },
    kind: {
      type: nonNull(CALLER_KIND),
      description: 'Who holds the token.',
      resolve: ({ account }) => account?.kind ?? 'platform',
    },
    login: {
      type: GraphQLString,
      description: 'The e-mail address or user name; null for the platform itself.',
      resolve: ({ account }) => account?.login ?? null,
    },
    scopes: { type: nonNull(TEXTS), description: 'The scopes of the token.' },
    rights: {
      type: nonNull(TEXTS),
      description:
        'Rights in the whole domain: what both the scopes and the roles allow. See the table of scopes, and rightsWithin.',
    },
    rightsWithin: {
      type: nonNull(TEXTS),
      description: 'Further rights, which count only within the organizations or units that roles names.',
      resolve: ({ rightsWithin }) => [...rightsWithin.keys()],
    },
    roles: {
      type: nonNull(list(HELD_ROLE)),
      description: 'The roles that the account has been granted.',
    },
    sessions: {
      type: SESSIONS,
      description: 'Sessions of the account, the most recently used first. endSession and endSessions end them.',
      resolve: (_caller, _args, { parts }) => ownSessions(parts),
    },
    consents: {
      type: CONSENTS,
      description: 'Consents of the account to applications. revokeConsent revokes them.',
      resolve: (_caller, _args, { parts }) => ownConsents(parts),
    },
  },
})

/** Queries about the request itself. */
export const DOMAIN_QUERIES: OperationFields = {
  currentDomain: operation({
    right: 'domain:read',
    keepsWithin: true,
    type: nonNull(DOMAIN),
    description: 'The domain of this request.',
    resolve: ({ context }) => context.domain,
  }),
  me: operation({
    right: 'self:read',
    type: nonNull(CALLER),
    description: 'The sender of this request.',
    resolve: ({ actor }) => actor,
  }),
}

export const DOMAIN_MUTATIONS: OperationFields = {
  updateDomain: operation({
    right: 'access:admin',
    type: nonNull(DOMAIN),
    description: 'Changes the given settings of the domain. Others stay as they are.',
    args: {
      requiresPkce: optional(
        GraphQLBoolean,
        'Whether every application consumer must use PKCE (RFC 7636), also one that has a secret.',
      ),
      allowedOrigins: optional(TEXTS, `${ALLOWED_ORIGINS} An empty list allows none.`),
    },
    async resolve({ context, noteAccessChange }, { requiresPkce, allowedOrigins }) {
      await changeDomainSettings(context, {
        ...(requiresPkce != null && { requiresPkce }),
        ...(allowedOrigins != null && { allowedOrigins }),
      })
      noteAccessChange('domain settings changed', { target: context.domain.uuid })
      return context.domain
    },
  }),
}
