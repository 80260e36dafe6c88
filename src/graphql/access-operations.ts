import { GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql'
import { CONFIGURATION_INPUT, CONFIGURATION_PATCH } from './access-inputs.ts'
import type { MethodPatchArguments, NewMethodArguments, StatusView } from './access-resolvers.ts'
import { DELEGATED_USER, DELEGATED_USER_CONNECTION, METHOD, NEXT_SIGNING_KEY, PASSWORD_LINK } from './access-types.ts'
import { DOMAIN } from './domain-operations.ts'
import { enumType } from './field-types.ts'
import { IDENTITY_MUTATIONS, IDENTITY_QUERIES } from './identity-operations.ts'
import { MAX_PAGE } from './record-inputs.ts'
import { operation, type OperationFields } from './scope.ts'
import { UUID } from './scalars.ts'

// Who may sign in to a domain, and how. Whoever has the right to all this can come to have every other one.

const STATUS = enumType('Status')

export const ACCESS_QUERIES: OperationFields = {
  ...IDENTITY_QUERIES,
  authenticationMethods: operation<object>({
    right: 'access:admin',
    type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(METHOD))),
    description: 'The authentication methods of the domain: the internal one, then the others as they were made.',
    resolve: (resolvers) => resolvers.listMethods(),
  }),
  delegatedUsers: operation<{ readonly first: number; readonly after?: string | null }>({
    right: 'access:admin',
    type: new GraphQLNonNull(DELEGATED_USER_CONNECTION),
    description: 'The people whom other providers told about and no import document names, by login.',
    args: {
      first: {
        type: new GraphQLNonNull(GraphQLInt),
        defaultValue: 50,
        description: `How many at most, up to ${MAX_PAGE}.`,
      },
      after: { type: GraphQLString, description: 'The login after which to go on.' },
    },
    resolve: (resolvers, { first, after }) => resolvers.listDelegatedUsers(first, after ?? null),
  }),
}

const METHOD_MUTATIONS: OperationFields = {
  // The specification (section 4) gives its name, its arguments and two of its fields.
  createOpenIdDelegatedAuthenticationMethod: operation<NewMethodArguments>({
    right: 'access:admin',
    type: new GraphQLNonNull(METHOD),
    description:
      'Trusts another OpenID provider to say who somebody is. Whom only it knows can sign in, and has no rights until somebody grants some; see emailDomains and rules.',
    args: {
      status: { type: STATUS, defaultValue: 'ACTIVATED', description: 'ACTIVATED to activate it.' },
      name: { type: GraphQLString, description: "As the login page shows it. Left out: the issuer's host." },
      configuration: { type: new GraphQLNonNull(CONFIGURATION_INPUT), description: 'Whom to trust, and in what.' },
    },
    resolve: (resolvers, { status, ...method }) =>
      resolvers.createDelegatedMethod({ ...method, status: status ?? 'ACTIVATED' }),
  }),
  updateAuthenticationMethod: operation<MethodPatchArguments>({
    right: 'access:admin',
    type: new GraphQLNonNull(METHOD),
    description:
      'Changes an authentication method. Another status counts on the next request; another configuration ends what was given under the old one.',
    args: {
      uuid: { type: UUID, description: 'The uuid of the method.' },
      status: { type: STATUS, description: 'The new status.' },
      name: { type: GraphQLString, description: 'The new name.' },
      configuration: { type: CONFIGURATION_PATCH, description: 'What to change of the configuration.' },
    },
    resolve: (resolvers, patch) => resolvers.updateMethod(patch),
  }),
  deleteAuthenticationMethod: operation<{ readonly uuid: string }>({
    right: 'access:admin',
    type: new GraphQLNonNull(METHOD),
    description: 'Deletes an authentication method, ends what was given by it, and gives it as it was.',
    args: { uuid: { type: UUID, description: 'The uuid of the method.' } },
    resolve: (resolvers, { uuid }) => resolvers.deleteMethod(uuid),
  }),
}

export const ACCESS_MUTATIONS: OperationFields = {
  ...METHOD_MUTATIONS,
  ...IDENTITY_MUTATIONS,
  updateDelegatedUser: operation<{ readonly uuid: string; readonly status: StatusView }>({
    right: 'access:admin',
    type: new GraphQLNonNull(DELEGATED_USER),
    description: 'Changes the status of a person whom another provider told about. It counts on their next request.',
    args: {
      uuid: { type: UUID, description: 'The uuid of the person.' },
      status: { type: new GraphQLNonNull(STATUS), description: 'The new status.' },
    },
    resolve: (resolvers, { uuid, status }) => resolvers.updateDelegatedUser(uuid, status),
  }),
  updateDomain: operation<{ readonly requiresPkce?: boolean | null }>({
    right: 'access:admin',
    type: new GraphQLNonNull(DOMAIN),
    description: 'Changes the settings of the domain: those that are given, and no others.',
    args: {
      requiresPkce: {
        type: GraphQLBoolean,
        description: 'Whether every application consumer must use PKCE (RFC 7636), also one that has a secret.',
      },
    },
    async resolve(resolvers, { requiresPkce }) {
      await resolvers.updateDomain(typeof requiresPkce === 'boolean' ? { requiresPkce } : {})
      return resolvers.currentDomain()
    },
  }),
  rotateSigningKey: operation<object>({
    right: 'access:admin',
    type: new GraphQLNonNull(NEXT_SIGNING_KEY),
    description: 'Has another key sign ID tokens, as soon as every server publishes it. No sign-in fails by it.',
    resolve: (resolvers) => resolvers.rotateSigningKey(),
  }),
  createPasswordLink: operation<{ readonly email: string }>({
    right: 'access:admin',
    type: new GraphQLNonNull(PASSWORD_LINK),
    description: 'Makes a link by which a user sets a password: an invitation or a reset. It voids the ones before.',
    args: { email: { type: new GraphQLNonNull(GraphQLString), description: 'The e-mail address of the user.' } },
    resolve: (resolvers, { email }) => resolvers.createPasswordLink(email),
  }),
}
