import { beginOfMonth } from '../../../datapoints/chunks/chunk-partition.ts'
import { DAY } from '../../../datapoints/chunks/pack-series.ts'
import type { Database } from '../../../db/sql.ts'
import { insertChunks, UNPACKED_AT_ONCE } from '../../../store/datapoints/packed/chunks.ts'
import { listChunkMonths } from '../../../store/datapoints/packed/partitions.ts'
import {
  fetchBeginnings,
  findSparseSeries,
  measureSparseChunks,
  takeSparseChunks,
  type PartOfMonth,
  type SeriesOfDomain,
  type SparseSeries,
} from '../../../store/datapoints/packed/sparse-chunks.ts'
import { apartFromDamaged, withFreeKeys } from './failed-merges.ts'
import type { FoldThread } from './fold-thread.ts'

interface SeriesIds extends SeriesOfDomain {
  readonly ids: number[]
}

const idOf = ({ seriesId }: SparseSeries): number => seriesId

/** In the current month, this many days are worth joining. */
const ENOUGH_DAYS = 8
/** The maximum number of series that are looked up together. */
const AT_ONCE = 100
const MOST_FOUND = 20_000

/**
 * Joins the chunks of days with few points into chunks of a month. A day is joined when it ended more than a day ago.
 * Few points come later; they are joined again. Several processes may do so at once.
 */
export class ChunkJoiner {
  readonly #database: Database
  readonly #foldThread: FoldThread
  #found: { readonly part: PartOfMonth; readonly domains: SeriesIds[] } | null = null
  #months: number[] = []

  constructor(database: Database, foldThread: FoldThread) {
    this.#database = database
    this.#foldThread = foldThread
  }

  /** Looks for chunks that are due at `now` (microseconds since 1970), from the latest month back to the first. */
  async sweep(now: number): Promise<void> {
    if (this.#found !== null) return
    this.#months = (await this.#database.read(listChunkMonths)).toReversed()
    await this.#findNext(now)
  }

  /** Joins some of the found chunks, in one domain. The result is false if none is left. */
  async join(now: number): Promise<boolean> {
    if (this.#found === null) return false
    const { part, domains } = this.#found
    const [first] = domains
    if (first !== undefined) {
      const { domainId, ids } = first
      // A domain that fails is left out until the next sweep.
      domains.shift()
      const next = ids.splice(0, await this.#countNext({ domainId, ids: ids.slice(0, AT_ONCE) }, part))
      if (ids.length > 0) domains.unshift(first)
      await apartFromDamaged(next, (some) => this.#joinAll({ domainId, ids: some }, part))
    }
    if (domains.length === 0) await this.#findNext(now)
    return this.#found !== null
  }

  async #findNext(now: number): Promise<void> {
    this.#found = null
    for (let month = this.#months.pop(); month !== undefined; month = this.#months.pop()) {
      const part = { month, before: Math.min(beginOfMonth(month + 1), now - (now % DAY) - DAY) }
      const atLeast = part.before === beginOfMonth(month + 1) ? 1 : ENOUGH_DAYS
      const series = await findSparseSeries(this.#database, part, atLeast, MOST_FOUND)
      if (series.length === 0) continue
      const domains = Array.from(Map.groupBy(series, (one) => one.domainId))
      this.#found = { part, domains: domains.map(([domainId, own]) => ({ domainId, ids: own.map(idOf) })) }
      return
    }
  }

  /** The number of these series that are joined together. */
  async #countNext(series: SeriesOfDomain, part: PartOfMonth): Promise<number> {
    const sizes = await this.#database.read((sql) => measureSparseChunks(sql, series, part))
    const bytesOf = new Map(sizes.map(({ seriesId, bytes }) => [seriesId, bytes]))
    let sum = 0
    const end = series.ids.findIndex((id) => (sum += bytesOf.get(id) ?? 0) > UNPACKED_AT_ONCE)
    return end === -1 ? series.ids.length : Math.max(end, 1)
  }

  async #joinAll(series: SeriesOfDomain, part: PartOfMonth): Promise<void> {
    await withFreeKeys((raised) =>
      this.#database.transaction(async (sql) => {
        const taken = await takeSparseChunks(sql, series, part)
        if (taken.length === 0) return
        const staying = await fetchBeginnings(sql, series, part.month)
        const { encoded } = await this.#foldThread.joined(taken, staying, raised)
        await insertChunks(sql, encoded)
      }),
    )
  }
}
