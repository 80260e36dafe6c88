import type { Database } from '../../../db/sql.ts'
import { Attempts } from '../../../lib/attempts.ts'
import { writeData, writeAccess } from '../../../store/domains.ts'
import { inEachDomain } from '../../../store/nodes-of-domains.ts'
import {
  addRefusals,
  joinOldRefusals,
  lockRefusals,
  type CountedRefusals,
  deleteRefusalsBefore,
} from '../../../store/datapoints/arriving/refused-datapoints.ts'
import type { Refusals } from './point-errors.ts'
import { WaitingRefusals } from './waiting-refusals.ts'
import { DAY } from '../../../datapoints/chunks/pack-series.ts'
import { fetchKept } from '../../../store/datapoints/retention.ts'
import { earliestKept } from '../../../datapoints/retention-time.ts'

const WAITING = { ofDomain: 2_000, ofSender: 100 }
/**
 * The maximum number of rows of a domain, and of one of its senders. Beyond these, the oldest rows are merged into one
 * for each code.
 */
export const STORED = { ofDomain: 10_000, ofSender: 1_000 }

/** Counts the refused datapoints in memory, and stores the counts from time to time. */
export class RefusedDatapoints {
  readonly #database: Database
  readonly #now: () => Date
  readonly #waiting = new Map<number, WaitingRefusals>()

  constructor({ database, now }: { readonly database: Database; now(): Date }) {
    this.#database = database
    this.#now = now
  }

  /** Called for every batch, so it only counts. If nothing was refused, nothing is stored. */
  note({ domainId, actor }: { domainId: number; actor: string }, refusals: Iterable<Refusals>): void {
    const at = this.#now().getTime()
    for (const one of refusals) this.#waitingOf(domainId).add(actor, one, at)
  }

  #waitingOf(domainId: number): WaitingRefusals {
    const known = this.#waiting.get(domainId) ?? new WaitingRefusals(WAITING)
    this.#waiting.set(domainId, known)
    return known
  }

  /** Stores the counts. A count that cannot be stored is kept for the next time. */
  async flush(): Promise<void> {
    const attempts = new Attempts()
    await inEachDomain(this.#database, [...this.#waiting.keys()], attempts, (domainId) => {
      const { counted } = this.#waitingOf(domainId)
      this.#waiting.delete(domainId)
      return this.#store(domainId, counted)
    })
    attempts.end()
  }

  async #store(domainId: number, counted: readonly CountedRefusals[]): Promise<void> {
    try {
      await storeRefusals(this.#database, domainId, counted)
    } catch (error) {
      for (const one of counted) this.#waitingOf(domainId).addCounted(one)
      throw error
    }
  }
}

/** Locks the domain, so that no system moves to another unit before the rows are written. */
function storeRefusals(database: Database, domainId: number, counted: readonly CountedRefusals[]): Promise<void> {
  return writeData(database, domainId, async (sql) => {
    await lockRefusals(sql, domainId)
    if (await addRefusals(sql, domainId, counted)) await joinOldRefusals(sql, domainId, STORED)
  })
}

const KEPT_DAYS = 30

/**
 * Deletes counts that are older than the retention of their datapoints, or older than a month. `now`: microseconds
 * since 1970.
 */
export function expireRefused(database: Database, domainId: number, now: number): Promise<void> {
  const limit = (keep: string | null) => Math.max(now - KEPT_DAYS * DAY, earliestKept(keep, now))
  return writeAccess(database, domainId, async (sql) => {
    // Takes the same lock as a process that stores counts, which would otherwise lock rows in another order.
    await lockRefusals(sql, domainId)
    const kept = await fetchKept(sql, domainId)
    const ofDomain = kept.find(({ characteristicUuid }) => characteristicUuid === null)
    const characteristics = kept.flatMap(({ characteristicUuid: uuid, keep }) =>
      uuid === null ? [] : [{ uuid, before: limit(keep) }],
    )
    await deleteRefusalsBefore(sql, domainId, { characteristics, others: limit(ofDomain?.keep ?? null) })
  })
}
