import type { SetpointTarget } from '../../store/setpoints/setpoints.ts'
import type { DomainContext } from '../domain-context.ts'
import type { PendingWatch } from './pending-watch.ts'
import type { Setpoint } from './setpoint.ts'
import { takePending } from './take-pending.ts'

export interface Waiting {
  readonly watch: PendingWatch
  readonly ms: number
  /** Fires when the client has left. */
  readonly left: AbortSignal
  /** Throws where the client may not be answered any more. */
  checkAgain(): Promise<void>
}

/** Waits for pending setpoints, and returns none when the time is over. */
export async function waitForPending(
  context: DomainContext,
  target: SetpointTarget,
  { watch, ms, left, checkAgain }: Waiting,
): Promise<readonly Setpoint[]> {
  if (ms === 0) return takePending(context, target)
  const answered = new AbortController()
  const over = AbortSignal.timeout(ms)
  const end = AbortSignal.any([answered.signal, left, over])
  try {
    for (;;) {
      // Waiting begins before the query, so that nothing is missed in between.
      const woken = watch.next(context.domain.id, target, end)
      const found = await takePending(context, target)
      if (found.length > 0 || end.aborted || watch.isEnding) return found
      await woken
      // Setpoints that no client receives must not become SENT.
      if (left.aborted) return []
      await checkAgain()
    }
  } finally {
    answered.abort()
  }
}
