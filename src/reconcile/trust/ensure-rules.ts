import type { FederationRule } from '../../auth/token-rules.ts'
import type { GraphqlClient } from '../../client/graphql-client.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { canonicalText, type Json } from '../../lib/json.ts'
import { CHANGE_RULES, CREATE_METHOD, METHODS, type FoundMethod, type MethodsAnswer } from './trust-queries.ts'

/** Whose tokens are trusted, and what each of them may do. */
export interface Trust {
  /** As the login page shows the method. */
  readonly name: string
  readonly issuer: string
  /** The address of the platform: jobs ask for tokens for it. */
  readonly audience: string
  /** The claims that no other repository has. */
  readonly repository: { readonly [claim: string]: string }
  /** The narrow rules come first, since the first that fits a token counts. */
  readonly rules: readonly TrustedRule[]
}

export interface TrustedRule {
  readonly rule: FederationRule
  /** The claims that the rule gets even if it exists already. It keeps its other claims, so nothing is loosened unasked. */
  readonly asked: readonly string[]
}

/** A line of what was done and what was left as it was. */
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
 * The rules that the method shall have. A rule of this repository for the same environment stays as somebody has made
 * it, whatever its name, but for the claims that were asked for. Another rule gets the machine user of those.
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

/** An environment has one rule for applies. The rule for plans names none. */
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
 * The machine users of these names as which this repository does not sign in yet, but somebody else may: others of
 * that name exist, with whatever they may do.
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

/** Makes the method, or adds to it the rules that it lacks. */
export async function ensureRules(
  request: GraphqlClient,
  trust: Trust,
  rules: readonly FederationRule[],
  method: FoundMethod | null,
): Promise<Step[]> {
  const { name, issuer, audience: clientId } = trust
  if (method === null) {
    await request(CREATE_METHOD, { name, configuration: { issuer, clientId, rules } })
    return [{ done: 'made', what: `authentication method ${name}, with the rules ${namesOf(rules)}` }]
  }
  const told = `authentication method ${method.name} (${method.uuid})`
  const present = presentRules(method)
  const missing = missingRules(rules, method)
  if (missing.length === 0) return [{ done: 'kept', what: `${told}${warningOf(method)}` }]
  await addRules(request, trust, rules)
  return [
    {
      done: 'changed',
      what: `${told}: it has the rules ${namesOf(missing)}${newsOf(missing, present)}${warningOf(method)}`,
    },
  ]
}

function missingRules(rules: readonly FederationRule[], method: FoundMethod | null): readonly FederationRule[] {
  return rules.filter((rule) => !presentRules(method).some((other) => termsOf(rule) === termsOf(other)))
}

const MOST_TRIES = 5

/**
 * Adds rules to the method. The platform replaces the whole list and compares nothing, so a command that runs at the same
 * time may remove them. The list is read right before and right after each attempt.
 */
async function addRules(request: GraphqlClient, trust: Trust, rules: readonly FederationRule[]): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const method = await findMethod(request, trust)
    const missing = missingRules(rules, method)
    if (missing.length === 0) return
    if (method === null || tries === MOST_TRIES)
      throw new HoldfastError('CONFLICT', `somebody else changes the rules of ${trust.name} now; run the command again`)
    const replaced = new Set(missing.map((rule) => rule.name))
    const others = (method.configuration?.rules ?? []).filter((rule) => !replaced.has(rule.name))
    await request(CHANGE_RULES, { uuid: method.uuid, rules: [...missing, ...others] })
  }
}

/** Describes whom the changed rules let in, now and before. */
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
