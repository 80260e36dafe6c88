import { blockOf } from '../../../../datapoints/segments/fold-into-blocks.ts'
import type { Segment } from '../../../../datapoints/segments/segment.ts'
import type { Sql } from '../../../../db/sql.ts'
import {
  fetchNewestRows,
  fetchRowsOfBlocks,
  type KnownBlock,
  type LastingRow,
  type NewestRow,
} from '../../../../store/datapoints/points/latest-points.ts'
import { EVER } from '../../../../store/datapoints/points/points.ts'
import { decodeStoredDirectory } from '../../damaged-points.ts'
import type { LatestPoints } from './latest-points.ts'
import { partsOf } from './segment-points.ts'

/** The number of rows of each block that are fetched first. Lasting rows are not among them. */
export const NEWEST_ROWS = 4

/** Fetches the newest rows of the blocks of some series. */
export function fetchNewest(
  sql: Sql,
  domainId: number,
  seriesIds: readonly number[],
  before: number,
): Promise<NewestRow[]> {
  const blocks = Array.from(new Set(seriesIds.map(blockOf)), (block) => ({ block, since: EVER }))
  return fetchNewestRows(sql, domainId, blocks, before, NEWEST_ROWS)
}

/** The last points of some series, as far as they are in blocks. Most of them are. */
export class LatestInBlocks {
  readonly #sql: Sql
  readonly #domainId: number
  readonly #latest: LatestPoints
  readonly #before: number
  /** The series of each block. */
  readonly #series: ReadonlyMap<number, readonly number[]>

  constructor(sql: Sql, domainId: number, latest: LatestPoints, before: number) {
    this.#sql = sql
    this.#domainId = domainId
    this.#latest = latest
    this.#before = before
    this.#series = Map.groupBy(latest.ids, blockOf)
  }

  /** Each block with the earliest time at which an unread point could be later than the known point of its series. */
  get blocks(): KnownBlock[] {
    return Array.from(this.#series, ([block, own]) => ({ block, since: this.#latest.earliest(own) }))
  }

  /**
   * Finds lower bounds for the times of the last points from directories alone, because reading the points takes much
   * longer. Returns whether all series have a bound.
   */
  expect(rows: readonly NewestRow[]): boolean {
    const byBlock = this.#byBlock(rows)
    const isKnown = (seriesId: number) => this.#latest.sinceOf(seriesId) > EVER
    return [...this.#series].every(([block, own]) => {
      for (const row of byBlock.get(block) ?? []) {
        if (own.every(isKnown)) break
        if (row.t1 < this.#before) for (const seriesId of seriesOf(row)) this.#latest.expect(seriesId, row.t0)
      }
      return own.every(isKnown)
    })
  }

  /** Adds points of the newest rows. Returns the blocks that may have other rows with later points. */
  addNewest(rows: readonly NewestRow[]): KnownBlock[] {
    const byBlock = this.#byBlock(rows)
    return [...this.#series].flatMap(([block, own]) => {
      const newest = byBlock.get(block) ?? []
      const unsettled = this.#addRows(own, newest)
      const isSettled = unsettled.length === 0 || newest.length < NEWEST_ROWS
      return isSettled ? [] : [{ block, since: this.#latest.earliest(unsettled) }]
    })
  }

  /** Adds points of all rows of some blocks, except lasting rows. */
  async addOthers(blocks: readonly KnownBlock[]): Promise<void> {
    const rows = await fetchNewestRows(this.#sql, this.#domainId, blocks, this.#before, null)
    for (const [block, newest] of this.#byBlock(rows)) this.#addRows(this.#series.get(block) ?? [], newest)
  }

  /**
   * Adds points of lasting rows. A row is only fetched if it may have a later point of a series than the known one.
   * Returns false if one of them no longer exists.
   */
  async addLasting(rows: readonly LastingRow[]): Promise<boolean> {
    const wanted = new Set(this.#latest.ids)
    let unread = rows
      .toSorted((a, b) => b.t1 - a.t1)
      .map((row) => ({ row, series: seriesOf(row).filter((seriesId) => wanted.has(seriesId)) }))
    for (;;) {
      const next = nextRows(unread, this.#latest)
      if (next.size === 0) return true
      const found = await fetchRowsOfBlocks(this.#sql, this.#domainId, [...next])
      if (found.length < next.size) return false
      for (const segment of found) this.#addRow(segment, wanted)
      unread = unread.filter(({ row }) => !next.has(row))
    }
  }

  /** Rows by their blocks, rows with the latest points first. */
  #byBlock(rows: readonly NewestRow[]): ReadonlyMap<number, readonly NewestRow[]> {
    return Map.groupBy(
      rows.toSorted((a, b) => b.t1 - a.t1),
      ({ block }) => block,
    )
  }

  /** Adds rows from later to earlier ones, while one may have a later point of a series. Returns these series. */
  #addRows(series: readonly number[], rows: readonly NewestRow[]): readonly number[] {
    let unsettled = series
    for (const row of rows) {
      unsettled = unsettled.filter((seriesId) => this.#latest.timeOf(seriesId) <= row.t1)
      if (unsettled.length === 0) break
      this.#addRow(row, new Set(unsettled))
    }
    return unsettled
  }

  #addRow({ series, points }: Segment, wanted: ReadonlySet<number>): void {
    for (const part of partsOf({ series, points, generation: null }, wanted))
      this.#latest.add(part.seriesId, part.points)
  }
}

/** A lasting row, and the searched series that it contains. */
interface SearchedRow {
  readonly row: LastingRow
  readonly series: Float64Array
}

/** For each series, the first row that may have a later point than the known one. */
function nextRows(rows: readonly SearchedRow[], latest: LatestPoints): ReadonlySet<LastingRow> {
  const next = new Set<LastingRow>()
  const found = new Set<number>()
  for (const { row, series } of rows)
    for (const seriesId of series) {
      if (found.has(seriesId) || latest.timeOf(seriesId) > row.t1) continue
      found.add(seriesId)
      next.add(row)
    }
  return next
}

/** All series of a row. */
function seriesOf({ block, series }: Pick<LastingRow, 'block' | 'series'>): Float64Array {
  return decodeStoredDirectory({ series }, `of the block ${block}`).series
}
