import type { Database } from '../../../db/sql.ts'
import { sqlState } from '../../../db/sql-error.ts'
import { DAY, SMALL, type Span } from '../../../datapoints/chunks/pack-series.ts'
import { findSmallChunks, insertChunks, takeSmallChunks, type SeriesDay } from '../../../store/datapoints/chunks.ts'
import { listChunkMonths } from '../../../store/datapoints/partitions.ts'
import type { SmallChunk } from './fold-points.ts'
import type { FoldThread } from './fold-thread.ts'

/** What is known about the small chunks of one day of one series. */
interface Noted extends SeriesDay {
  chunks: number
  points: number
}

/** Fewer chunks are not worth merging, unless their points fill a chunk that is not small. */
const ENOUGH_CHUNKS = 32
const MOST_NOTED = 500_000
/** The most days that are merged at once, because their chunks pass through memory. */
const AT_ONCE = 200
const EVERYTHING = 2 ** 31 - 1
export const UNIQUE_VIOLATION = '23505'

/**
 * Merges many small chunks into few, because every second adds a small chunk to each series. It falls behind while
 * much data arrives, which only affects the size of the database and the work of readers.
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
    // `sweep` finds again what is dropped here.
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
    const found = await this.#database.read(async (sql) => {
      const months = await listChunkMonths(sql)
      const month = months.find((one) => one < this.#swept) ?? months[0]
      this.#swept = month ?? Infinity
      return month === undefined ? [] : findSmallChunks(sql, month, SMALL)
    })
    for (const day of found) {
      const key = `${day.seriesId} ${day.day}`
      if (!this.#noted.has(key)) this.#noted.set(key, { ...day, chunks: ENOUGH_CHUNKS, points: 0 })
    }
  }

  /** Merges some of what is due at `now` (microseconds since 1970). The result is false where nothing is due. */
  async merge(now: number, atOnce = AT_ONCE): Promise<boolean> {
    const due: Noted[] = []
    for (const [key, noted] of this.#noted) {
      if (due.length >= atOnce) break
      if (!isDue(noted, now)) continue
      due.push(noted)
      this.#noted.delete(key)
    }
    if (due.length === 0) return false
    try {
      await this.#mergeDays(due, SMALL, 0)
    } catch (error) {
      if (sqlState(error) !== UNIQUE_VIOLATION) throw error
      // A merged chunk may have the same key as a large chunk of the day, and then both are merged.
      await this.#mergeDays(due, EVERYTHING, 1)
    }
    return true
  }

  async #mergeDays(days: readonly SeriesDay[], below: number, span: Span): Promise<void> {
    const small = await this.#database.transaction(async (sql) => {
      const taken = await takeSmallChunks(sql, days, below, span)
      if (taken.length === 0) return []
      const folded = await this.#foldThread.chunks(taken)
      await insertChunks(sql, folded.encoded)
      return folded.small
    })
    this.note(small)
  }
}

/** Tells whether a day's chunks should be merged. A day that is over is merged even where few points are left. */
function isDue({ chunks, points, day }: Noted, now: number): boolean {
  return chunks > 1 && (points >= SMALL || chunks >= ENOUGH_CHUNKS || now > day + 2 * DAY)
}
