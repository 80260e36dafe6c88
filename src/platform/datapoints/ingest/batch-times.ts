import { ARRIVAL_STEP } from '../../../datapoints/wire/timestamp.ts'
import type { KnownSystem, SeriesEntry } from '../series/series-entry.ts'

let batches = 0

/**
 * The times in one batch while it is read: those of arrival, and whether a time may occur twice; and how many points
 * each system has.
 */
export class BatchTimes {
  /** Whether a series may have two points with the same time. `repeatedPoints` finds them. */
  mayRepeat = false
  /** The time for the first point of each series without a timestamp, unless it has got later ones before. */
  readonly arrival: number
  /** The latest time of arrival that was given; NaN where none was. */
  lastArrival = Number.NaN
  /** The number of times from the first to the latest one. */
  mostArrivals = 0
  /** The last times of the series that got one after the first. */
  readonly later = new Map<number, number>()
  readonly #laterBefore: ReadonlyMap<number, number> | undefined
  readonly #batch = ++batches
  readonly #counts = new Map<KnownSystem, number>()
  #system: KnownSystem | undefined
  #countOfSystem = 0

  constructor(arrival: number, laterBefore?: ReadonlyMap<number, number>) {
    this.arrival = arrival
    this.#laterBefore = laterBefore
  }

  /**
   * The time for the next point of a series without a timestamp. Times are given in the order of the batch, and wrong
   * points count too, so that a batch that is sent again gets the same times.
   */
  arrivalOf(entry: SeriesEntry): number {
    this.#visit(entry)
    const at = this.arrival + entry.arrivals * ARRIVAL_STEP
    if (entry.arrivals > 0) this.later.set(entry.id, at)
    entry.arrivals += 1
    if (entry.arrivals <= this.mostArrivals) return at
    this.mostArrivals = entry.arrivals
    this.lastArrival = at
    return at
  }

  /**
   * Records a valid point. The points of a series are mostly in order, in one direction or the other, and then none
   * can occur twice.
   */
  note(entry: SeriesEntry, at: number): void {
    this.#visit(entry)
    this.#count(entry.component.system)
    if (at > entry.latest) entry.latest = at
    else if (at >= entry.earliest) this.mayRepeat = true
    if (at < entry.earliest) entry.earliest = at
  }

  /** How many valid points each system has. */
  get countsOfSystems(): readonly (readonly [systemUuid: string, count: number])[] {
    this.#keepCount()
    return [...this.#counts].map(([{ uuid }, count]) => [uuid, count])
  }

  /** The points of a system mostly follow each other. */
  #count(system: KnownSystem): void {
    if (system !== this.#system) {
      this.#keepCount()
      this.#system = system
    }
    this.#countOfSystem += 1
  }

  #keepCount(): void {
    if (this.#system !== undefined && this.#countOfSystem > 0)
      this.#counts.set(this.#system, (this.#counts.get(this.#system) ?? 0) + this.#countOfSystem)
    this.#countOfSystem = 0
  }

  #visit(entry: SeriesEntry): void {
    if (entry.batch === this.#batch) return
    entry.batch = this.#batch
    const steps = ((this.#laterBefore?.get(entry.id) ?? Number.NaN) - this.arrival) / ARRIVAL_STEP + 1
    entry.arrivals = steps > 0 ? steps : 0
    entry.earliest = Infinity
    entry.latest = -Infinity
  }
}
