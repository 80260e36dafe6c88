import type { FederationRule } from '../../auth/federation-rules.ts'
import type { GraphqlClient } from '../../client/graphql-client.ts'
import { canonicalText, type Json } from '../../lib/json.ts'
import { CHANGE_RULES, CREATE_METHOD, METHODS, type FoundMethod, type MethodsAnswer } from './trust-queries.ts'

/** Whose tokens are trusted, and what each of them may do. */
export interface Trust {
  /** As the login page shows the method. */
  readonly name: string
  readonly issuer: string
  /** The address of the platform: jobs ask for tokens for it. */
  readonly audience: string
  /** The narrow rules come first, since the first that fits a token counts. */
  readonly rules: readonly FederationRule[]
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
 * The rules that the method shall have. One that is there already, under whatever name and for whatever machine user,
 * stays as somebody has made it.
 */
export function rulesInForce({ rules }: Trust, method: FoundMethod | null): readonly FederationRule[] {
  const present = method?.configuration?.effectiveRules ?? []
  return rules.map((rule) => present.find((other) => isSameTrust(rule, other)) ?? rule)
}

/** Makes the method, or adds to it the rules that it lacks. */
export async function ensureRules(request: GraphqlClient, trust: Trust, method: FoundMethod | null): Promise<Step[]> {
  const { name, issuer, audience: clientId, rules } = trust
  if (method === null) {
    await request(CREATE_METHOD, { name, configuration: { issuer, clientId, rules } })
    return [{ done: 'made', what: `authentication method ${name}, with the rules ${namesOf(rules)}` }]
  }
  const told = `authentication method ${method.name} (${method.uuid})`
  const present = method.configuration?.effectiveRules ?? []
  const missing = rules.filter((rule) => !present.some((other) => isSameTrust(rule, other)))
  if (missing.length === 0) return [{ done: 'kept', what: `${told}${warningOf(method)}` }]
  const replaced = new Set(missing.map((rule) => rule.name))
  const others = (method.configuration?.rules ?? []).filter((rule) => !replaced.has(rule.name))
  await request(CHANGE_RULES, { uuid: method.uuid, rules: [...missing, ...others] })
  return [{ done: 'changed', what: `${told}: it has the rules ${namesOf(missing)}${warningOf(method)}` }]
}

function isSameTrust(one: FederationRule, other: FederationRule): boolean {
  return termsOf(one) === termsOf(other)
}

function termsOf({ claims, scopes }: FederationRule): string {
  const values = Object.entries(claims).map(([claim, value]): [string, Json] => [claim, [value].flat().toSorted()])
  return canonicalText({ claims: Object.fromEntries(values), scopes: [...scopes].sort() })
}

function warningOf({ status }: FoundMethod): string {
  return status === 'ACTIVATED' ? '' : `; it is ${status}, so nobody can sign in by it until you change that`
}

function namesOf(rules: readonly FederationRule[]): string {
  return rules.map(({ name }) => JSON.stringify(name)).join(' and ')
}
