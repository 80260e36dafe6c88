import { GraphQLBoolean, GraphQLInputObjectType, GraphQLList, GraphQLNonNull, GraphQLString } from 'graphql'
import type { GraphQLInputFieldConfigMap, GraphQLNullableType } from 'graphql'
import { DEFAULT_REF } from '../auth/github-actions.ts'
import { DEFAULT_SCOPES } from '../auth/scopes.ts'
import { EMAIL_DOMAINS, GITHUB_FIELDS } from './access-types.ts'
import { JSON_VALUE } from './scalars.ts'

const required = <Type extends GraphQLNullableType>(type: Type) => new GraphQLNonNull(type)
const texts = new GraphQLList(required(GraphQLString))

const RULE = new GraphQLInputObjectType({
  name: 'FederationRuleInput',
  description: 'Which tokens of another provider are let in, and as whom.',
  fields: {
    name: { type: required(GraphQLString), description: 'For people to read.' },
    claims: {
      type: required(JSON_VALUE),
      description:
        'What a token must hold, such as {"hd": "example.com"}: each claim with a value or a list of values.',
    },
    machineUser: { type: GraphQLString, description: 'The user name of who acts. Left out: the person of the token.' },
    scopes: { type: required(texts), description: 'All that such a token may do.' },
  },
})

const OPTIONAL: { readonly [field: string]: string } = {
  ref: `Left out: ${DEFAULT_REF}.`,
  jobWorkflowRef: 'Left out: any workflow of the repository.',
  selfHostedRunners: 'Left out: no.',
}

const GITHUB = new GraphQLInputObjectType({
  name: 'GithubActionsTrustInput',
  description: `Lets the jobs of one repository plan (pull requests, the merge queue, schedules, pushes) and apply (pushes to one branch, in one environment).`,
  fields: Object.fromEntries(
    Object.entries(GITHUB_FIELDS).map(([name, description]) => {
      const type = name === 'selfHostedRunners' ? GraphQLBoolean : GraphQLString
      const otherwise = OPTIONAL[name]
      if (otherwise === undefined) return [name, { type: required(type), description }]
      return [name, { type, description: `${description} ${otherwise}` }]
    }),
  ),
})

const OPTIONAL_FIELDS: GraphQLInputFieldConfigMap = {
  clientSecret: {
    type: GraphQLString,
    description: 'What the provider gave to this platform, for people who sign in with a browser. Never shown again.',
  },
  scopes: {
    type: texts,
    description: `All that its tokens may do where there are no rules. Left out: ${DEFAULT_SCOPES.join(' ')}.`,
  },
  emailDomains: {
    type: texts,
    description: `${EMAIL_DOMAINS} At most 100. Left out: none, so nobody is a user of the model.`,
  },
  rules: {
    type: new GraphQLList(required(RULE)),
    description: 'Where there are any, a token must fit one; the first that fits counts.',
  },
  githubActions: { type: GITHUB, description: 'Ready rules for jobs of GitHub Actions.' },
}

const CLIENT_ID = 'The audience that its tokens must be for: its name for this platform.'
const ISSUER = "The provider's issuer URL, exactly as its tokens name it."

export const CONFIGURATION_INPUT = new GraphQLInputObjectType({
  name: 'OpenIdDelegatedConfigurationInput',
  description: 'How to trust another OpenID provider.',
  fields: {
    clientId: { type: required(GraphQLString), description: CLIENT_ID },
    issuer: { type: required(GraphQLString), description: ISSUER },
    ...OPTIONAL_FIELDS,
  },
})

export const CONFIGURATION_PATCH = new GraphQLInputObjectType({
  name: 'OpenIdDelegatedConfigurationPatch',
  description:
    'What to change of a configuration. A field that is left out stays as it is, but another issuer forgets the client secret and the e-mail domains.',
  fields: {
    clientId: { type: GraphQLString, description: CLIENT_ID },
    issuer: { type: GraphQLString, description: ISSUER },
    ...OPTIONAL_FIELDS,
  },
})
