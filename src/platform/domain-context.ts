import type { AccessContext } from './access/access-context.ts'
import type { ApplyOutcome } from './imports/applying/apply-outcome.ts'
import type { ChangeSignals } from './change-signals.ts'

/** The context of every operation on a domain, with its actor. */
export interface DomainContext extends AccessContext {
  /** The name that history and drift show: a user, a machine user or a workflow. */
  readonly actorName: string
  /**
   * The hash of the token of another provider that the request brought, with which the repository of a job is stored; left
   * out for other tokens.
   */
  readonly tokenHash?: Uint8Array
  /** Whether it may be changed who may sign in and who may do what; left out if it may. */
  readonly mayChangeAccess?: boolean
  /** Whether the sender may read data; left out if it may not. */
  readonly readsData?: boolean
  /**
   * The signal that the sender has left, so that a mere look at data need not go on; left out if the sender waits.
   */
  readonly left?: AbortSignal
  /** Is signalled for changes after they are committed; left out if nothing waits for them. */
  readonly changes?: ChangeSignals
  /** Is called with the result of each apply; left out if they are not counted. */
  noteApply?(outcome: ApplyOutcome): void
}
