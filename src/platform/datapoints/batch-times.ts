import { ARRIVAL_STEP } from '../../datapoints/wire/arrival-time.ts'
import type { SeriesEntry } from './series-cache.ts'

let batches = 0

/** The times in one batch, while it is read: those of arrival, and whether one may be there twice. */
export class BatchTimes {
  /** Whether a series may have two points of one time: which, is for `repeatedPoints` to say. */
  mayRepeat = false
  /** The last time of arrival that was given; NaN where none was. */
  lastArrival = Number.NaN
  /** How many points of one series have no timestamp, at most. */
  mostArrivals = 0
  readonly #arrival: number
  readonly #batch = ++batches

  /** Of the first point of each series that has no timestamp. */
  constructor(arrival: number) {
    this.#arrival = arrival
  }

  /**
   * Of the next point of a series that has no timestamp: in the order of the batch, and counted whether it is good or
   * not, so that a batch that is sent again has the same times.
   */
  arrivalOf(entry: SeriesEntry): number {
    this.#visit(entry)
    const at = this.#arrival + entry.arrivals * ARRIVAL_STEP
    entry.arrivals += 1
    if (entry.arrivals <= this.mostArrivals) return at
    this.mostArrivals = entry.arrivals
    this.lastArrival = at
    return at
  }

  /** A point that is good. Those of a series mostly come in order, one way or the other: then none can be there twice. */
  note(entry: SeriesEntry, at: number): void {
    this.#visit(entry)
    if (at > entry.latest) entry.latest = at
    else if (at >= entry.earliest) this.mayRepeat = true
    if (at < entry.earliest) entry.earliest = at
  }

  #visit(entry: SeriesEntry): void {
    if (entry.batch === this.#batch) return
    entry.batch = this.#batch
    entry.arrivals = 0
    entry.earliest = Infinity
    entry.latest = -Infinity
  }
}
