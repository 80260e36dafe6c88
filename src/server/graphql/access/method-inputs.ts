import { GraphQLBoolean, GraphQLString } from 'graphql'
import { DEFAULT_REF } from '../../../auth/github-actions.ts'
import { DEFAULT_SCOPES } from '../../../auth/scopes.ts'
import { JSON_VALUE, TEXTS } from '../scalars.ts'
import { input, list, optional, required } from '../typed.ts'
import { EMAIL_DOMAINS, GITHUB_FIELDS } from './method-types.ts'

const RULE = input('FederationRuleInput', 'Which tokens of another provider are let in, and as whom.', {
  name: required(GraphQLString, 'For people to read.'),
  claims: required(
    JSON_VALUE,
    'What a token must hold, such as {"hd": "example.com"}: each claim with a value or a list of values.',
  ),
  machineUser: optional(GraphQLString, 'The user name of who acts. Left out: the person of the token.'),
  scopes: required(TEXTS, 'All that such a token may do.'),
})

const GITHUB = input(
  'GithubActionsTrustInput',
  'Lets the jobs of one repository plan (pull requests, the merge queue, schedules, pushes) and apply (pushes to one branch, in one environment).',
  {
    repositoryId: required(GraphQLString, GITHUB_FIELDS.repositoryId),
    repositoryOwnerId: required(GraphQLString, GITHUB_FIELDS.repositoryOwnerId),
    ref: optional(GraphQLString, `${GITHUB_FIELDS.ref} Left out: ${DEFAULT_REF}.`),
    environment: required(GraphQLString, GITHUB_FIELDS.environment),
    jobWorkflowRef: optional(
      GraphQLString,
      `${GITHUB_FIELDS.jobWorkflowRef} Left out: any workflow of the repository.`,
    ),
    selfHostedRunners: optional(GraphQLBoolean, `${GITHUB_FIELDS.selfHostedRunners} Left out: no.`),
    planMachineUser: required(GraphQLString, GITHUB_FIELDS.planMachineUser),
    applyMachineUser: required(GraphQLString, GITHUB_FIELDS.applyMachineUser),
  },
)

const OPTIONAL_FIELDS = {
  clientSecret: optional(
    GraphQLString,
    'What the provider gave to this platform, for people who sign in with a browser. Never shown again.',
  ),
  scopes: optional(
    TEXTS,
    `All that its tokens may do where there are no rules. Left out: ${DEFAULT_SCOPES.join(' ')}.`,
  ),
  emailDomains: optional(TEXTS, `${EMAIL_DOMAINS} At most 100. Left out: none, so nobody is a user of the model.`),
  rules: optional(list(RULE), 'Where there are any, a token must fit one; the first that fits counts.'),
  githubActions: optional(GITHUB, 'Ready rules for jobs of GitHub Actions.'),
}

const CLIENT_ID = 'The audience that its tokens must be for: its name for this platform.'
const ISSUER = "The provider's issuer URL, exactly as its tokens name it."

export const CONFIGURATION_INPUT = input('OpenIdDelegatedConfigurationInput', 'How to trust another OpenID provider.', {
  clientId: required(GraphQLString, CLIENT_ID),
  issuer: required(GraphQLString, ISSUER),
  ...OPTIONAL_FIELDS,
})

export const CONFIGURATION_PATCH = input(
  'OpenIdDelegatedConfigurationPatch',
  'What to change of a configuration. A field that is left out stays as it is, but another issuer forgets the client secret and the e-mail domains.',
  { clientId: optional(GraphQLString, CLIENT_ID), issuer: optional(GraphQLString, ISSUER), ...OPTIONAL_FIELDS },
)
