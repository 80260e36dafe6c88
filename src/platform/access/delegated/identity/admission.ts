import { explainMisfits, fittingRule, type Claims } from '../../../../auth/federation-rules.ts'
import { rulesOf } from '../../../../auth/method-configuration.ts'
import { IdentityRefusal } from '../refusal.ts'
import type { DelegatedMethod } from '../../methods/method.ts'

/** The account and the scopes that a rule gives to an identity of another provider. */
export interface Admission {
  /** The machine user to act as; null for the person whom the claims are about. */
  readonly machineUser: string | null
  readonly scopes: readonly string[]
  /** Null where the method has no rules. */
  readonly rule: string | null
}

/** Applies the rules of the method. It fails where the method has rules and the claims fit none. */
export function admit({ configuration }: DelegatedMethod, claims: Claims): Admission {
  const rules = rulesOf(configuration)
  if (rules.length === 0) return { machineUser: null, scopes: configuration.scopes, rule: null }
  const rule = fittingRule(rules, claims)
  if (rule === null) throw new IdentityRefusal('no-rule-fits', explainMisfits(rules, claims))
  return { machineUser: rule.machineUser, scopes: rule.scopes, rule: rule.name }
}
