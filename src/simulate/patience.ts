import { HoldfastError } from '../lib/errors.ts'
import type { Io } from '../shell/io.ts'

/** An answer that asks the client to try again later. */
export class BusyError extends HoldfastError {
  /** The wait that the platform asks for, in milliseconds. */
  readonly retryAfter: number

  constructor({ status, headers }: Response) {
    super('UNAVAILABLE', `the platform cannot answer now (status ${status})`)
    this.retryAfter = Number(headers.get('retry-after')) * 1_000 || 0
  }
}

const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000

/** Repeats work until the platform is reachable, so that a device loses no data. */
export interface Patience {
  /** Repeats the work until it succeeds; null if it was interrupted. */
  persist<T>(work: () => Promise<T>): Promise<T | null>
  /** Waits; false if the wait was interrupted. */
  pause(milliseconds: number): Promise<boolean>
}

/** Pauses are split into slices of this length in milliseconds, so that an interruption ends them soon. */
const SLICE = 1_000

/**
 * Makes the patience of one site. `tell` is called once with the reason when the platform becomes unreachable, and with
 * null when it is back.
 */
export function patience(io: Pick<Io, 'wait'>, signal: AbortSignal, tell: (reason: string | null) => void): Patience {
  let isAway = false
  const pause = async (milliseconds: number) => {
    for (let left = milliseconds; left > 0 && !signal.aborted; left -= SLICE)
      await io.wait(Math.min(left, SLICE)).catch(() => undefined)
    return !signal.aborted
  }
  const persist = async <T>(work: () => Promise<T>): Promise<T | null> => {
    for (let pauseTime = FIRST_PAUSE; ; pauseTime = Math.min(pauseTime * 2, LONGEST_PAUSE)) {
      try {
        const result = await work()
        if (isAway) tell(null)
        isAway = false
        return result
      } catch (error) {
        if (signal.aborted) return null
        if (!(error instanceof HoldfastError && error.code === 'UNAVAILABLE')) throw error
        if (!isAway) tell(error.message)
        isAway = true
        const asked = error instanceof BusyError ? error.retryAfter : 0
        if (!(await pause(Math.max(pauseTime, asked)))) return null
      }
    }
  }
  return { persist, pause }
}
