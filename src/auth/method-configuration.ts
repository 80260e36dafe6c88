import type {
  NewGithubActionsTrust,
  NewOpenIdDelegatedConfiguration,
  OpenIdDelegatedConfiguration,
} from '../../generated/entities.ts'
import { didYouMean } from '../lib/suggest.ts'
import { quoted } from '../lib/quoted.ts'
import { completeEmailDomains, emailDomainProblems } from './email-domains.ts'
import { ONLY_ME, ruleDigest, type FederationRule } from './token-rules.ts'
import { DEFAULT_REF, githubActionsRules, isGithubActions, type GithubActionsTrust } from './github-actions.ts'
import { DEFAULT_SCOPES, IDENTIFYING, SCOPES, isScope, rightsOf } from './scopes.ts'
import {
  githubRuleProblem,
  neverIssues,
  sharedIssuerAdvice,
  signsForStrangers,
  strangersProblem,
} from './shared-issuers.ts'

/** How a domain trusts another OpenID provider. It contains no secret. */
export interface DelegatedConfiguration extends Omit<
  Readonly<OpenIdDelegatedConfiguration>,
  'hasClientSecret' | 'rules' | 'effectiveRules'
> {
  readonly rules: readonly FederationRule[]
}

/** The configuration as a client writes it. Null and absent mean the same. */
export type ConfigurationInput = Omit<Readonly<NewOpenIdDelegatedConfiguration>, 'clientSecret'>

export function completeConfiguration(input: ConfigurationInput): DelegatedConfiguration {
  return {
    clientId: input.clientId,
    issuer: input.issuer,
    scopes: input.scopes ?? DEFAULT_SCOPES,
    emailDomains: completeEmailDomains(input.emailDomains ?? []),
    matchesUsers: input.matchesUsers ?? true,
    rules: completeRules(input.rules ?? []),
    githubActions: input.githubActions ? completeGithub(input.githubActions) : null,
  }
}

export function completeRules(rules: NonNullable<ConfigurationInput['rules']>): readonly FederationRule[] {
  return rules.map(({ machineUser, claims, ...rule }) => ({
    ...rule,
    // The claims may have any shape until `configurationProblems` has checked them.
    claims: claims as FederationRule['claims'],
    machineUser: machineUser ?? null,
  }))
}

function completeGithub(input: Readonly<NewGithubActionsTrust>): GithubActionsTrust {
  const { ref, jobWorkflowRef, selfHostedRunners, runsByHand, ...rest } = input
  return {
    ...rest,
    ref: ref ?? DEFAULT_REF,
    jobWorkflowRef: jobWorkflowRef ?? null,
    selfHostedRunners: selfHostedRunners ?? false,
    runsByHand: runsByHand ?? false,
  }
}

/**
 * Reads a stored configuration. If it has no `runsByHand`, runs that somebody starts by hand are not accepted. If it
 * has no `matchesUsers`, an earlier release stored it, which matched users by `emailDomains` alone. The method keeps
 * doing that until an administrator changes it.
 */
export function storedConfiguration(stored: object): DelegatedConfiguration {
  const read = stored as DelegatedConfiguration
  const { githubActions } = read
  return {
    ...read,
    emailDomains: read.emailDomains ?? [],
    matchesUsers: read.matchesUsers ?? false,
    githubActions: githubActions && { ...githubActions, runsByHand: githubActions.runsByHand ?? false },
  }
}

/** Returns all rules of a method. If there are any, tokens that fit none of them are rejected. */
export function rulesOf({ rules, githubActions }: DelegatedConfiguration): readonly FederationRule[] {
  return githubActions === null ? rules : [...rules, ...githubActionsRules(githubActions)]
}

/** The person or machine user who signed in by a method, and the rule that accepted the token. */
export interface LetIn {
  /** The `ruleDigest`; null if the artifact was issued before Holdfast recorded the rule. */
  readonly rule: string | null
  /** The login of a machine user; null for a person. */
  readonly machineUser: string | null
}

/**
 * Returns the scopes that limit an account in every application. These are the scopes of the rule that let the account
 * in. Returns null if the method no longer has that rule. Scopes that only identify the account are always allowed.
 */
export function scopesOfRule(
  configuration: DelegatedConfiguration,
  { rule, machineUser }: LetIn,
): readonly string[] | null {
  if (rule === ONLY_ME) return IDENTIFYING
  const rules = rulesOf(configuration)
  const theirs = rules.find((one) => one.machineUser === machineUser && ruleDigest(one) === rule)
  if (theirs === undefined && (rules.length > 0 || rule)) return null
  return [...new Set([...IDENTIFYING, ...(theirs?.scopes ?? configuration.scopes)])]
}

/**
 * Tells whether people who sign in by a method can use granted administration rights. If the method has `matchesUsers`
 * but no `emailDomains`, they cannot: its provider could claim that anybody is an administrator.
 */
export function givesAdministration({
  emailDomains,
  matchesUsers,
}: Pick<DelegatedConfiguration, 'emailDomains' | 'matchesUsers'>): boolean {
  return emailDomains.length > 0 || !matchesUsers
}

/** Tells why a method without `emailDomains` matches nobody with a user of the model; null if it does match. */
export function reasonNotToMatch(configuration: DelegatedConfiguration): string | null {
  const { issuer, matchesUsers } = configuration
  if (!matchesUsers) return 'matchesUsers is false'
  return signsForStrangers(issuer, rulesOf(configuration))
}

/** Lists everything that is wrong with a configuration. */
export function configurationProblems(
  configuration: DelegatedConfiguration,
  allowedOrigins: readonly string[],
): string[] {
  const { clientId, issuer, scopes, emailDomains, rules, githubActions } = configuration
  return [
    ...(/^[\x21-\x7e]{1,500}$/.test(clientId) ? [] : ['clientId must have 1 to 500 visible ASCII characters']),
    ...issuerProblems(issuer, allowedOrigins),
    ...scopeProblems('scopes', scopes),
    ...emailDomainProblems(emailDomains),
    ...rules.flatMap((rule, index) => ruleProblems(`rules[${index}]`, rule, issuer)),
    ...repeated(rules.map(({ name }) => name)).map((name) => `two rules have the name ${quoted(name)}`),
    ...(githubActions === null ? [] : githubProblems(githubActions, issuer)),
    // PostgreSQL stores neither U+0000 nor half of a surrogate pair.
    ...(/\\u(0000|d[89a-f])/.test(JSON.stringify(configuration))
      ? ['the configuration contains a character that cannot be stored (U+0000, or half of a surrogate pair)']
      : []),
  ]
}

/** The reasons why the method cannot be ACTIVATED, although its configuration is valid. */
export function activationProblems(configuration: DelegatedConfiguration): string[] {
  return [strangersProblem(configuration.issuer, rulesOf(configuration).filter(givesSomething))].filter(
    (problem) => problem !== null,
  )
}

/** Tells whether a rule gives more than the right to read one's own account, which even a stranger may have. */
function givesSomething({ machineUser, scopes }: FederationRule): boolean {
  return machineUser !== null || [...rightsOf(scopes)].some((right) => !right.startsWith('self:'))
}

/** Returns advice that an administrator should know before trusting the issuer; null if there is none. */
export function adviceOn(configuration: DelegatedConfiguration): string | null {
  const { issuer, emailDomains, rules, githubActions } = configuration
  const isRuled = rules.length > 0 || githubActions !== null
  // A method that an earlier release activated may still have such a rule.
  const [problem = null] = isRuled ? activationProblems(configuration) : [sharedIssuerAdvice(issuer, emailDomains)]
  return neverIssues(issuer) ?? problem
}

const NAME_DOMAINS = `emailDomains names the domains whose addresses the provider gives out`

/** Explains how a method without `emailDomains` treats users of the model; null for other methods. */
export function adviceOnUsers(configuration: DelegatedConfiguration): string | null {
  if (configuration.emailDomains.length > 0) return null
  if (!configuration.matchesUsers)
    return `Users of the model cannot sign in by it. Set matchesUsers to let them in by their verified addresses, without administration; or let them in with it: ${NAME_DOMAINS}.`
  if (reasonNotToMatch(configuration) !== null)
    return `Users of the model cannot sign in by it until rules look at a claim that strangers cannot have, or ${NAME_DOMAINS}.`
  return `A verified address makes somebody the user of the model with it, but nobody is an administrator by this method. Administrators need emailDomains: ${NAME_DOMAINS}.`
}

function issuerProblems(issuer: string, allowedOrigins: readonly string[]): string[] {
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  const isPlain = url !== null && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (!isPlain || issuer.length > 1_000 || /[?#\s]/.test(issuer)) {
    return ['issuer must be an address without query, fragment and password, such as https://login.example.com']
  }
  if (url.protocol !== 'https:' && !allowedOrigins.includes(url.origin)) {
    return ['issuer must be an https address, unless HOLDFAST_ALLOWED_ISSUERS of the server lists it']
  }
  return []
}

function ruleProblems(path: string, rule: FederationRule, issuer: string): string[] {
  const claims = claimProblems(`${path}.claims`, rule.claims)
  const github = claims.length === 0 ? githubRuleProblem(issuer, rule) : null
  return [
    ...(rule.name.trim() === '' ? [`${path}.name must not be empty`] : []),
    ...claims,
    ...scopeProblems(`${path}.scopes`, rule.scopes),
    ...(rule.scopes.length === 0 ? [`${path}.scopes must name what such a token may do`] : []),
    ...(rule.machineUser === '' ? [`${path}.machineUser must be a user name, or left out`] : []),
    ...(github === null ? [] : [github]),
  ]
}

function claimProblems(path: string, claims: unknown): string[] {
  const entries = typeof claims === 'object' && claims !== null && !Array.isArray(claims) ? Object.entries(claims) : []
  if (entries.length === 0) {
    return [`${path} must be an object with at least one claim, such as {"hd": "example.com"}`]
  }
  return entries
    .filter(([, values]) => !isValues(values))
    .map(([claim]) => `${path}.${claim} must be a text that is not empty, or a list of such texts`)
}

function isValues(values: unknown): boolean {
  const list = [values].flat()
  return list.length > 0 && list.every((value) => typeof value === 'string' && value !== '')
}

function scopeProblems(path: string, scopes: readonly string[]): string[] {
  return scopes
    .filter((scope) => !isScope(scope))
    .map((scope) => `${path}: there is no scope ${quoted(scope)}.${didYouMean(scope, Object.keys(SCOPES))}`)
}

function githubProblems(trust: GithubActionsTrust, issuer: string): string[] {
  const checks: readonly (readonly [keyof GithubActionsTrust, RegExp, string])[] = [
    ['repositoryId', /^\d+$/, 'the number of the repository, as digits'],
    ['repositoryOwnerId', /^\d+$/, "the number of the repository's owner, as digits"],
    ['ref', /^refs\/.+/, `a full reference such as ${DEFAULT_REF}`],
    ['environment', /\S/, 'the name of an environment of the repository'],
    ['planMachineUser', /\S/, 'the user name of a machine user'],
    ['applyMachineUser', /\S/, 'the user name of a machine user'],
    ['jobWorkflowRef', /^(null|[^@]+@.+)$/, 'a workflow as GitHub names it, owner/name/path@ref'],
  ]
  const isTheirs = isGithubActions(issuer)
  return [
    ...(isTheirs
      ? []
      : [
          'githubActions needs the issuer https://token.actions.githubusercontent.com, or https://HOST/_services/token of an Enterprise Server',
        ]),
    ...checks.flatMap(([field, pattern, what]) =>
      pattern.test(String(trust[field])) ? [] : [`githubActions.${field} must be ${what}`],
    ),
  ]
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) < index))]
}
