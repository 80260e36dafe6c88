// Which tokens of another provider are let in, and as whom. A provider with many tenants signs for strangers too: there
// a right signature and audience prove nothing without rules (RFC 8725, section 3.9).

/** What a token says: its payload, after its signature was checked. */
export type Claims = { readonly [claim: string]: unknown }

/** All of them must hold: the claim is one of the values, or a list that has one of them. */
export type WantedClaims = { readonly [claim: string]: string | readonly string[] }

export interface FederationRule {
  readonly name: string
  readonly claims: WantedClaims
  /** Who acts; null: the person whom the token is about. */
  readonly machineUser: string | null
  /** All that such a token may do. */
  readonly scopes: readonly string[]
}

/** The first rule that fits decides. */
export function fittingRule(rules: readonly FederationRule[], claims: Claims): FederationRule | null {
  return rules.find((rule) => misfits(rule, claims).length === 0) ?? null
}

/** Why no rule fits, for administrators. */
export function explainMisfits(rules: readonly FederationRule[], claims: Claims): string {
  const reasons = rules.map((rule) => `${JSON.stringify(rule.name)} wants ${misfits(rule, claims).join(' and ')}`)
  return reasons.join('; ')
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
