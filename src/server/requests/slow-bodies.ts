import { HttpError } from './error-response.ts'

/** A body below this size may pause for longer, because the network of a device may be slow. */
const SMALL_BODY = 65_536
/** The seconds after which the server looks again how much has arrived. */
const SECONDS = 10
const SECONDS_OF_SMALL = 60
/** In that time, at least this part of the memory that the body takes has to arrive. */
const LEAST_PART = 1 / 5

/** A body, with the bytes of memory that it takes. */
export interface HeldBody {
  readonly account: string
  held: number
  /** The body while it is arriving. */
  arriving?: Arriving | undefined
  /** Seconds since the last look, and the bytes that had arrived then. */
  ticks: number
  before: number
}

export interface Arriving {
  /** Bytes of the body, without the memory that each piece takes beside. */
  readonly arrived: number
  breakOff(error: Error): void
}

/**
 * Breaks off bodies that stall or trickle while they take room that others need. A body of 64 KiB that arrives evenly in the
 * five minutes of Node passes.
 */
export class SlowBodies {
  readonly #isScarce: (account: string) => boolean
  readonly #bodies = new Set<HeldBody>()
  #timer: NodeJS.Timeout | undefined

  /** `isScarce` tells whether a body of this account takes room that others need. */
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
    // It counts seconds in which the server itself ran: while it stands still, no body can arrive.
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
