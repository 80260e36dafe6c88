import type { GeneratedColumns } from '../../../../datapoints/chunks/chunk.ts'
import { blockOf } from '../../../../datapoints/segments/fold-into-blocks.ts'
import type { Sql } from '../../../../db/sql.ts'
import { fetchBlockSegments } from '../../../../store/datapoints/points/points.ts'
import { segmentPoints, type PointsBySeries } from './segment-points.ts'

/**
 * The maximum number of blocks in memory with their points. Blocks that are fetched together count as one. Consecutive
 * series are usually neighbours in a block.
 */
const MOST_FETCHED = 4

interface KnownPoints {
  /** The points from this time on are in memory. */
  readonly from: number
  readonly points: Promise<PointsBySeries>
}

/**
 * Reads the points of blocks before `to` within one snapshot. Each block is read once, as long as its series are read
 * from the same time on.
 */
export class BlockReader {
  readonly #sql: Sql
  readonly #domainId: number
  readonly #visible: ReadonlySet<number>
  readonly #to: number
  readonly #known = new Map<number, KnownPoints>()

  constructor(sql: Sql, domainId: number, visible: ReadonlySet<number>, to: number) {
    this.#sql = sql
    this.#domainId = domainId
    this.#visible = visible
    this.#to = to
  }

  /** Points from `from` on, unordered, maybe with earlier ones; undefined if it has none or may not be seen. */
  async read(seriesId: number, from: number): Promise<readonly GeneratedColumns[] | undefined> {
    const block = blockOf(seriesId)
    const before = this.#known.get(block)
    if (before !== undefined && before.from <= from) {
      // Blocks are sorted by their last use.
      this.#known.delete(block)
      this.#known.set(block, before)
      return (await before.points).get(seriesId)
    }
    return (await this.#fetch([seriesId], from)).get(seriesId)
  }

  /** Reads unread blocks of several series before `read` needs them. The caller makes sure that they fit. */
  readAhead(seriesIds: readonly number[], from: number): void {
    const isKnown = (seriesId: number): boolean => (this.#known.get(blockOf(seriesId))?.from ?? Infinity) <= from
    const unknown = seriesIds.filter((seriesId) => !isKnown(seriesId))
    if (unknown.length === 0) return
    // `read` reports the error.
    this.#fetch(unknown, from).catch(() => undefined)
  }

  /** Fetches blocks, and evicts the least recently used ones. Blocks that are fetched together count as one. */
  #fetch(seriesIds: readonly number[], from: number): Promise<PointsBySeries> {
    const known = { from, points: this.#fetchPoints(seriesIds, from) }
    for (const block of new Set(seriesIds.map(blockOf))) {
      this.#known.delete(block)
      this.#known.set(block, known)
    }
    const fetched = new Set(this.#known.values())
    for (const oldest of fetched) {
      if (fetched.size <= MOST_FETCHED) break
      fetched.delete(oldest)
      for (const [block, one] of this.#known) if (one === oldest) this.#known.delete(block)
    }
    return known.points
  }

  async #fetchPoints(seriesIds: readonly number[], from: number): Promise<PointsBySeries> {
    const segments = await fetchBlockSegments(this.#sql, this.#domainId, seriesIds, { from, to: this.#to })
    return segmentPoints(segments, this.#visible)
  }
}
