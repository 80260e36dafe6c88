import { blockOf } from '../../../../datapoints/segments/fold-into-blocks.ts'
import type { Segment } from '../../../../datapoints/segments/segment.ts'
import { breather } from '../../../../db/breather.ts'
import type { Sql } from '../../../../db/sql.ts'
import { groupsOfBytes } from '../../../../lib/groups-of-bytes.ts'
import {
  fetchNewestRows,
  fetchRowsOfBlocks,
  listRows,
  type KnownBlock,
  type ListedRow,
  type NewestRow,
} from '../../../../store/datapoints/points/latest-points.ts'
import { EVER } from '../../../../store/datapoints/points/points.ts'
import { decodeStoredDirectory } from '../../damaged-points.ts'
import type { LatestPoints } from './latest-points.ts'
import { partsOf } from './segment-points.ts'

/** The number of rows of each block that are fetched first. Lasting rows are not among them. */
export const NEWEST_ROWS = 4

/** The other rows that are in memory together. */
const AT_ONCE = { most: 1_000, bytes: 16_777_216 } as const

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
  async addNewest(rows: readonly NewestRow[]): Promise<KnownBlock[]> {
    const byBlock = this.#byBlock(rows)
    const breathe = breather()
    const blocks: KnownBlock[] = []
    for (const [block, own] of this.#series) {
      await breathe()
      const newest = byBlock.get(block) ?? []
      const { left, unread } = this.#addRows(own, newest)
      const unsettled = newest.length < NEWEST_ROWS ? unread : [...unread, ...left]
      if (unsettled.length > 0) blocks.push({ block, since: this.#latest.earliest(unsettled) })
    }
    return blocks
  }

  /** Adds points of all rows of some blocks, except lasting rows. Returns false if a row no longer exists. */
  async addOthers(blocks: readonly KnownBlock[]): Promise<boolean> {
    return this.addListed(await listRows(this.#sql, this.#domainId, 'recent', blocks, this.#before))
  }

  /**
   * Adds points of listed rows. A row is only fetched if it may have a later point of a series than the known one: all
   * rows of a thousand blocks have gigabytes. Returns false if one of them no longer exists.
   */
  async addListed(rows: readonly ListedRow[]): Promise<boolean> {
    const wanted = new Set(this.#latest.ids)
    const breathe = breather()
    let unread = rows
      .toSorted((a, b) => b.t1 - a.t1)
      .map((row) => ({ row, series: seriesOf(row).filter((seriesId) => wanted.has(seriesId)) }))
    for (;;) {
      const next = nextRows(unread, this.#latest)
      if (next.size === 0) return true
      for (const some of groupsOfBytes([...next], AT_ONCE)) {
        const found = await fetchRowsOfBlocks(this.#sql, this.#domainId, some)
        if (found.length < some.length) return false
        for (const segment of found) {
          this.#addRow(segment, wanted)
          await breathe()
        }
      }
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

  /**
   * Adds rows from later to earlier ones, while one may have a later point of a series. Returns the series that are
   * left, and those in rows that are too long to be among the newest.
   */
  #addRows(series: readonly number[], rows: readonly NewestRow[]) {
    let left = series
    const unread: number[] = []
    for (const row of rows) {
      left = left.filter((seriesId) => this.#latest.timeOf(seriesId) <= row.t1)
      if (left.length === 0) break
      if (row.points !== null) this.#addRow({ series: row.series, points: row.points }, new Set(left))
      else {
        const own = new Set(seriesOf(row))
        unread.push(...left.filter((seriesId) => own.has(seriesId)))
        left = left.filter((seriesId) => !own.has(seriesId))
      }
    }
    return { left, unread }
  }

  #addRow({ series, points }: Segment, wanted: ReadonlySet<number>): void {
    for (const part of partsOf({ series, points, generation: null }, wanted))
      this.#latest.add(part.seriesId, part.points)
  }
}

/** A row, and the searched series that it contains. */
interface SearchedRow {
  readonly row: ListedRow
  readonly series: Float64Array
}

/** For each series, the first row that may have a later point than the known one. */
function nextRows(rows: readonly SearchedRow[], latest: LatestPoints): ReadonlySet<ListedRow> {
  const next = new Set<ListedRow>()
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
function seriesOf({ block, series }: Pick<ListedRow, 'block' | 'series'>): Float64Array {
  return decodeStoredDirectory({ series }, `of the block ${block}`).series
}
