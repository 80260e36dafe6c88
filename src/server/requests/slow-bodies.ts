import { HttpError } from './error-response.ts'

/** A body below this size may pause for longer, because the network of a device may be slow. */
const SMALL_BODY = 65_536
/** The seconds between two checks of how much has arrived. */
const SECONDS = 10
const SECONDS_OF_SMALL = 60
/** In that time, at least this share of the body's memory must arrive. */
const LEAST_PART = 1 / 5

/** A body, with the bytes of memory that it takes. */
export interface HeldBody {
  readonly account: string
  held: number
  /** The transfer of the body; undefined if the body is not arriving. */
  arriving?: Arriving | undefined
  /** Seconds since the last check, and the bytes that had arrived then. */
  ticks: number
  before: number
}

export interface Arriving {
  /** Bytes of the body, without the additional memory of each piece. */
  readonly arrived: number
  breakOff(error: Error): void
}

/**
 * Aborts bodies that arrive too slowly while they take memory that others need. Node allows five minutes for a request:
 * a body of 64 KiB that arrives evenly in this time is accepted.
 */
export class SlowBodies {
  readonly #isScarce: (account: string) => boolean
  readonly #bodies = new Set<HeldBody>()
  #timer: NodeJS.Timeout | undefined

  /** `isScarce` tells whether a body of this account takes memory that others need. */
  constructor(isScarce: (account: string) => boolean) {
    this.#isScarce = isScarce
  }

  /** Watches a body while it is arriving, and forgets it afterwards. */
  watch(body: HeldBody, arriving: Arriving | undefined): void {
    body.arriving = arriving
    if (arriving === undefined) {
      this.#bodies.delete(body)
      return
    }
    this.#bodies.add(body)
    // It counts only seconds in which the server ran, because no body can arrive while the server is suspended.
    this.#timer ??= setInterval(() => this.#tick(), 1_000).unref()
  }

  #tick(): void {
    for (const body of this.#bodies)
      if (isSlow(body) && this.#isScarce(body.account)) body.arriving?.breakOff(stalled())
    if (this.#bodies.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

function isSlow(body: HeldBody): boolean {
  body.ticks += 1
  if (body.ticks < (body.held < SMALL_BODY ? SECONDS_OF_SMALL : SECONDS)) return false
  const { arrived } = body.arriving ?? { arrived: 0 }
  const came = arrived - body.before
  body.ticks = 0
  body.before = arrived
  return came < body.held * LEAST_PART
}

function stalled(): HttpError {
  return new HttpError(
    'UNAVAILABLE',
    408,
    'Request timeout',
    'the body stalled or was too slow while other requests needed the memory; nothing of it was stored; try again in a moment, or send less at once',
    { connection: 'close' },
  )
}
