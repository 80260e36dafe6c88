import { generationAt, type GeneratedColumns } from '../../../datapoints/chunks/chunk.ts'
import { hasErased, type ErasedRange } from '../../../datapoints/chunks/erased.ts'
import { lowerBound } from '../../../datapoints/chunks/point-columns.ts'
import { blockOf, SERIES_OF_BLOCK } from '../../../datapoints/segments/fold-into-blocks.ts'
import { breather } from '../../../db/breather.ts'
import type { Database } from '../../../db/sql.ts'
import { beginBlocksOfSeries, readChunksOfSeries } from '../../../store/datapoints/erasable-points.ts'
import { fetchHotSegments, LOCK_OF_HOT_POINTS } from '../../../store/datapoints/points/points.ts'
import { fetchBlockValues } from '../../../store/datapoints/points/stored-values.ts'
import {
  fetchSeriesAmong,
  type ChunkOfRange,
  type SeriesOfCharacteristic,
} from '../../../store/datapoints/retention.ts'
import { readDomainFrom } from '../../../store/domains.ts'
import { DamagedPoints } from '../damaged-points.ts'
import { packedPoints, piecesOf } from '../parts/points-of-parts.ts'
import { readBlocks, storedParts, type StoredPart } from '../parts/stored-parts.ts'
import { segmentPoints } from '../reading/stored/segment-points.ts'
import { DamagedCount } from './damaged-count.ts'

type Part = StoredPart<SeriesOfCharacteristic, ChunkOfRange>

interface Erasable {
  readonly seriesIds: readonly number[]
  readonly range: ErasedRange
}

/**
 * Counts the points that a deletion of a range would delete, in one snapshot. A point that was overwritten counts once.
 * Points that cannot be read count as often as they are stored, also those outside of the range.
 */
export async function countErasable(database: Database, domainId: number, erasable: Erasable): Promise<number> {
  try {
    return await countIn(database, domainId, erasable, null)
  } catch (error) {
    if (!(error instanceof DamagedPoints)) throw error
    return countIn(database, domainId, erasable, new DamagedCount(new Set(erasable.seriesIds)))
  }
}

/** If `damaged` is null, points that cannot be read are an error. */
function countIn(
  database: Database,
  domainId: number,
  { seriesIds, range }: Erasable,
  damaged: DamagedCount | null,
): Promise<number> {
  if (seriesIds.length === 0) return Promise.resolve(0)
  return readDomainFrom(
    database,
    domainId,
    { lock: LOCK_OF_HOT_POINTS },
    (sql) =>
      Promise.all([
        fetchSeriesAmong(sql, domainId, seriesIds),
        fetchHotSegments(sql, domainId, seriesIds, range.to),
      ] as const),
    async (sql, [origins, segments]) => {
      const hot = { origins, points: await segmentPoints(damaged?.readable(segments) ?? segments, new Set(seriesIds)) }
      const byBlock = Map.groupBy(origins, ({ seriesId }) => blockOf(seriesId))
      await beginBlocksOfSeries(sql, domainId, seriesIds, range)
      const blocks = readBlocks(damaged?.readableRows(fetchBlockValues(sql)) ?? fetchBlockValues(sql), ({ from }) =>
        Promise.resolve(byBlock.get(from / SERIES_OF_BLOCK) ?? []),
      )
      const giveWay = breather()
      let count = 0
      for await (const parts of storedParts(readChunksOfSeries(sql, domainId, seriesIds, range), { hot, blocks })) {
        await giveWay()
        count += parts.reduce((sum, part) => sum + (countOfAlone(part, range) ?? 0), 0)
        const open = parts.filter((part) => countOfAlone(part, range) === null)
        let packed = packedPoints(sql, domainId, open)
        for (const [index, part] of open.entries())
          try {
            let own = 0
            for await (const points of piecesOf(part, packed)) {
              own += countWithin(points, range)
              await giveWay()
            }
            count += own
          } catch (error) {
            if (damaged === null || !(error instanceof DamagedPoints)) throw error
            count += countOfDamaged(part)
            packed = packedPoints(sql, domainId, open.slice(index + 1))
          }
      }
      return count + (damaged?.count ?? 0)
    },
  )
}

function countOfDamaged({ chunks, others }: Part): number {
  return chunks.reduce((sum, chunk) => sum + chunk.count, others?.at.length ?? 0)
}

/** The count of a chunk that nothing else overlaps and that lies in the range as a whole; null if points must be read. */
function countOfAlone({ origin, chunks, others }: Part, { from, to, through }: ErasedRange): number | null {
  const [chunk, overlapping] = chunks
  const isAlone = chunk !== undefined && overlapping === undefined && others === null && !hasErased(origin.erased)
  return isAlone && chunk.t0 >= from && chunk.t1 < to && chunk.generation <= through ? chunk.count : null
}

function countWithin(points: GeneratedColumns, { from, to, through }: ErasedRange): number {
  const end = lowerBound(points.at, to)
  let count = 0
  for (let index = lowerBound(points.at, from); index < end; index++)
    if (generationAt(points, index) <= through) count++
  return count
}
