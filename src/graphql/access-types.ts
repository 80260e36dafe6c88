import { GraphQLBoolean, GraphQLEnumType, GraphQLID, GraphQLObjectType, GraphQLString } from 'graphql'
import type { FederationRule } from '../auth/federation-rules.ts'
import type { GithubActionsTrust } from '../auth/github-actions.ts'
import { adviceOn, rulesOf, type DelegatedConfiguration } from '../auth/method-configuration.ts'
import type { DelegatedUserPage, DelegatedUserView, MethodView } from './access-resolvers.ts'
import { enumType } from './field-types.ts'
import { IDENTITY } from './identity-types.ts'
import { PAGE_INFO_TYPE } from './record-types.ts'
import { DATE_TIME, JSON_VALUE, listOf, required } from './scalars.ts'

const METHOD_KIND = new GraphQLEnumType({
  name: 'AuthenticationMethodKind',
  description: 'How a method finds out who somebody is.',
  values: {
    INTERNAL: { value: 'internal', description: 'By user name and password.' },
    OPENID_DELEGATED: { value: 'openid-delegated', description: 'By another OpenID provider.' },
  },
})

const RULE = new GraphQLObjectType<FederationRule>({
  name: 'FederationRule',
  description: 'Which tokens of another provider are let in, and as whom.',
  fields: {
    name: { type: required(GraphQLString), description: 'For people to read.' },
    claims: {
      type: required(JSON_VALUE),
      description: 'What a token must hold: each claim with a value, or a list of values of which it has one.',
    },
    machineUser: { type: GraphQLString, description: 'The user name of who acts; null: the person of the token.' },
    scopes: { type: listOf(GraphQLString), description: 'All that such a token may do.' },
  },
})

/** The descriptions of its fields, which its input shares. */
export const GITHUB_FIELDS: { readonly [field in keyof GithubActionsTrust]: string } = {
  repositoryId: 'The number of the repository, which no other one ever gets: repository_id of its tokens.',
  repositoryOwnerId: 'The number of its owner: repository_owner_id of its tokens.',
  ref: 'The branch that an apply may come from.',
  environment: 'The environment of the repository whose protection an apply must have passed.',
  jobWorkflowRef: 'The one workflow that may apply, owner/name/path@ref. Null: any of the repository.',
  selfHostedRunners: "Whether an apply may run on machines that are not GitHub's.",
  planMachineUser: 'The user name of the machine user that plans.',
  applyMachineUser: 'The user name of the machine user that applies.',
}

const GITHUB = new GraphQLObjectType<GithubActionsTrust>({
  name: 'GithubActionsTrust',
  description: 'The repository on GitHub whose jobs may plan and apply without a stored secret.',
  fields: Object.fromEntries(
    Object.entries(GITHUB_FIELDS).map(([name, description]) => {
      const type = name === 'selfHostedRunners' ? GraphQLBoolean : GraphQLString
      return [name, { type: name === 'jobWorkflowRef' ? type : required(type), description }]
    }),
  ),
})

/** Its input shares it. */
export const EMAIL_DOMAINS =
  'The domains of e-mail addresses, such as example.com, for which a verified address of this provider is proof of who somebody is: they are the user of this domain with that address. Only domains whose addresses the provider gives out itself. Subdomains count only where they are listed.'

const CONFIGURATION = new GraphQLObjectType<DelegatedConfiguration & { readonly hasClientSecret: boolean }>({
  name: 'OpenIdDelegatedConfiguration',
  description: 'How another OpenID provider is trusted.',
  fields: {
    clientId: { type: required(GraphQLString), description: 'The audience that its tokens must be for.' },
    issuer: { type: required(GraphQLString), description: 'Its issuer URL, as its tokens name it.' },
    hasClientSecret: {
      type: required(GraphQLBoolean),
      description: 'Whether there is a client secret, for people who sign in with a browser. It is never shown.',
    },
    scopes: { type: listOf(GraphQLString), description: 'All that its tokens may do where there are no rules.' },
    emailDomains: { type: listOf(GraphQLString), description: EMAIL_DOMAINS },
    rules: {
      type: listOf(RULE),
      description: 'Where there are any, a token must fit one. The first that fits counts.',
    },
    githubActions: { type: GITHUB, description: 'The ready rules for jobs of GitHub Actions.' },
    effectiveRules: {
      type: listOf(RULE),
      description: 'All rules, those for GitHub Actions included.',
      resolve: rulesOf,
    },
  },
})

export const METHOD = new GraphQLObjectType<MethodView>({
  name: 'DomainAuthenticationMethod',
  description: 'How people and programs may prove who they are. Only an ACTIVATED one works.',
  fields: {
    uuid: { type: required(GraphQLID), description: 'Identifies the method.' },
    status: { type: required(enumType('Status')), description: 'Counts on every request, for live tokens too.' },
    name: { type: required(GraphQLString), description: 'As the login page shows it.' },
    kind: { type: required(METHOD_KIND), description: 'How it finds out who somebody is.' },
    advice: {
      type: GraphQLString,
      description:
        'What is worth knowing before one trusts this provider so; null where nothing is. It decides nothing.',
      resolve: (method) => (method.kind === 'internal' ? null : adviceOn(method.configuration)),
    },
    configuration: {
      type: CONFIGURATION,
      description: 'Of an OpenID delegated method; null for the internal one.',
      resolve: (method) =>
        method.kind === 'internal' ? null : { ...method.configuration, hasClientSecret: method.hasClientSecret },
    },
  },
})

export const DELEGATED_USER = new GraphQLObjectType<DelegatedUserView>({
  name: 'DelegatedUser',
  description: 'A person whom another provider told about, until an import document names their e-mail address.',
  fields: {
    uuid: { type: required(GraphQLID), description: 'Identifies them for ever: sub of their tokens.' },
    login: {
      type: required(GraphQLString),
      description: 'As the history shows them; invented where no e-mail is known.',
    },
    email: { type: GraphQLString, description: 'Where the provider has verified it.' },
    name: { type: GraphQLString, description: 'Their name, where the provider told it.' },
    status: { type: required(enumType('Status')), description: 'Counts on every request, for live tokens too.' },
    identities: { type: listOf(IDENTITY), description: 'By whom, and as whom, they were told about.' },
    createdAt: { type: required(DATE_TIME), description: 'When they were first seen.' },
  },
})

export const DELEGATED_USER_CONNECTION = new GraphQLObjectType<DelegatedUserPage>({
  name: 'DelegatedUserConnection',
  description: 'A page of the people whom other providers told about.',
  fields: {
    nodes: { type: listOf(DELEGATED_USER), description: 'The page, by login.', resolve: ({ users }) => users },
    pageInfo: {
      type: PAGE_INFO_TYPE,
      description: 'Whether there is more. The cursor of a user is the login.',
      resolve: ({ users, ...more }) => ({
        ...more,
        startCursor: users[0]?.login ?? null,
        endCursor: users.at(-1)?.login ?? null,
      }),
    },
  },
})

export const NEXT_SIGNING_KEY = new GraphQLObjectType<{ kid: string; signsFrom: Date }>({
  name: 'NextSigningKey',
  description: 'The key that ID tokens are going to be signed with.',
  fields: {
    kid: { type: required(GraphQLID), description: 'Names it in tokens and in the published key set.' },
    signsFrom: { type: required(DATE_TIME), description: 'From when on: until then every server publishes it.' },
  },
})

export const PASSWORD_LINK = new GraphQLObjectType<{ path: string; expiresAt: Date }>({
  name: 'PasswordLink',
  description: 'A link by which one person sets a password, once. It is shown now and never again.',
  fields: {
    path: { type: required(GraphQLString), description: "To be put behind the platform's address." },
    expiresAt: { type: required(DATE_TIME), description: 'Until when it works.' },
  },
})
