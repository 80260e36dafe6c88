import type { Sql } from '../db/sql.ts'
import type { AccessContext } from './access/access-context.ts'
import type { ApplyOutcome } from './apply-outcome.ts'
import type { ChangeSignals } from './changes/change-signals.ts'

/** What every operation on a domain needs, and on whose behalf it is done. */
export interface DomainContext extends AccessContext {
  /** The name that history and drift show: a user, a machine user, a workflow. */
  readonly actor: string
  /** Whether who may sign in and who may do what may be changed, as it is in a transaction. Left out: it may. */
  mayChangeAccess?(sql: Sql): Promise<boolean>
  /** When whoever asked has left: what only looks at data need not go on. Left out: they wait. */
  readonly left?: AbortSignal
  /** Told of what was changed, after it is committed; left out where nobody waits for it. */
  readonly changes?: ChangeSignals
  /** Told what became of each apply; left out where nobody counts them. */
  noteApply?(outcome: ApplyOutcome): void
}
