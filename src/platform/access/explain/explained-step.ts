import type { Right } from '../../../auth/scopes.ts'
import { recordId } from '../../../records/record-id.ts'
import type { Principal } from '../../../store/access/principals.ts'
import { toAccount } from '../accounts/accounts.ts'

/** One thing that the platform looks at, and what it says. */
export interface ExplainedStep {
  readonly about: 'account' | 'method' | 'rule' | 'identity' | 'scopes' | 'grant'
  /** Whether it lets somebody through, or gives something. */
  readonly passes: boolean
  readonly text: string
}

/** The account that comes in, and the limits of its way in; null if nobody does. */
export interface ComesIn {
  readonly steps: readonly ExplainedStep[]
  readonly who: {
    /** Null for a person who would be created. */
    readonly principal: Principal | null
    /** The subjects of the grants by claims that count. */
    readonly fits: readonly string[]
    readonly allowed: ReadonlySet<Right>
    /** Whether the scopes of a rule alone say what it may do. */
    readonly isByRule: boolean
  } | null
}

/** The account as a text, for a step about it. */
export function accountStep(principal: Principal | null, login: string): ExplainedStep {
  if (principal === null)
    return { about: 'account', passes: false, text: `there is no user and no machine user ${JSON.stringify(login)}` }
  const { status } = toAccount(principal)
  const known = principal.isOfModel ? 'of the data model' : 'known from a provider alone, in no document'
  return { about: 'account', passes: status === 'ACTIVATED', text: `${recordId(principal)} is ${status}, ${known}` }
}
