import type { FederationRule } from '../../auth/token-rules.ts'
import type { GraphqlClient } from '../../client/graphql-client.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { canonicalText, type Json } from '../../lib/json.ts'
import { CHANGE_RULES, CREATE_METHOD, METHODS, type FoundMethod, type MethodsAnswer } from './trust-queries.ts'

/** The issuer whose tokens are trusted, and the rights of each kind of token. */
export interface Trust {
  /** The name of the method on the login page. */
  readonly name: string
  readonly issuer: string
  /** The address of the platform. Jobs request tokens for this audience. */
  readonly audience: string
  /** The claims that no other repository has. */
  readonly repository: { readonly [claim: string]: string }
  /** The narrow rules come first, because the first rule that matches a token counts. */
  readonly rules: readonly TrustedRule[]
}

export interface TrustedRule {
  readonly rule: FederationRule
  /**
   * The claims that the rule gets even if it exists already. It keeps its other claims, so that no rule becomes less
   * strict without a request.
   */
  readonly asked: readonly string[]
}

/** A line about something that was done or left unchanged. */
export interface Step {
  readonly done: 'made' | 'changed' | 'wrote' | 'kept'
  readonly what: string
}

/** The method that trusts this issuer for this platform; there is at most one. */
export async function findMethod(request: GraphqlClient, { issuer, audience }: Trust): Promise<FoundMethod | null> {
  const { authenticationMethods } = await request<MethodsAnswer>(METHODS, {})
  const isIt = ({ configuration }: FoundMethod) =>
    configuration?.issuer === issuer && configuration.clientId === audience
  return authenticationMethods.find(isIt) ?? null
}

/**
 * The rules that the method shall have. If this repository has a rule for the same environment, the rule keeps its
 * name and claims, except for the requested claims. Another rule gets the machine user of the existing rules.
 */
export function rulesInForce(trust: Trust, method: FoundMethod | null): readonly FederationRule[] {
  const own = presentRules(method).filter((rule) => isOfRepository(rule, trust))
  return trust.rules.map(({ rule, asked }) => {
    const found = own.filter((other) => isSameRole(rule, other)).map((other) => withClaims(other, rule, asked))
    const kept = found.find((one) => own.some((other) => termsOf(other) === termsOf(one))) ?? found[0]
    const alike = own.find(({ scopes }) => scopesText(scopes) === scopesText(rule.scopes))
    return kept ?? { ...rule, machineUser: alike?.machineUser ?? rule.machineUser }
  })
}

/**
 * Tells whether two rules have the same purpose. An environment has one rule for applies. The rule for plans names no
 * environment.
 */
function isSameRole(rule: FederationRule, other: FederationRule): boolean {
  return valuesOf(rule, 'environment') === valuesOf(other, 'environment')
}

function withClaims(rule: FederationRule, { claims }: FederationRule, asked: readonly string[]): FederationRule {
  const wanted = asked.flatMap((claim) => {
    const value = claims[claim]
    return value === undefined ? [] : [[claim, value] as const]
  })
  return { ...rule, claims: { ...rule.claims, ...Object.fromEntries(wanted) } }
}

function valuesOf({ claims }: FederationRule, claim: string): string {
  return [claims[claim] ?? []].flat().toSorted().join(', ')
}

/**
 * Refuses to use existing machine users of these names, unless this repository already signs in as them. Somebody
 * else may sign in as them, and they may have any rights.
 */
export function refuseUsersOfOthers(trust: Trust, method: FoundMethod | null, existing: ReadonlySet<string>): void {
  const present = presentRules(method)
  const isOurs = (name: string) => present.some((rule) => rule.machineUser === name && isOfRepository(rule, trust))
  const isTaken = (name: string) => existing.has(name) || present.some(({ machineUser }) => machineUser === name)
  const names = usersOf(rulesInForce(trust, method)).filter((name) => isTaken(name) && !isOurs(name))
  if (names.length === 0) return
  throw new HoldfastError(
    'CONFLICT',
    `the platform has the machine user ${names.join(' and ')} already, and not for the jobs of this repository; nothing was created: rename or remove them, or add --adopt to let the jobs use them`,
  )
}

export function usersOf(rules: readonly FederationRule[]): string[] {
  return rules.flatMap(({ machineUser }) => machineUser ?? [])
}

function presentRules(method: FoundMethod | null): readonly FederationRule[] {
  return method?.configuration?.effectiveRules ?? []
}

function isOfRepository({ claims }: FederationRule, { repository }: Trust): boolean {
  return Object.entries(repository).every(
    ([claim, value]) => canonicalText([claims[claim] ?? []].flat()) === canonicalText([value]),
  )
}

/** Creates the method, or adds the missing rules to it. */
export async function ensureRules(
  request: GraphqlClient,
  trust: Trust,
  rules: readonly FederationRule[],
  method: FoundMethod | null,
): Promise<Step[]> {
  const found = method ?? (await createMethod(request, trust, rules))
  if (found === null)
    return [{ done: 'made', what: `authentication method ${trust.name}, with the rules ${namesOf(rules)}` }]
  const told = `authentication method ${found.name} (${found.uuid})`
  const present = presentRules(found)
  const missing = missingRules(rules, found)
  if (missing.length === 0) return [{ done: 'kept', what: `${told}${warningOf(found)}` }]
  await addRules(request, trust, rules)
  return [
    {
      done: 'changed',
      what: `${told}: it has the rules ${namesOf(missing)}${newsOf(missing, present)}${warningOf(found)}`,
    },
  ]
}

/** Creates the method and returns null, or returns the one that another command has created meanwhile. */
async function createMethod(
  request: GraphqlClient,
  trust: Trust,
  rules: readonly FederationRule[],
): Promise<FoundMethod | null> {
  const { name, issuer, audience: clientId } = trust
  try {
    await request(CREATE_METHOD, { name, configuration: { issuer, clientId, rules } })
    return null
  } catch (error) {
    const other = error instanceof HoldfastError && error.code === 'CONFLICT' ? await findMethod(request, trust) : null
    if (other === null) throw error
    return other
  }
}

function missingRules(rules: readonly FederationRule[], method: FoundMethod | null): readonly FederationRule[] {
  return rules.filter((rule) => !presentRules(method).some((other) => termsOf(rule) === termsOf(other)))
}

const MOST_TRIES = 5

/** Adds rules to the method. If somebody else changes the rules between look and change, it looks again. */
async function addRules(request: GraphqlClient, trust: Trust, rules: readonly FederationRule[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const method = await findMethod(request, trust)
    const missing = missingRules(rules, method)
    if (missing.length === 0) return
    if (method === null)
      throw new HoldfastError('CONFLICT', `somebody has deleted ${trust.name}; run the command again`)
    const replaced = new Set(missing.map((rule) => rule.name))
    const before = method.configuration?.rules ?? []
    const others = before.filter((rule) => !replaced.has(rule.name))
    try {
      return await request<undefined>(CHANGE_RULES, { uuid: method.uuid, rules: [...missing, ...others], before })
    } catch (error) {
      if (tries === MOST_TRIES || !(error instanceof HoldfastError && error.code === 'CONFLICT')) throw error
    }
  }
}

/** Describes who can sign in by the changed rules, now and before. */
function newsOf(rules: readonly FederationRule[], present: readonly FederationRule[]): string {
  const lines = rules.flatMap((rule) => {
    const before = present.find(({ name }) => name === rule.name)
    if (before === undefined) return []
    const changed = Object.keys(rule.claims).filter((claim) => valuesOf(rule, claim) !== valuesOf(before, claim))
    return changed.map(
      (claim) => `; ${claim} is ${valuesOf(rule, claim)} (was ${valuesOf(before, claim) || 'anything'})`,
    )
  })
  return lines.join('')
}

function termsOf({ claims, scopes }: FederationRule): string {
  const values = Object.entries(claims).map(([claim, value]): [string, Json] => [claim, [value].flat().toSorted()])
  return canonicalText({ claims: Object.fromEntries(values), scopes: scopesText(scopes) })
}

function scopesText(scopes: readonly string[]): string {
  return [...scopes].sort().join(' ')
}

function warningOf({ status }: FoundMethod): string {
  return status === 'ACTIVATED' ? '' : `; it is ${status}, so nobody can sign in by it until you change that`
}

function namesOf(rules: readonly FederationRule[]): string {
  return rules.map(({ name }) => JSON.stringify(name)).join(' and ')
}
