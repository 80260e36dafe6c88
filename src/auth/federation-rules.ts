import type { FederationRule as AnyRule } from '../../generated/entities.ts'

// The rules decide which tokens of another provider are accepted, and whose account they act for. A provider with
// many tenants also signs tokens for strangers, so a valid signature and audience prove nothing without rules (RFC
// 8725, section 3.9).

/** The payload of a token whose signature was checked. */
export type Claims = { readonly [claim: string]: unknown }

/** The claims that a token must have. Each must equal one of the values, or be a list that contains one of them. */
export type WantedClaims = { readonly [claim: string]: string | readonly string[] }

/** Its claims have been checked. `machineUser` is null for the person whom the token is about. */
export interface FederationRule extends Readonly<AnyRule> {
  readonly claims: WantedClaims
}

/** The first rule that fits the claims. */
export function fittingRule(rules: readonly FederationRule[], claims: Claims): FederationRule | null {
  return rules.find((rule) => misfits(rule, claims).length === 0) ?? null
}

/** Explains to administrators why no rule fits. */
export function explainMisfits(rules: readonly FederationRule[], claims: Claims): string {
  const reasons = rules.map((rule) => `${JSON.stringify(rule.name)} wants ${misfits(rule, claims).join(' and ')}`)
  return reasons.join('; ')
}

/** Says of each claim that does not fit a rule what it is and what it should be: `ref is "a" and must be "b"`. */
export function claimDifferences(wanted: WantedClaims, claims: Claims): string[] {
  return Object.entries(wanted).flatMap(([claim, values]) => {
    const held = Object.hasOwn(claims, claim) ? claims[claim] : undefined
    const must = [values].flat().map(textOf).join(' or ')
    return holds(held, [values].flat()) ? [] : [`${claim} is ${textOf(held)} and must be ${must}`]
  })
}

export function fitsClaims(wanted: WantedClaims, claims: Claims): boolean {
  return misfits({ claims: wanted }, claims).length === 0
}

function misfits({ claims: wanted }: Pick<FederationRule, 'claims'>, claims: Claims): string[] {
  return Object.entries(wanted).flatMap(([claim, values]) => {
    const held = Object.hasOwn(claims, claim) ? claims[claim] : undefined
    return holds(held, [values].flat()) ? [] : [`another ${claim} than ${textOf(held)}`]
  })
}

function holds(held: unknown, values: readonly string[]): boolean {
  return [held].flat().some((one) => isScalar(one) && values.includes(String(one)))
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

const LONGEST = 100

function textOf(held: unknown): string {
  const text = held === undefined ? 'none' : JSON.stringify(held)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
