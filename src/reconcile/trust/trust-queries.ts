import type { FederationRule } from '../../auth/token-rules.ts'

export interface FoundMethod {
  readonly uuid: string
  readonly name: string
  readonly status: string
  /** Null for the method by user name and password. */
  readonly configuration: {
    readonly clientId: string
    readonly issuer: string
    readonly rules: readonly FederationRule[]
    readonly effectiveRules: readonly FederationRule[]
  } | null
}

export interface MethodsAnswer {
  readonly authenticationMethods: readonly FoundMethod[]
}

const RULE = 'name claims machineUser scopes'

export const METHODS = `query Methods {
  authenticationMethods {
    uuid name status configuration { clientId issuer rules { ${RULE} } effectiveRules { ${RULE} } }
  }
}`

export const CREATE_METHOD = `mutation CreateMethod($name: String, $configuration: OpenIdDelegatedConfigurationInput!) {
  createOpenIdDelegatedAuthenticationMethod(status: ACTIVATED, name: $name, configuration: $configuration) { uuid }
}`

export const CHANGE_RULES = `mutation ChangeRules($uuid: ID!, $rules: [FederationRuleInput!], $before: [FederationRuleInput!]) {
  updateAuthenticationMethod(uuid: $uuid, configuration: { rules: $rules }, rulesBefore: $before) { uuid }
}`

export interface MachineUsersAnswer {
  /** The requested records that exist. */
  readonly asked: { readonly nodes: readonly { readonly username: string; readonly status: string }[] }
  readonly all: { readonly totalCount: number }
}

export const MACHINE_USERS = `query MachineUsers($keys: [String!]!) {
  asked: machineUsers(filter: { recordKeys: $keys }) { nodes { username status } }
  all: machineUsers { totalCount }
}`

export const CREATE_MACHINE_USER = `mutation CreateMachineUser($input: MachineUserInput!) {
  createMachineUser(input: $input) { username }
}`
