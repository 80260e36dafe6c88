import type { Database } from '../../../db/sql.ts'
import { Attempts } from '../../../lib/attempts.ts'
import {
  addArrivals,
  KEPT_QUARTERS,
  lockArrivals,
  QUARTER_MS,
  type CountedArrivals,
} from '../../../store/datapoints/arriving/system-arrivals.ts'
import { writeData } from '../../../store/domains.ts'

/**
 * The number of systems that are written at once. With a turn every five seconds, a process writes at most a hundred
 * rows per second.
 */
const MOST_WRITTEN = 500

interface Waiting {
  lastAt: number
  quarter: number
  readonly counts: number[]
}

/**
 * Counts the arrivals of each system in memory, and stores the counts from time to time. If few systems send, it stores
 * at once; if a hundred thousand send, every quarter of an hour. The longest waiting counts are stored first.
 */
export class SystemArrivals {
  readonly #database: Database
  readonly #now: () => Date
  readonly #waiting = new Map<number, Map<string, Waiting>>()

  constructor({ database, now }: { readonly database: Database; now(): Date }) {
    this.#database = database
    this.#now = now
  }

  /** Called for every stored batch, so it only counts. */
  note(domainId: number, counted: Iterable<readonly [systemUuid: string, count: number]>): void {
    const at = this.#now().getTime()
    const waiting = this.#waitingOf(domainId)
    for (const [systemUuid, count] of counted) {
      const quarter = Math.floor(at / QUARTER_MS)
      const known = waiting.get(systemUuid)
      if (known === undefined) waiting.set(systemUuid, { lastAt: at, quarter, counts: [count] })
      else add(known, { lastAt: at, quarter, counts: [count] })
    }
  }

  #waitingOf(domainId: number): Map<string, Waiting> {
    const known = this.#waiting.get(domainId) ?? new Map<string, Waiting>()
    this.#waiting.set(domainId, known)
    return known
  }

  /** Stores some of the counts. A count that cannot be stored is kept for the next time. */
  async flush(most = MOST_WRITTEN): Promise<void> {
    const attempts = new Attempts()
    for (const [domainId, waiting] of this.#waiting) {
      const taken = waiting
        .entries()
        .take(most)
        .map(([systemUuid, one]) => ({ systemUuid, ...one }))
        .toArray()
      if (taken.length === 0) continue
      for (const { systemUuid } of taken) waiting.delete(systemUuid)
      await attempts.make(() => this.#store(domainId, taken))
    }
    attempts.end()
  }

  async #store(domainId: number, taken: readonly (Waiting & { readonly systemUuid: string })[]): Promise<void> {
    try {
      await storeArrivals(this.#database, domainId, taken)
    } catch (error) {
      const waiting = this.#waitingOf(domainId)
      for (const { systemUuid, ...one } of taken) {
        const known = waiting.get(systemUuid)
        if (known === undefined) waiting.set(systemUuid, one)
        else add(known, one)
      }
      throw error
    }
  }
}

/** Adds counts of quarters of an hour, which may be earlier or later than the known ones. */
function add(known: Waiting, { lastAt, quarter, counts }: CountedArrivals | Waiting): void {
  known.lastAt = Math.max(known.lastAt, lastAt)
  const ahead = Math.min(quarter - known.quarter, KEPT_QUARTERS)
  if (ahead > 0) {
    known.counts.unshift(...Array.from({ length: ahead }, () => 0))
    known.quarter = quarter
  }
  counts.forEach((count, index) => {
    const place = index + known.quarter - quarter
    if (place >= KEPT_QUARTERS) return
    for (let before = known.counts.length; before < place; before++) known.counts.push(0)
    known.counts[place] = (known.counts[place] ?? 0) + count
  })
  known.counts.length = Math.min(known.counts.length, KEPT_QUARTERS)
}

/** Locks the domain, so that the systems stay in the units that the rows get. */
function storeArrivals(database: Database, domainId: number, arrivals: readonly CountedArrivals[]): Promise<void> {
  return writeData(database, domainId, async (sql) => {
    const now = await lockArrivals(sql, domainId)
    await addArrivals(sql, domainId, arrivals, now)
  })
}
