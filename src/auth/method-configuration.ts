import type {
  NewGithubActionsTrust,
  NewOpenIdDelegatedConfiguration,
  OpenIdDelegatedConfiguration,
} from '../../generated/entities.ts'
import { didYouMean } from '../lib/suggest.ts'
import { completeEmailDomains, emailDomainProblems } from './email-domains.ts'
import type { FederationRule } from './federation-rules.ts'
import { DEFAULT_REF, githubActionsRules, isGithubActions, type GithubActionsTrust } from './github-actions.ts'
import { DEFAULT_SCOPES, SCOPES, isScope, rightsOf } from './scopes.ts'
import { githubRuleProblem, neverIssues, sharedIssuerAdvice, strangersProblem } from './shared-issuers.ts'

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
    rules: (input.rules ?? []).map(({ machineUser, claims, ...rule }) => ({
      ...rule,
      // The claims may have any shape until `configurationProblems` has checked them.
      claims: claims as FederationRule['claims'],
      machineUser: machineUser ?? null,
    })),
    githubActions: input.githubActions ? completeGithub(input.githubActions) : null,
  }
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
 * Reads a stored configuration. An older release trusted a provider for all addresses or for none
 * (`linksVerifiedEmail`), and which domains it is trusted for must be stated now. What was stored before there were
 * runs by hand does not accept them.
 */
export function storedConfiguration(stored: object): DelegatedConfiguration {
  const { linksVerifiedEmail: _, ...rest } = stored as DelegatedConfiguration & { linksVerifiedEmail?: boolean }
  const { githubActions } = rest
  return {
    ...rest,
    emailDomains: rest.emailDomains ?? [],
    githubActions: githubActions && { ...githubActions, runsByHand: githubActions.runsByHand ?? false },
  }
}

/** All rules of a method. Where there are any, tokens that fit none are refused. */
export function rulesOf({ rules, githubActions }: DelegatedConfiguration): readonly FederationRule[] {
  return githubActions === null ? rules : [...rules, ...githubActionsRules(githubActions)]
}

/**
 * The scopes that limit a machine user, or with null a person, who signed in by the method, in whichever application.
 * A session in a browser does not record which rule let it in. Scopes that only identify the account are always
 * allowed.
 */
export function scopesAtMost(configuration: DelegatedConfiguration, machineUser: string | null): readonly string[] {
  const rules = rulesOf(configuration)
  const theirs = rules.filter((rule) => rule.machineUser === machineUser)
  const given = rules.length === 0 ? configuration.scopes : theirs.flatMap(({ scopes }) => scopes)
  const harmless = Object.keys(SCOPES).filter(
    (scope) => isScope(scope) && SCOPES[scope].rights.every((right) => right === 'self:read'),
  )
  return [...new Set([...harmless, ...given])]
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
    ...repeated(rules.map(({ name }) => name)).map((name) => `two rules have the name ${JSON.stringify(name)}`),
    ...(githubActions === null ? [] : githubProblems(githubActions, issuer)),
    // PostgreSQL stores neither U+0000 nor half of a surrogate pair.
    ...(/\\u(0000|d[89a-f])/.test(JSON.stringify(configuration))
      ? ['the configuration holds a character that no text here can have (U+0000, or half of a surrogate pair)']
      : []),
  ]
}

/** The reasons why the method cannot be ACTIVATED, although its configuration is valid. */
export function activationProblems(configuration: DelegatedConfiguration): string[] {
  return [strangersProblem(configuration.issuer, rulesOf(configuration).filter(givesSomething))].filter(
    (problem) => problem !== null,
  )
}

/** Tells whether a rule gives more than the right to know one's own account, which a stranger may have. */
function givesSomething({ machineUser, scopes }: FederationRule): boolean {
  return machineUser !== null || [...rightsOf(scopes)].some((right) => !right.startsWith('self:'))
}

/**
 * Tells what an administrator should know before trusting the issuer; null where there is nothing. It only advises.
 */
export function adviceOn({ issuer, emailDomains, rules, githubActions }: DelegatedConfiguration): string | null {
  const isRuled = rules.length > 0 || githubActions !== null
  return neverIssues(issuer) ?? (isRuled ? null : sharedIssuerAdvice(issuer, emailDomains))
}

function issuerProblems(issuer: string, allowedOrigins: readonly string[]): string[] {
  const url = URL.canParse(issuer) ? new URL(issuer) : null
  const isPlain = url !== null && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (!isPlain || issuer.length > 1_000 || /[?#\s]/.test(issuer)) {
    return ['issuer must be an address without query, fragment and password, such as https://login.example.com']
  }
  if (url.protocol !== 'https:' && !allowedOrigins.includes(url.origin)) {
    return ['issuer must be an https address (others only where HOLDFAST_ALLOWED_ISSUERS of the server names them)']
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
    .map((scope) => `${path}: there is no scope ${JSON.stringify(scope)}.${didYouMean(scope, Object.keys(SCOPES))}`)
}

function githubProblems(trust: GithubActionsTrust, issuer: string): string[] {
  const checks: readonly (readonly [keyof GithubActionsTrust, RegExp, string])[] = [
    ['repositoryId', /^\d+$/, 'the number of the repository, as digits'],
    ['repositoryOwnerId', /^\d+$/, "the number of the repository's owner, as digits"],
    ['ref', /^refs\/.+/, `a full reference such as ${DEFAULT_REF}`],
    ['environment', /\S/, 'the name of an environment of the repository'],
    ['planMachineUser', /\S/, 'the user name of a machine user'],
    ['applyMachineUser', /\S/, 'the user name of a machine user'],
    ['jobWorkflowRef', /^(null|.+@.+)$/, 'a workflow as GitHub names it, owner/name/path@ref'],
  ]
  const isTheirs = isGithubActions(issuer)
  return [
    ...(isTheirs ? [] : ['githubActions needs the issuer https://token.actions.githubusercontent.com']),
    ...checks.flatMap(([field, pattern, what]) =>
      pattern.test(String(trust[field])) ? [] : [`githubActions.${field} must be ${what}`],
    ),
  ]
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) < index))]
}
