import { HoldfastError } from '../lib/errors.ts'
import type { Io } from '../shell/io.ts'

/** The platform cannot answer now. `retryAfter` is the wait that it asks for, in milliseconds. */
export class BusyError extends HoldfastError {
  readonly retryAfter: number | null

  constructor(message: string, retryAfter: number | null) {
    super('UNAVAILABLE', message)
    this.retryAfter = retryAfter
  }
}

const BUSY = [408, 429, 502, 503, 504]

/** Throws for an answer that only asks to try again later (RFC 9110, section 10.2.3). */
export function refuseBusy(response: Response, now: number): void {
  if (!BUSY.includes(response.status)) return
  void response.body?.cancel()
  throw new BusyError(`the platform cannot answer now (status ${response.status})`, readRetryAfter(response, now))
}

function readRetryAfter({ headers }: Response, now: number): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  if (/^\d+$/.test(text)) return Number(text) * 1_000
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000

/** Repeats work until the platform can be reached, so that a device loses no data. */
export interface Patience {
  /** Repeats the work until it succeeds; null where it was interrupted. */
  persist<T>(work: () => Promise<T>): Promise<T | null>
  /** Waits; false where the wait was interrupted. */
  pause(milliseconds: number): Promise<boolean>
}

interface PatienceOptions {
  readonly io: Pick<Io, 'wait'>
  readonly signal: AbortSignal
  /** Called once when the platform cannot be reached, and once when it is back. */
  readonly onAway: (reason: string) => void
  readonly onBack: () => void
}

/** Pauses are cut into slices, so that they end soon after an interruption. */
const SLICE = 1_000

export function patience({ io, signal, onAway, onBack }: PatienceOptions): Patience {
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
        if (isAway) onBack()
        isAway = false
        return result
      } catch (error) {
        if (signal.aborted) return null
        if (!(error instanceof HoldfastError && error.code === 'UNAVAILABLE')) throw error
        if (!isAway) onAway(error.message)
        isAway = true
        const asked = error instanceof BusyError ? error.retryAfter : null
        if (!(await pause(Math.max(pauseTime, asked ?? 0)))) return null
      }
    }
  }
  return { persist, pause }
}
