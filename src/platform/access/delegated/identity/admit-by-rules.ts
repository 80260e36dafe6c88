import {
  explainMisfits,
  fittingRule,
  namesPersons,
  ONLY_ME,
  ruleDigest,
  type Claims,
} from '../../../../auth/token-rules.ts'
import { rulesOf } from '../../../../auth/method-configuration.ts'
import { IDENTIFYING } from '../../../../auth/scopes.ts'
import type { Sql } from '../../../../db/sql.ts'
import { claimGrantsOf } from '../../grants/fitting-grants.ts'
import { IdentityRefusal } from '../refusal.ts'
import type { DelegatedMethod } from '../../methods/method.ts'

/** The account and the scopes that a rule gives to an identity of another provider. */
export interface Admission {
  /** The machine user to act as; null for the person whom the claims are about. */
  readonly machineUser: string | null
  readonly scopes: readonly string[]
  /** Identifies the rule: see `ruleDigest`. */
  readonly rule: string
  /** Null if the method has no rules. */
  readonly ruleName: string | null
  /** Whether the rule names the person by their subject. */
  readonly namesPerson: boolean
}

/** Applies the rules of the method. It fails if the method has rules and the claims fit none of them. */
export function admit({ configuration }: DelegatedMethod, claims: Claims): Admission {
  const rules = rulesOf(configuration)
  if (rules.length === 0) {
    const { scopes } = configuration
    return { machineUser: null, scopes, rule: ruleDigest(null), ruleName: null, namesPerson: false }
  }
  const rule = fittingRule(rules, claims)
  if (rule === null) throw new IdentityRefusal('no-rule-fits', explainMisfits(rules, claims))
  const { machineUser, scopes, name, claims: wanted } = rule
  return { machineUser, scopes, rule: ruleDigest(rule), ruleName: name, namesPerson: namesPersons(wanted) }
}

/** The rights and records of a sign-in. */
export interface LetInWith {
  readonly scopes: readonly string[]
  /** See `ruleDigest`; `ONLY_ME` if nothing identifies the person. */
  readonly rule: string
  /** The subjects of the grants by claims that apply. */
  readonly fits: readonly string[]
}

/**
 * Finds the rule and grants of an admitted person. Claims such as groups apply only if a verified address, a user of
 * the model, or a rule identifies the person. Otherwise a person who is locked out could leave the address out of the
 * token, and return as a new person. A grant that names a subject identifies the person itself; then no other grant
 * applies.
 */
export async function letIn(
  sql: Sql,
  domainId: number,
  method: DelegatedMethod,
  claims: Claims,
  { admission, isVouched }: { readonly admission: Admission; readonly isVouched: boolean },
): Promise<LetInWith> {
  const { scopes, rule, namesPerson } = admission
  const isIdentified = isVouched || namesPerson
  const fits = await claimGrantsOf(sql, domainId, method, claims, { byNameOnly: !isIdentified })
  return isIdentified || fits.length > 0 ? { scopes, rule, fits } : { scopes: IDENTIFYING, rule: ONLY_ME, fits }
}
