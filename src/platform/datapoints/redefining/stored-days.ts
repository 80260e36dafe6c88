import { decodeChunk, type GeneratedColumns } from '../../../datapoints/chunks/chunk.ts'
import type { Columns } from '../../../datapoints/chunks/columns.ts'
import { joinGenerated, mergePoints } from '../../../datapoints/chunks/merge-points.ts'
import { DAY } from '../../../datapoints/chunks/pack-series.ts'
import type { ValueKind } from '../../../datapoints/rules/value.ts'
import type { SeriesOrigin, StoredChunkOf, StoredHotPoint } from '../../../store/datapoints/stored-values.ts'
import { hotColumns } from '../reading/read-points.ts'

/** The points of one series and one day (UTC), each time once. Overwritten points do not count. */
export interface StoredDay {
  readonly origin: SeriesOrigin
  readonly columns: Columns
}

export type KindOf = (characteristic: string) => ValueKind

/** Decodes at most one day of one series at once. Chunks come series by series, oldest first. */
export async function* storedDays(
  chunks: AsyncIterable<readonly StoredChunkOf[]>,
  hot: readonly StoredHotPoint[],
  kindOf: KindOf,
): AsyncGenerator<StoredDay> {
  const hotDays = Map.groupBy(hot, ({ seriesId, at }) => nameOf(seriesId, at))
  let day: StoredChunkOf[] = []
  for await (const batch of chunks) {
    for (const chunk of batch) {
      const [first] = day
      if (first !== undefined && nameOf(first.seriesId, first.t0) !== nameOf(chunk.seriesId, chunk.t0)) {
        yield* merged(day, hotDays, kindOf)
        day = []
      }
      day.push(chunk)
    }
  }
  yield* merged(day, hotDays, kindOf)
  for (const points of hotDays.values()) yield* mergedHot(points, kindOf)
}

function nameOf(seriesId: number, at: number): string {
  return `${seriesId}/${Math.floor(at / DAY)}`
}

function* merged(
  day: readonly StoredChunkOf[],
  hotDays: Map<string, StoredHotPoint[]>,
  kindOf: KindOf,
): Generator<StoredDay> {
  const [origin] = day
  if (origin === undefined) return
  const name = nameOf(origin.seriesId, origin.t0)
  const kind = kindOf(origin.key)
  const hot = hotDays.get(name) ?? []
  hotDays.delete(name)
  yield dayOf(origin, [...day.map(({ points }) => decodeChunk(points, kind)), hotColumns(hot, kind)])
}

function* mergedHot(points: readonly StoredHotPoint[], kindOf: KindOf): Generator<StoredDay> {
  const [origin] = points
  if (origin !== undefined) yield dayOf(origin, [hotColumns(points, kindOf(origin.key))])
}

/** Points that are not folded come last, because the last point of a flush counts. */
function dayOf(origin: SeriesOrigin, parts: readonly GeneratedColumns[]): StoredDay {
  return { origin, columns: mergePoints(joinGenerated(parts)) }
}
