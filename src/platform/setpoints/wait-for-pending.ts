import type { SetpointPlace } from '../../store/setpoints/setpoints.ts'
import type { DomainContext } from '../domain-context.ts'
import type { PendingWatch } from './pending-watch.ts'
import type { Setpoint } from './setpoint.ts'
import { takePending } from './take-pending.ts'

export interface Waiting {
  readonly watch: PendingWatch
  readonly ms: number
  /** Fires when nobody is there any more to be answered. */
  readonly left: AbortSignal
  /** Throws where the one who waits may not be answered any more. */
  checkAgain(): Promise<void>
}

/** What is pending, as soon as there is something; nothing when the time is over. */
export async function waitForPending(
  context: DomainContext,
  place: SetpointPlace,
  { watch, ms, left, checkAgain }: Waiting,
): Promise<readonly Setpoint[]> {
  if (ms === 0) return takePending(context, place)
  const answered = new AbortController()
  const over = AbortSignal.timeout(ms)
  const end = AbortSignal.any([answered.signal, left, over])
  try {
    for (;;) {
      // Before it looks, so that nothing comes in between.
      const woken = watch.next(context.domain.id, place, end)
      const found = await takePending(context, place)
      if (found.length > 0 || end.aborted || watch.isEnding) return found
      await woken
      // What nobody hears of must not be SENT.
      if (left.aborted) return []
      await checkAgain()
    }
  } finally {
    answered.abort()
  }
}
