import type { Database, Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { withHotFlushes, type HotFlush } from '../../store/datapoints/changed-datapoints.ts'
import type { SeriesFilter } from '../../store/datapoints/readable-series.ts'
import { readDomain } from '../../store/domains.ts'
import type { ChangeSource, Delivery, LookStatus } from './feed.ts'
import { FlushReader, type StoredFlush } from './flush-reader.ts'
import { SeenFlushes } from './seen-flushes.ts'

/** One look takes no more points, and goes on at the next. */
const POINTS_OF_LOOK = 200_000

/** What somebody who was away is given. */
const MOST_AGAIN = { points: 500_000, unpacked: 5_000_000 } as const

type Place = SeenFlushes

/**
 * Datapoints of one domain, by flush. A flush becomes visible as a whole, in a hot table, and moves from there into chunks
 * as a whole: whoever looks there in this order misses none. See docs/decisions/0014.
 */
export class DatapointSource implements ChangeSource<Place, StoredFlush, SeriesFilter> {
  readonly #database: Database
  readonly #domainId: number
  readonly #reader: FlushReader
  /** When the chunks were looked at last. */
  #folds: string | null = null
  #drawn = 0

  constructor(database: Database, domainId: number) {
    this.#database = database
    this.#domainId = domainId
    this.#reader = new FlushReader(domainId)
  }

  async start({ settled, drawn }: LookStatus): Promise<Place> {
    this.#drawn = drawn
    let look = await this.#lookAtHot(new SeenFlushes(settled))
    while (!look.isWhole) look = await this.#lookAtHot(look.after)
    return (await this.#lookAtChunks(look, settled)).after
  }

  async look(position: Place, status: LookStatus): Promise<Delivery<Place, StoredFlush> | null> {
    const { settled, drawn } = status
    this.#drawn = drawn
    if (drawn <= position.low) return null
    const hot = await this.#lookAtHot(position)
    const isFolded = status.folds !== this.#folds
    const isExpected = hot.after.low < Math.max(drawn, hot.after.through)
    if (!hot.isWhole || !isExpected || (!isFolded && hot.after.low >= settled)) return hot
    const all = await this.#lookAtChunks(hot, settled)
    this.#folds = status.folds
    return all
  }

  async between(from: Place, to: Place, filter: SeriesFilter): Promise<readonly StoredFlush[]> {
    if (from.through > Math.max(this.#drawn, to.through))
      throw new HoldfastError(
        'CONFLICT',
        'nothing was stored yet at this cursor: it is of another database, or of one that was restored since; subscribe without it',
      )
    const isWanted = (generation: number): boolean => !from.has(generation) && to.has(generation)
    const ids = await this.#idsOf(filter)
    if (ids?.length === 0) return []
    const hot = await withHotFlushes(this.#database, this.#domainId, from.low, async (sql, flushes) => {
      const wanted = flushes.filter(({ generation }) => isWanted(generation))
      await this.#refuseTooMany(sql, wanted, ids)
      return this.#reader.readHot(sql, generationsOf(wanted), ids)
    })
    const inChunks = (generation: number): boolean => isWanted(generation) && !hot.generations.has(generation)
    const chunks = await readDomain(this.#database, this.#domainId, async (sql) => {
      await this.#reader.refuseTooMany(sql, from.low, ids, MOST_AGAIN.unpacked)
      return this.#reader.readChunks(sql, from.low, inChunks, ids)
    })
    const found = inOrder([...hot.flushes, ...chunks])
    const points = found.reduce((sum, { count }) => sum + count, 0)
    if (points > MOST_AGAIN.points) throw tooMuch()
    return found
  }

  /** Before they are read: there can be some million of them. */
  async #refuseTooMany(sql: Sql, flushes: readonly HotFlush[], ids: readonly number[] | null): Promise<void> {
    if (flushes.reduce((sum, { count }) => sum + count, 0) <= MOST_AGAIN.points) return
    if ((await this.#reader.countHot(sql, generationsOf(flushes), ids)) > MOST_AGAIN.points) throw tooMuch()
  }

  async #idsOf(filter: SeriesFilter): Promise<readonly number[] | null> {
    if (Object.values(filter).every((one) => one === undefined)) return null
    return readDomain(this.#database, this.#domainId, (sql) => this.#reader.idsOf(sql, filter))
  }

  async #lookAtHot(position: Place): Promise<Look> {
    return withHotFlushes(this.#database, this.#domainId, position.low, async (sql, flushes) => {
      const unseen = flushes.filter(({ generation }) => !position.has(generation))
      const taken = firstOf(unseen)
      const generations = generationsOf(taken)
      const { flushes: items } = await this.#reader.readHot(sql, generations, null)
      return { items, before: position, after: position.with(generations), isWhole: taken.length === unseen.length }
    })
  }

  /** After `lookAtHot`: what is in neither place by then, and is settled, never comes. */
  async #lookAtChunks(hot: Look, settled: number): Promise<Look> {
    const folded = await readDomain(this.#database, this.#domainId, (sql) =>
      this.#reader.readChunks(sql, hot.after.low, (generation) => !hot.after.has(generation), null),
    )
    const after = hot.after.with(folded.map(({ generation }) => generation))
    return {
      ...hot,
      items: inOrder([...hot.items, ...folded]),
      after: hot.isWhole ? after.settledUpTo(settled) : after,
    }
  }
}

interface Look extends Delivery<Place, StoredFlush> {
  /** Whether nothing was left for the next time. */
  readonly isWhole: boolean
}

function generationsOf(flushes: readonly HotFlush[]): number[] {
  return flushes.map(({ generation }) => generation)
}

function firstOf(flushes: readonly HotFlush[]): readonly HotFlush[] {
  let points = 0
  const end = flushes.findIndex(({ count }) => (points += count) > POINTS_OF_LOOK)
  return end === -1 ? flushes : flushes.slice(0, Math.max(1, end))
}

function inOrder(flushes: readonly StoredFlush[]): StoredFlush[] {
  return flushes.toSorted((a, b) => a.generation - b.generation)
}

function tooMuch(): HoldfastError {
  const most = MOST_AGAIN.points.toLocaleString('en-US')
  return new HoldfastError(
    'LIMIT_EXCEEDED',
    `more than ${most} datapoints were stored since this cursor, and no more are sent again; read them with datapoints, and subscribe without it`,
  )
}
