import type { Database } from '../../../db/sql.ts'
import { Attempts } from '../../../lib/attempts.ts'
import { DAY, SMALL } from '../../../datapoints/chunks/pack-series.ts'
import {
  findSmallChunks,
  insertChunks,
  takeSmallChunks,
  type DayOfDomain,
  type SeriesDay,
  type StoredChunk,
} from '../../../store/datapoints/packed/chunks.ts'
import { listChunkMonths } from '../../../store/datapoints/packed/partitions.ts'
import { DamagedPoints } from '../damaged-points.ts'
import { apartFromDamaged, withFreeKeys } from './failed-merges.ts'
import type { SmallChunk } from './fold-points.ts'
import type { FoldThread } from './fold-thread.ts'

/** The known facts about the small chunks of one day of one series. */
interface Noted extends DayOfDomain {
  chunks: number
  points: number
}

/** Fewer chunks are not worth merging, unless their points fill a chunk that is not small. */
const ENOUGH_CHUNKS = 32
const MOST_NOTED = 500_000
/** The maximum number of days that are merged at once, because their chunks pass through memory. */
const AT_ONCE = 200

/**
 * Merges the small chunks of a day into a few. Late points make small chunks, and so do points that leave their block
 * in several pieces. Merging lags while much data arrives. Then the database is larger, and reading takes longer.
 */
export class ChunkMerger {
  readonly #database: Database
  readonly #foldThread: FoldThread
  readonly #noted = new Map<string, Noted>()
  #swept = Infinity

  constructor(database: Database, foldThread: FoldThread) {
    this.#database = database
    this.#foldThread = foldThread
  }

  note(small: readonly SmallChunk[]): void {
    // `sweep` finds the dropped entries again.
    if (this.#noted.size > MOST_NOTED) this.#noted.clear()
    for (const { domainId, seriesId, day, count } of small) {
      const key = `${seriesId} ${day}`
      const noted = this.#noted.get(key)
      if (noted === undefined) this.#noted.set(key, { domainId, seriesId, day, chunks: 1, points: count })
      else {
        noted.chunks += 1
        noted.points += count
      }
    }
  }

  /**
   * Finds small chunks that no process remembers, because the process that made them has ended. It sweeps one month
   * at a time, from the latest back to the first, and then begins again.
   */
  async sweep(): Promise<void> {
    const months = await this.#database.read(listChunkMonths)
    const month = months.find((one) => one < this.#swept) ?? months[0]
    this.#swept = month ?? Infinity
    for (const day of month === undefined ? [] : await findSmallChunks(this.#database, month)) {
      const key = `${day.seriesId} ${day.day}`
      if (!this.#noted.has(key)) this.#noted.set(key, { ...day, chunks: ENOUGH_CHUNKS, points: 0 })
    }
  }

  /**
   * Merges some chunks that are due at `now` (microseconds since 1970). The result is false if none is due. If a domain
   * fails, the others continue.
   */
  async merge(now: number, atOnce = AT_ONCE): Promise<boolean> {
    const due = new Map<string, Noted>()
    for (const [key, noted] of this.#noted) {
      if (due.size >= atOnce) break
      if (!isDue(noted, now)) continue
      due.set(key, noted)
      this.#noted.delete(key)
    }
    const attempts = new Attempts()
    for (const [domainId, own] of Map.groupBy(due, ([, noted]) => noted.domainId))
      await attempts.make(() => this.#mergeDomain(domainId, new Map(own)))
    attempts.end()
    return due.size > 0
  }

  async #mergeDomain(domainId: number, due: ReadonlyMap<string, Noted>): Promise<void> {
    try {
      await apartFromDamaged([...due.values()], (some) => this.#mergeAll(domainId, some))
    } catch (error) {
      // `sweep` finds damaged chunks again.
      if (!(error instanceof DamagedPoints || error instanceof AggregateError))
        for (const [key, noted] of due) if (!this.#noted.has(key)) this.#noted.set(key, noted)
      throw error
    }
  }

  async #mergeAll(domainId: number, days: readonly SeriesDay[]): Promise<void> {
    const small = await withFreeKeys((raised) =>
      this.#database.transaction(async (sql) => {
        const taken = await takeSmallChunks(sql, domainId, days)
        if (taken.length === 0) return []
        const folded = await this.#foldThread.chunks(taken, raised)
        await insertChunks(sql, folded.encoded)
        return thatBecameFewer(folded.small, taken)
      }),
    )
    this.note(small)
  }
}

/** The chunks of days that have fewer chunks now. The texts of all other days are too long to be merged further. */
function thatBecameFewer(small: readonly SmallChunk[], taken: readonly StoredChunk[]): SmallChunk[] {
  const before = Map.groupBy(taken, ({ seriesId, t0 }) => `${seriesId} ${t0 - (t0 % DAY)}`)
  const after = Map.groupBy(small, ({ seriesId, day }) => `${seriesId} ${day}`)
  return [...after].flatMap(([key, own]) => (own.length < (before.get(key)?.length ?? 0) ? own : []))
}

/** Tells whether a day's chunks should be merged. A day that has ended is merged even if few points are left. */
function isDue({ chunks, points, day }: Noted, now: number): boolean {
  return chunks > 1 && (points >= SMALL || chunks >= ENOUGH_CHUNKS || now > day + 2 * DAY)
}
