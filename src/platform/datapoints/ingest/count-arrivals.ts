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
import { inEachDomain } from '../../../store/nodes-of-domains.ts'

/**
 * The number of systems that a turn writes, in all domains. With a turn every five seconds, these are a hundred rows per
 * second.
 */
const MOST_WRITTEN = 500
/** A turn writes at least this share of the systems, because a system counts as silent after an hour. */
const LEAST_SHARE = 1 / 360

interface Waiting {
  lastAt: number
  quarter: number
  readonly counts: number[]
}

/**
 * Counts the arrivals of each system in memory, and stores the counts from time to time. If few systems send, it stores
 * at once; if a hundred thousand send, every quarter of an hour; never later than after half an hour. The longest waiting
 * counts are stored first.
 */
export class SystemArrivals {
  readonly #database: Database
  readonly #now: () => Date
  readonly #waiting = new Map<number, Map<string, Waiting>>()

  constructor({ database, now }: { readonly database: Database; now(): Date }) {
    this.#database = database
    this.#now = now
  }

  /** Called for every stored batch, so this function only counts. */
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
  async flush(most = this.#mostOfTurn()): Promise<void> {
    const attempts = new Attempts()
    let left = most
    await inEachDomain(this.#database, [...this.#waiting.keys()], attempts, async (domainId) => {
      const waiting = this.#waitingOf(domainId)
      const taken = Array.from(waiting.entries().take(left), ([systemUuid, one]) => ({ systemUuid, ...one }))
      if (taken.length === 0) return
      left -= taken.length
      for (const { systemUuid } of taken) waiting.delete(systemUuid)
      // The rest of the domain waits behind the other domains.
      this.#waiting.delete(domainId)
      if (waiting.size > 0) this.#waiting.set(domainId, waiting)
      await this.#store(domainId, taken)
    })
    attempts.end()
  }

  #mostOfTurn(): number {
    const systems = this.#waiting.values().reduce((sum, { size }) => sum + size, 0)
    return Math.max(MOST_WRITTEN, Math.ceil(systems * LEAST_SHARE))
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

/** Locks the domain, so that no system moves to another unit before the rows are written. */
function storeArrivals(database: Database, domainId: number, arrivals: readonly CountedArrivals[]): Promise<void> {
  return writeData(database, domainId, async (sql) => {
    const now = await lockArrivals(sql, domainId)
    await addArrivals(sql, domainId, arrivals, now)
  })
}
