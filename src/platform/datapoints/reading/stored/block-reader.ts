import type { GeneratedColumns } from '../../../../datapoints/chunks/chunk.ts'
import { blockOf } from '../../../../datapoints/segments/fold-into-blocks.ts'
import type { Sql } from '../../../../db/sql.ts'
import { fetchBlockSegments } from '../../../../store/datapoints/points/points.ts'
import { segmentPoints, type PointsBySeries } from './segment-points.ts'

/** The most blocks whose points are in memory. Series that are read one after the other mostly are neighbours. */
const MOST_BLOCKS = 4

interface KnownPoints {
  /** The points from this time on are known. */
  readonly from: number
  readonly points: Promise<PointsBySeries>
}

/** Reads the points of blocks before `to` within one snapshot, each block once while its series are read from one time on. */
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

  /**
   * The points of a series as parts in no order, with those from `from` on; undefined where it has none, or may not be
   * seen.
   */
  async read(seriesId: number, from: number): Promise<readonly GeneratedColumns[] | undefined> {
    const block = blockOf(seriesId)
    const before = this.#known.get(block)
    const known = before !== undefined && before.from <= from ? before : { from, points: this.#fetch(seriesId, from) }
    // Blocks are in the order in which they were last used.
    this.#known.delete(block)
    this.#known.set(block, known)
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_BLOCKS) break
      this.#known.delete(oldest)
    }
    return (await known.points).get(seriesId)
  }

  async #fetch(seriesId: number, from: number): Promise<PointsBySeries> {
    const segments = await fetchBlockSegments(this.#sql, this.#domainId, [seriesId], { from, to: this.#to })
    return segmentPoints(segments, this.#visible)
  }
}
