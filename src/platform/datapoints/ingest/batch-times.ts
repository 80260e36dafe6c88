import { ARRIVAL_STEP } from '../../../datapoints/wire/timestamp.ts'
import type { KnownSystem, SeriesEntry } from '../series/series-entry.ts'

let batches = 0

/** The number of the batch that was begun last. */
export function latestBatch(): number {
  return batches
}

/** Tracks a batch while it is read: its times of arrival, whether one may occur twice, and each system's points. */
export class BatchTimes {
  /** Whether a series may have two points with the same time. `repeatedPoints` finds them. */
  mayRepeat = false
  /** The time for the first point of each series without a timestamp, unless the series has a later one already. */
  readonly arrival: number
  /** The latest time of arrival that was given; NaN if none was. */
  lastArrival = Number.NaN
  /** The number of arrival times from the first to the latest one. */
  mostArrivals = 0
  /** The last times of those series that got more than the first time. */
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
   * The time for the next point of a series without a timestamp. Times follow the order of the batch. Wrong points get
   * times too, so that a batch gets the same times when it is sent again.
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

  /** Records a valid point. The points of a series usually ascend or descend; then no time can occur twice. */
  note(entry: SeriesEntry, at: number): void {
    this.#visit(entry)
    this.#count(entry.component.system)
    if (at > entry.latest) entry.latest = at
    else if (at >= entry.earliest) this.mayRepeat = true
    if (at < entry.earliest) entry.earliest = at
  }

  /** The number of valid points of each system. */
  get countsOfSystems(): readonly (readonly [systemUuid: string, count: number])[] {
    this.#keepCount()
    return [...this.#counts].map(([{ uuid }, count]) => [uuid, count])
  }

  /** Optimized for consecutive points of the same system. */
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
