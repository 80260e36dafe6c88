import { ARRIVAL_STEP, arrivalFrom, microsecondsOf } from '../../../datapoints/wire/timestamp.ts'
import { isPresent } from '../../../db/database-identity.ts'
import type { Database } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { BatchTimes } from './batch-times.ts'
import { claimLane, extendLane } from '../../../store/datapoints/arriving/arrival-lanes.ts'

interface ArrivalParts {
  readonly database: Database
  /** The id of this process. No other process has the same, not even after a restart. */
  readonly owner: string
  now(): Date
  /** The time that a timestamp may be ahead of the server, in microseconds. */
  readonly aheadMicroseconds: number
}

/**
 * The time in microseconds that is reserved at once. The next reservation starts when half of it is used. If a process
 * dies, only its own lane has a gap.
 */
const RESERVED = 60_000_000

interface Lane {
  readonly lane: number
  /** The first time of the last batch. */
  begun: number
  /** The latest time that was given to a point. */
  last: number
  to: number
  /** The last times of those series that got more than the first time of their batch. */
  readonly later: Map<number, number>
}

/**
 * Gives times of arrival. A series gets each time only once, from one process, and in ascending order. A batch begins
 * at the present time, so a series with many points does not move the times of others.
 */
export class ArrivalClock {
  readonly #parts: ArrivalParts
  #lane: Lane | null = null
  #reserving: Promise<void> | null = null
  #identity = ''

  constructor(parts: ArrivalParts) {
    this.#parts = parts
  }

  /** The last times of series that may lie after the first time of the next batch. These series continue after them. */
  get later(): ReadonlyMap<number, number> | undefined {
    return this.#lane?.later
  }

  /**
   * The first time for a batch, or NaN if times must be reserved first. The time is used after `taken`. Reservations
   * belong to one database. In another one, such as a restored backup, others may reserve the same times. The identity is
   * empty if nothing is known about the domain yet; then no point has a series.
   */
  next(identity: string): number {
    if (identity !== this.#identity) return Number.NaN
    const now = microsecondsOf(this.#parts.now())
    // If the clock was far ahead for a moment, its lane is abandoned, because no client may send such a time. Another
    // lane has unused present times.
    if (this.#lane === null || this.#lane.last > now + this.#parts.aheadMicroseconds) return Number.NaN
    const { lane, begun, to } = this.#lane
    const next = arrivalFrom(Math.max(now, begun + 1), lane)
    if (next > to) return Number.NaN
    if (next > to - RESERVED / 2) this.#reserve().catch(ignore)
    return next
  }

  /**
   * Takes the times of a batch that begins at `next`. Returns whether they now belong to the caller. The caller must
   * not await anything between `next` and this call.
   */
  taken({ arrival, lastArrival, later }: BatchTimes): boolean {
    const lane = this.#lane
    if (lane === null || !(lastArrival <= lane.to)) return false
    if (arrival > lane.last) lane.later.clear()
    for (const [seriesId, at] of later) lane.later.set(seriesId, at)
    lane.begun = arrival
    lane.last = Math.max(lane.last, lastArrival)
    return true
  }

  /**
   * Resolves to true when `next` has a time and this many times after it are free. False if the identity is outdated: a
   * domain keeps it after a restart until its node answers. Its batches must not take the lane from those of others.
   */
  async reserve(steps: number, identity: string): Promise<boolean> {
    const isOther = identity !== this.#identity && this.#lane !== null
    if (isOther && !(await isPresent(this.#parts.database, identity))) return false
    // Another batch may have begun in this database meanwhile.
    if (identity !== this.#identity) this.#lane = null
    this.#identity = identity
    await this.#reserve(steps * ARRIVAL_STEP)
    return true
  }

  #reserve(more = 0): Promise<void> {
    this.#reserving ??= this.#extendOrClaim(more).finally(() => (this.#reserving = null))
    return this.#reserving
  }

  async #extendOrClaim(more: number): Promise<void> {
    const { database, owner, aheadMicroseconds } = this.#parts
    const now = microsecondsOf(this.#parts.now())
    const held = this.#lane
    if (held !== null && held.last <= now + aheadMicroseconds) {
      const to = Math.max(Math.max(now, held.begun) + more, held.last) + RESERVED
      if (await extendLane(database, owner, { lane: held.lane, to })) {
        held.to = Math.max(held.to, to)
        return
      }
    }
    this.#lane = null
    const claimed = await claimLane(database, owner, now, more + RESERVED)
    if (claimed === null || claimed.from > now + aheadMicroseconds) throw noneLeft()
    const before = claimed.from - 1
    this.#lane = { lane: claimed.lane, begun: before, last: before, to: claimed.to, later: new Map() }
  }
}

function noneLeft(): HoldfastError {
  const message =
    'datapoints without a timestamp cannot be accepted now: the clock of this server is far behind other clocks, or more than 99 servers are running; send timestamps, or try again in a moment'
  return new HoldfastError('UNAVAILABLE', message)
}

/** Ignores a failed reservation, because the next caller tries again and gets the error. */
const ignore = (): void => undefined
