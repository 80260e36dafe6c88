import type { Database, Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import {
  fetchHotSize,
  withHotFlushes,
  type FoldedSize,
  type HotFlush,
} from '../../store/datapoints/points/changed-datapoints.ts'
import type { SeriesFilter } from '../../store/datapoints/series/readable-series.ts'
import { readDomain } from '../../store/domains.ts'
import type { ChangeSource, Delivery, PollStatus } from './feed.ts'
import { FlushReader, type StoredFlush } from './flush-reader.ts'
import { SeenFlushes } from './seen-flushes.ts'

/** The maximum number of hot points that one poll reads. The next poll continues after them. */
const MOST_OF_POLL = { points: 200_000, bytes: 67_108_864 } as const

/**
 * The maximum number of folded points that a subscriber gets after an absence, and that one poll reads. `bytes` counts
 * their texts.
 */
export const MOST_AGAIN = { points: 500_000, bytes: 134_217_728 } as const
/** The largest amount of stored data that is searched for these points. */
const MOST_LOOKED_THROUGH = { points: 5_000_000, bytes: 134_217_728 } as const

/**
 * The datapoints of one domain, by flush. A flush becomes visible as a whole in a hot table. It moves as a whole from
 * there to blocks and chunks, and later from blocks to chunks. A reader that reads them in this order misses no flush.
 * See docs/decisions/0036.
 */
export class DatapointSource implements ChangeSource<SeenFlushes, StoredFlush, SeriesFilter> {
  readonly #database: Database
  readonly #domainId: number
  readonly #reader: FlushReader
  readonly #most: FoldedSize
  /** The state of folding when the chunks were last read. */
  #folds: string | null = null
  #drawn = 0

  constructor(database: Database, domainId: number, now: () => Date, most: FoldedSize = MOST_AGAIN) {
    this.#database = database
    this.#domainId = domainId
    this.#reader = new FlushReader(domainId, now)
    this.#most = most
  }

  async start({ settled, drawn }: PollStatus): Promise<SeenFlushes> {
    this.#drawn = drawn
    let result = await this.#pollHot(new SeenFlushes(settled))
    while (!result.isWhole) result = await this.#pollHot(result.after)
    const { after } = result
    const folded = await readDomain(this.#database, this.#domainId, (sql) =>
      this.#reader.foldedGenerations(sql, unseenBy(after)),
    )
    return after.with(folded).settledUpTo(settled)
  }

  async poll(position: SeenFlushes, status: PollStatus): Promise<Delivery<SeenFlushes, StoredFlush> | null> {
    const { settled, drawn } = status
    this.#drawn = drawn
    if (drawn <= position.low) return null
    const hot = await this.#pollHot(position)
    const isFolded = status.folds !== this.#folds
    const isExpected = hot.after.low < Math.max(drawn, hot.after.through)
    if (!hot.isWhole || !isExpected || (!isFolded && hot.after.low >= settled)) return hot
    const all = await this.#pollChunks(hot, settled)
    this.#folds = status.folds
    return all
  }

  async between(from: SeenFlushes, to: SeenFlushes, filter: SeriesFilter): Promise<readonly StoredFlush[]> {
    if (from.through > Math.max(this.#drawn, to.through))
      throw new HoldfastError(
        'CONFLICT',
        'this cursor is ahead of the database: it belongs to another one, or the database was restored; subscribe without a cursor',
      )
    const isWanted = (generation: number): boolean => !from.has(generation) && to.has(generation)
    const ids = await this.#idsOf(filter)
    if (ids?.length === 0) return []
    const hot = await withHotFlushes(this.#database, this.#domainId, from.low, async (sql, flushes) => {
      const wanted = flushes.filter(({ generation }) => isWanted(generation))
      await this.#refuseTooMany(sql, wanted, ids)
      return this.#reader.readHot(sql, generationsOf(wanted), ids)
    })
    const wanted = { after: from.low, ids, isWanted: (one: number) => isWanted(one) && !hot.generations.has(one) }
    const folded = await readDomain(this.#database, this.#domainId, async (sql) => {
      const size = await this.#reader.sizeOfFolded(sql, wanted)
      if (size.points > MOST_LOOKED_THROUGH.points || size.bytes > MOST_LOOKED_THROUGH.bytes) throw tooLong()
      return this.#reader.readFolded(sql, wanted, this.#most, tooLong)
    })
    const found = inOrder([...hot.flushes, ...folded])
    const points = found.reduce((sum, { count }) => sum + count, 0)
    if (points > MOST_AGAIN.points) throw tooMuch()
    return found
  }

  /** Refuses too many points before they are read, because there may be millions, with long texts. */
  async #refuseTooMany(sql: Sql, flushes: readonly HotFlush[], ids: readonly number[] | null): Promise<void> {
    const [points, bytes] = [sumOf(flushes, 'count'), sumOf(flushes, 'bytes')]
    if (
      bytes > MOST_AGAIN.bytes &&
      (await fetchHotSize(sql, this.#domainId, generationsOf(flushes), ids)) > MOST_AGAIN.bytes
    )
      throw muchIsHot()
    if (points <= MOST_AGAIN.points) return
    if ((await this.#reader.countHot(sql, generationsOf(flushes), ids)) > MOST_AGAIN.points) throw tooMuch()
  }

  async #idsOf(filter: SeriesFilter): Promise<readonly number[] | null> {
    if (Object.values(filter).every((one) => one === undefined)) return null
    return readDomain(this.#database, this.#domainId, (sql) => this.#reader.idsOf(sql, filter))
  }

  async #pollHot(position: SeenFlushes): Promise<PollResult> {
    return withHotFlushes(this.#database, this.#domainId, position.low, async (sql, flushes) => {
      const unseen = flushes.filter(({ generation }) => !position.has(generation))
      const taken = firstOf(unseen)
      const generations = generationsOf(taken)
      const { flushes: items } = await this.#reader.readHot(sql, generations, null)
      return { items, before: position, after: position.with(generations), isWhole: taken.length === unseen.length }
    })
  }

  /** Reads chunks after the hot tables. A flush that is in neither, and that no process may be writing, never comes. */
  async #pollChunks(hot: PollResult, settled: number): Promise<PollResult> {
    const folded = await readDomain(this.#database, this.#domainId, (sql) =>
      this.#reader.readFolded(sql, unseenBy(hot.after), this.#most, leftBehind),
    )
    const after = hot.after.with(folded.map(({ generation }) => generation))
    return {
      ...hot,
      items: inOrder([...hot.items, ...folded]),
      after: hot.isWhole ? after.settledUpTo(settled) : after,
    }
  }
}

interface PollResult extends Delivery<SeenFlushes, StoredFlush> {
  /** Whether nothing remains for the next poll. */
  readonly isWhole: boolean
}

function unseenBy(position: SeenFlushes) {
  return { after: position.low, ids: null, isWanted: (generation: number) => !position.has(generation) }
}

function sumOf(flushes: readonly HotFlush[], what: 'count' | 'bytes'): number {
  return flushes.reduce((sum, flush) => sum + flush[what], 0)
}

function generationsOf(flushes: readonly HotFlush[]): number[] {
  return flushes.map(({ generation }) => generation)
}

function firstOf(flushes: readonly HotFlush[]): readonly HotFlush[] {
  let [points, bytes] = [0, 0]
  const end = flushes.findIndex((flush) => {
    points += flush.count
    bytes += flush.bytes
    return points > MOST_OF_POLL.points || bytes > MOST_OF_POLL.bytes
  })
  return end === -1 ? flushes : flushes.slice(0, Math.max(1, end))
}

function inOrder(flushes: readonly StoredFlush[]): StoredFlush[] {
  return flushes.toSorted((a, b) => a.generation - b.generation)
}

function muchIsHot(): HoldfastError {
  return new HoldfastError(
    'UNAVAILABLE',
    'too many datapoints are being stored at this moment; subscribe again after this cursor in some seconds',
  )
}

function tooLong(): HoldfastError {
  return new HoldfastError(
    'LIMIT_EXCEEDED',
    'this cursor is too old: too many datapoints were stored since; read them with the query datapoints, and subscribe without a cursor',
  )
}

function leftBehind(): HoldfastError {
  return new HoldfastError(
    'LIMIT_EXCEEDED',
    'more was stored at once than this server can follow; subscribe again with the last cursor',
  )
}

function tooMuch(): HoldfastError {
  const most = MOST_AGAIN.points.toLocaleString('en-US')
  return new HoldfastError(
    'LIMIT_EXCEEDED',
    `more than ${most} datapoints were stored since this cursor, and no more are sent again; read them with the query datapoints, and subscribe without a cursor`,
  )
}
