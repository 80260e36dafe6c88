import { GraphQLBoolean, GraphQLObjectType, GraphQLString } from 'graphql'
import type { FederationRule } from '../../../auth/federation-rules.ts'
import type { GithubActionsTrust } from '../../../auth/github-actions.ts'
import { adviceOn, rulesOf, type DelegatedConfiguration } from '../../../auth/method-configuration.ts'
import type { AuthenticationMethod } from '../../../platform/access/methods/methods.ts'
import { STATUS } from '../field-types.ts'
import { JSON_VALUE, TEXT, UUID } from '../scalars.ts'
import { enumOf, list, nonNull } from '../typed.ts'

const KIND = enumOf<AuthenticationMethod['kind']>(
  'AuthenticationMethodKind',
  'How a method finds out who somebody is.',
  { internal: 'By user name and password.', 'openid-delegated': 'By another OpenID provider.' },
)

const RULE = new GraphQLObjectType<FederationRule>({
  name: 'FederationRule',
  description: 'Which tokens of another provider are let in, and as whom.',
  fields: {
    name: { type: TEXT, description: 'For people to read.' },
    claims: {
      type: nonNull(JSON_VALUE),
      description: 'What a token must hold: each claim with a value, or a list of values of which it has one.',
    },
    machineUser: { type: GraphQLString, description: 'The user name of who acts; null: the person of the token.' },
    scopes: { type: nonNull(list(GraphQLString)), description: 'All that such a token may do.' },
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
      return [name, { type: name === 'jobWorkflowRef' ? type : nonNull(type), description }]
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
    clientId: { type: TEXT, description: 'The audience that its tokens must be for.' },
    issuer: { type: TEXT, description: 'Its issuer URL, as its tokens name it.' },
    hasClientSecret: {
      type: nonNull(GraphQLBoolean),
      description: 'Whether there is a client secret, for people who sign in with a browser. It is never shown.',
    },
    scopes: { type: nonNull(list(GraphQLString)), description: 'All that its tokens may do where there are no rules.' },
    emailDomains: { type: nonNull(list(GraphQLString)), description: EMAIL_DOMAINS },
    rules: {
      type: nonNull(list(RULE)),
      description: 'Where there are any, a token must fit one. The first that fits counts.',
    },
    githubActions: { type: GITHUB, description: 'The ready rules for jobs of GitHub Actions.' },
    effectiveRules: {
      type: nonNull(list(RULE)),
      description: 'All rules, those for GitHub Actions included.',
      resolve: rulesOf,
    },
  },
})

export const METHOD = new GraphQLObjectType<AuthenticationMethod>({
  name: 'DomainAuthenticationMethod',
  description: 'How people and programs may prove who they are. Only an ACTIVATED one works.',
  fields: {
    uuid: { type: UUID, description: 'Identifies the method.' },
    status: { type: nonNull(STATUS), description: 'Counts on every request, for live tokens too.' },
    name: { type: TEXT, description: 'As the login page shows it.' },
    kind: { type: nonNull(KIND), description: 'How it finds out who somebody is.' },
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
