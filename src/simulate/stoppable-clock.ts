import type { Clock } from '../api-client/index.ts'
import type { Io } from '../shell/io.ts'

/** Pauses are split into slices of this length in milliseconds, so that an interruption ends them soon. */
const SLICE = 1_000

/** Makes a clock whose waits end, by an error, when the simulation is stopped. */
export function stoppableClock({ now, wait }: Pick<Io, 'now' | 'wait'>, stop: AbortSignal): Clock {
  return {
    now,
    async wait(milliseconds) {
      for (let left = milliseconds; left > 0 && !stop.aborted; left -= SLICE)
        await wait(Math.min(left, SLICE)).catch(() => undefined)
      stop.throwIfAborted()
    },
  }
}
