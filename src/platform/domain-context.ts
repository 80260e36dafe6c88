import type { Sql } from '../db/sql.ts'
import type { AccessContext } from './access/access-context.ts'
import type { ApplyOutcome } from './imports/apply-outcome.ts'
import type { ChangeSignals } from './changes/change-signals.ts'

/** What every operation on a domain needs, and on whose behalf it is done. */
export interface DomainContext extends AccessContext {
  /** The name that history and drift show: a user, a machine user, a workflow. */
  readonly actor: string
  /** Whether who may sign in and who may do what may be changed, as it is in a transaction. Left out: it may. */
  mayChangeAccess?(sql: Sql): Promise<boolean>
  /** The signal that the sender has left: a mere look at data need not go on. Left out: the sender waits. */
  readonly left?: AbortSignal
  /** The longest that an apply looks at stored values while others wait for the domain's lock; left out: 30 s. */
  readonly longestLookMs?: number
  /** Told of what was changed, after it is committed; left out where nobody waits for it. */
  readonly changes?: ChangeSignals
  /** Told what became of each apply; left out where nobody counts them. */
  noteApply?(outcome: ApplyOutcome): void
}
