import { withoutErased, type Erased } from '../../../datapoints/chunks/erased.ts'
import { packSeries, type ChunkRow } from '../../../datapoints/chunks/pack-series.ts'
import { blockOf } from '../../../datapoints/segments/fold-into-blocks.ts'
import { encodeSegment } from '../../../datapoints/segments/segment.ts'
import { breather } from '../../../db/breather.ts'
import type { Database, Sql, Transaction } from '../../../db/sql.ts'
import { Attempts } from '../../../lib/attempts.ts'
import { groupsOfBytes } from '../../../lib/groups-of-bytes.ts'
import {
  deleteChunks,
  deleteErasedChunks,
  deleteErasedRanges,
  fetchColdRanges,
  holdErasedChunks,
  holdErasedRanges,
  holdErasedRows,
  type ErasedChunk,
  type RangeOfSeries,
} from '../../../store/datapoints/erasing.ts'
import {
  deleteBlockRow,
  fetchHeldRow,
  replaceBlockRow,
  type HeldPlace,
} from '../../../store/datapoints/packed/blocks.ts'
import { encodeChunkRows, insertChunks } from '../../../store/datapoints/packed/chunks.ts'
import { listDomainsIn } from '../../../store/across-domains.ts'
import { inEachDomain } from '../../../store/nodes-of-domains.ts'
import { fetchPointsOfChunks } from '../../../store/datapoints/points/stored-values.ts'
import { decodeStored, decodeStoredDirectory, decodeStoredSegment } from '../damaged-points.ts'
import { withFreeKeys } from '../folding/failed-merges.ts'

// Deleted points are invisible from the commit of their deletion on. This removes them from blocks and chunks, and then
// the ranges that hide them (docs/decisions/0074). Several processes may do so at once, and any step may be repeated.

const RANGES_AT_ONCE = 10_000
/** The maximum number of chunks that one statement deletes. */
const CHUNKS_OF_STEP = 1_000
/** The chunks and bytes that are in memory together. */
const AT_ONCE = { most: 40, bytes: 16_777_216 } as const

/** The erased ranges by series. */
type ErasedSeries = ReadonlyMap<number, Erased>

/**
 * The series with points that could not be decoded. Their ranges stay, and hide these points if somebody repairs them.
 */
class Damaged {
  readonly series = new Set<number>()
  readonly #attempts = new Attempts()

  /** Decodes points of these series; null if that fails. A failed statement would end the transaction. */
  async decode<T>(seriesIds: Iterable<number>, decode: () => T): Promise<T | null> {
    const decoded = await this.#attempts.make(async () => decode())
    if (decoded === null) for (const seriesId of seriesIds) this.series.add(seriesId)
    return decoded
  }

  /** Throws the errors, after the transaction. */
  end(): void {
    this.#attempts.end()
  }
}

/** Removes erased points, block by block. If a block or a domain fails, the others continue. */
export async function eraseDatapoints(database: Database, signal?: AbortSignal): Promise<void> {
  const attempts = new Attempts()
  const domainIds = await listDomainsIn(database, 'erased_ranges')
  await inEachDomain(database, domainIds, attempts, (domainId) => eraseFromDomain(database, domainId, signal))
  attempts.end()
}

async function eraseFromDomain(database: Database, domainId: number, signal: AbortSignal | undefined): Promise<void> {
  const attempts = new Attempts()
  for await (const ranges of pagesOf(database, domainId))
    for (const [block, own] of Map.groupBy(ranges, ({ seriesId }) => blockOf(seriesId))) {
      if (signal?.aborted === true) return attempts.end()
      await attempts.make(() => eraseFromBlock(database, domainId, block, own))
    }
  attempts.end()
}

async function* pagesOf(database: Database, domainId: number): AsyncGenerator<readonly RangeOfSeries[]> {
  for (let after = 0; ;) {
    const ranges = await fetchColdRanges(database, domainId, after, RANGES_AT_ONCE)
    yield ranges
    const last = ranges.at(-1)
    if (last === undefined || ranges.length < RANGES_AT_ONCE) return
    after = last.seriesId
  }
}

/**
 * Removes the points of a block and of the chunks of its series. Points move from hot tables to blocks and then to chunks,
 * and these ranges have no hot points. So when all rows and then all chunks were locked and looked at, no point is left.
 */
async function eraseFromBlock(
  database: Database,
  domainId: number,
  block: number,
  listed: readonly RangeOfSeries[],
): Promise<void> {
  let deleted = CHUNKS_OF_STEP
  while (deleted === CHUNKS_OF_STEP) deleted = await deleteErasedChunks(database, domainId, listed, CHUNKS_OF_STEP)
  const all = await withFreeKeys((raised) =>
    database.transaction(async (sql) => {
      const damaged = new Damaged()
      const ranges = await holdErasedRanges(sql, domainId, listed)
      if (ranges.length === 0) return damaged
      const erased: ErasedSeries = Map.groupBy(ranges, ({ seriesId }) => seriesId)
      const { rows, areAll: areAllRows } = await holdErasedRows(sql, domainId, block, extentOf(ranges))
      await eraseFromRows(sql, domainId, block, rows, erased, damaged)
      const { chunks, areAll: areAllChunks } = await holdErasedChunks(sql, domainId, ranges)
      for (const some of groupsOfBytes(chunks, AT_ONCE))
        await eraseFromChunks(sql, domainId, some, erased, damaged, raised)
      const done = ranges.filter(({ seriesId }) => !damaged.series.has(seriesId))
      if (areAllRows && areAllChunks) await deleteErasedRanges(sql, domainId, done)
      return damaged
    }),
  )
  all.end()
}

function extentOf(ranges: readonly RangeOfSeries[]): { readonly from: number; readonly to: number } {
  return ranges.reduce((all, { from, to }) => ({ from: Math.min(all.from, from), to: Math.max(all.to, to) }), {
    from: Infinity,
    to: -Infinity,
  })
}

async function eraseFromRows(
  sql: Sql,
  domainId: number,
  block: number,
  rows: readonly HeldPlace[],
  erased: ErasedSeries,
  damaged: Damaged,
): Promise<void> {
  const giveWay = breather()
  const place = `of the block ${block}`
  for (const held of rows) {
    await giveWay()
    const series = (await damaged.decode(erased.keys(), () => decodeStoredDirectory(held, place)))?.series ?? []
    if (!series.some((seriesId) => erased.has(seriesId))) continue
    for (const row of await fetchHeldRow(sql, domainId, block, held)) {
      const parts = await damaged.decode(series, () => decodeStoredSegment(row, undefined, place))
      if (parts === null) continue
      const left = parts
        .map((part) => ({ ...part, points: withoutErased(part.points, erased.get(part.seriesId)) }))
        .filter(({ points }) => points.at.length > 0)
      const count = left.reduce((sum, { points }) => sum + points.at.length, 0)
      if (count === 0) await deleteBlockRow(sql, domainId, block, row)
      else if (count < row.count) await replaceBlockRow(sql, domainId, block, row, encodeSegment(left))
    }
  }
}

async function eraseFromChunks(
  sql: Transaction,
  domainId: number,
  chunks: readonly ErasedChunk[],
  erased: ErasedSeries,
  damaged: Damaged,
  raised: number,
): Promise<void> {
  const giveWay = breather()
  const packed = await fetchPointsOfChunks(sql, domainId, chunks)
  const gone: ErasedChunk[] = []
  const rows: ChunkRow[] = []
  for (const [index, chunk] of chunks.entries()) {
    await giveWay()
    const points = await damaged.decode([chunk.seriesId], () =>
      decodeStored(chunk, packed[index] ?? new Uint8Array(), chunk.kind),
    )
    if (points === null) continue
    const left = withoutErased(points, erased.get(chunk.seriesId))
    if (left === points) continue
    gone.push(chunk)
    const repacked = packSeries({ ...chunk, domainId }, left, { compress: true, joinsDays: true })
    rows.push(...repacked.map((row) => ({ ...row, generation: row.generation + raised })))
  }
  if (gone.length === 0) return
  await deleteChunks(sql, domainId, gone)
  if (rows.length > 0) await insertChunks(sql, encodeChunkRows(rows))
}
