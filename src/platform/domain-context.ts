import type { AccessContext } from './access/access-context.ts'
import type { ApplyOutcome } from './imports/applying/apply-outcome.ts'
import type { ChangeSignals } from './change-signals.ts'

/** The context of every operation on a domain, with its actor. */
export interface DomainContext extends AccessContext {
  /** The name that history and drift show: a user, a machine user or a workflow. */
  readonly actorName: string
  /** The uuid of the actor's account; left out for the operator of an embedded platform. */
  readonly accountUuid?: string
  /** The hash of another provider's token, which stores a job's repository; left out for other tokens. */
  readonly tokenHash?: Uint8Array
  /** Whether the sender may change accounts and their rights; left out if so. */
  readonly mayChangeAccess?: boolean
  /** Whether the sender may read data; left out if not. */
  readonly readsData?: boolean
  /** Fires when the sender disconnects, so that a read-only check of data can stop; left out if the sender waits. */
  readonly left?: AbortSignal
  /** Signalled for changes after their commit; left out if nothing waits for them. */
  readonly changes?: ChangeSignals
  /** Called with the result of each apply; left out if results are not counted. */
  noteApply?(outcome: ApplyOutcome): void
}
