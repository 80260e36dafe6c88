import { hash } from 'node:crypto'
import type { FederationRule as AnyRule } from '../../generated/entities.ts'
import { canonicalText } from '../lib/json.ts'
import { saysVerified } from './verified-email.ts'

// The rules decide which tokens of another provider are accepted, and for which account. A provider with many tenants
// also signs tokens for strangers, so a valid signature and audience prove nothing without rules (RFC 8725, section
// 3.9).

/** The payload of a token whose signature was checked. */
export type Claims = { readonly [claim: string]: unknown }

/** The claims that a token must have. Each must equal one of the values, or be a list that contains one of them. */
export type WantedClaims = { readonly [claim: string]: string | readonly string[] }

/** A rule with valid claims. `machineUser` is null if the rule is for the person that the token identifies. */
export interface FederationRule extends Readonly<AnyRule> {
  readonly claims: WantedClaims
}

/** The first rule that fits the claims. */
export function fittingRule(rules: readonly FederationRule[], claims: Claims): FederationRule | null {
  return rules.find((rule) => misfits(rule, claims).length === 0) ?? null
}

/** Identifies a rule by its content, so an edited rule is another one. Empty for a method without rules. */
export function ruleDigest(rule: FederationRule | null): string {
  return rule === null ? '' : hash('sha256', canonicalText({ ...rule }), 'base64url').slice(0, 22)
}

/**
 * Replaces the digest of a rule if nothing identifies the person: no verified address, no user of the model, and no
 * rule or grant that names their subject. No rule can have this digest.
 */
export const ONLY_ME = 'only-me'

/** Claims that permanently identify one person. Microsoft Entra uses `oid`. */
const SUBJECTS: readonly string[] = ['sub', 'oid']

/** Tells whether the wanted claims accept only persons whom an administrator has named. */
export function namesPersons(wanted: WantedClaims): boolean {
  return SUBJECTS.some((claim) => Object.hasOwn(wanted, claim))
}

/** Explains to administrators why no rule fits. */
export function explainMisfits(rules: readonly FederationRule[], claims: Claims): string {
  const reasons = rules.map((rule) => `${JSON.stringify(rule.name)} wants ${misfits(rule, claims).join(' and ')}`)
  return reasons.join('; ')
}

/** Describes each claim that does not fit a rule: `ref is "a" and must be "b"`. */
export function claimDifferences(wanted: WantedClaims, claims: Claims): string[] {
  return unfitting(wanted, claims).map(
    ([claim, values]) =>
      `${claim} is ${shownIn(claims, claim)} and must be ${[values].flat().map(textOf).join(' or ')}`,
  )
}

export function fitsClaims(wanted: WantedClaims, claims: Claims): boolean {
  return unfitting(wanted, claims).length === 0
}

function misfits({ claims: wanted }: Pick<FederationRule, 'claims'>, claims: Claims): string[] {
  return unfitting(wanted, claims).map(([claim]) => `another ${claim} than ${shownIn(claims, claim)}`)
}

function unfitting(wanted: WantedClaims, claims: Claims) {
  return Object.entries(wanted).filter(
    ([claim, values]) => isUnverified(claims, claim) || !holds(heldIn(claims, claim), [values].flat()),
  )
}

function heldIn(claims: Claims, claim: string): unknown {
  return Object.hasOwn(claims, claim) ? claims[claim] : undefined
}

/** At some providers anybody can claim any address, so an address counts only if the provider has verified it. */
function isUnverified(claims: Claims, claim: string): boolean {
  return claim === 'email' && Object.hasOwn(claims, claim) && !saysVerified(String(claims['iss']), claims)
}

function shownIn(claims: Claims, claim: string): string {
  return textOf(heldIn(claims, claim)) + (isUnverified(claims, claim) ? ' (not verified)' : '')
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
