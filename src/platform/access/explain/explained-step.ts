import type { Right } from '../../../auth/scopes.ts'
import { recordId } from '../../../records/record-id.ts'
import type { Principal } from '../../../store/access/principals.ts'
import { toAccount } from '../accounts/accounts.ts'
import { quoted } from '../../../lib/quoted.ts'

/** One check of the platform, and its result. */
export interface ExplainedStep {
  readonly about: 'account' | 'method' | 'rule' | 'identity' | 'scopes' | 'grant'
  /** Whether the check passes, or gives a right. */
  readonly passes: boolean
  readonly text: string
}

/** The account that signs in, and the limits of its way of signing in; null if no account does. */
export interface ComesIn {
  readonly steps: readonly ExplainedStep[]
  readonly who: {
    /** Null for a person who would be created. */
    readonly principal: Principal | null
    /** The subjects of the grants by claims that apply. */
    readonly fits: readonly string[]
    readonly allowed: ReadonlySet<Right>
    /** Whether only the scopes of a rule decide its rights. */
    readonly isByRule: boolean
  } | null
}

/** A step that describes the account. */
export function accountStep(principal: Principal | null, login: string): ExplainedStep {
  if (principal === null)
    return { about: 'account', passes: false, text: `there is no user and no machine user ${quoted(login)}` }
  const { status } = toAccount(principal)
  const known = principal.isOfModel ? 'of the data model' : 'known only from a provider, in no document'
  return { about: 'account', passes: status === 'ACTIVATED', text: `${recordId(principal)} is ${status}, ${known}` }
}
