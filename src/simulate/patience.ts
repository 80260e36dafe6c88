import { HoldfastError } from '../lib/errors.ts'
import type { Io } from '../shell/io.ts'

/** The platform cannot answer now; `retryAfter` is how long it asks to wait, in milliseconds. */
export class BusyError extends HoldfastError {
  readonly retryAfter: number | null

  constructor(message: string, retryAfter: number | null) {
    super('UNAVAILABLE', message)
    this.retryAfter = retryAfter
  }
}

const BUSY = [429, 502, 503, 504]

/** Throws where an answer says no more than that it is not the time (RFC 9110, section 10.2.3). */
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

/** A device that cannot reach its platform tries until it can; what it has to say is kept. */
export interface Patience {
  /** Null where it was interrupted before it came through. */
  persist<T>(work: () => Promise<T>): Promise<T | null>
  /** False where it was interrupted. */
  pause(milliseconds: number): Promise<boolean>
}

interface PatienceOptions {
  readonly io: Pick<Io, 'wait'>
  readonly signal: AbortSignal
  /** Told once when the platform goes away, and once when it is back. */
  readonly onAway: (reason: string) => void
  readonly onBack: () => void
}

/** So that a pause ends soon after something else has. */
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
