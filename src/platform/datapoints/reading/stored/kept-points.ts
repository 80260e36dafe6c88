import { lowerBound, sliceColumns } from '../../../../datapoints/chunks/columns.ts'
import type { PointRange, PointReader, SeriesPart, SeriesReference } from './point-reader.ts'

/** Hides points that are not kept any more, so that the time of their deletion does not matter. */
export function keptPoints(reader: PointReader): PointReader {
  return {
    read: (series, range) => readKept(reader, series, range),
    async *stretches(series, range) {
      const from = Math.max(range.from, series.earliest ?? 0)
      if (from < range.to) yield* reader.stretches(series, { ...range, from })
    },
    async latest(series, before, longest) {
      const latest = await reader.latest(series, before, longest)
      const isOld = ({ seriesId, earliest = 0 }: SeriesReference) => (latest.get(seriesId)?.at ?? earliest) < earliest
      const old = new Set(series.filter(isOld).map(({ seriesId }) => seriesId))
      return old.size === 0 ? latest : new Map([...latest].filter(([seriesId]) => !old.has(seriesId)))
    },
  }
}

async function* readKept(
  reader: PointReader,
  series: readonly SeriesReference[],
  range: PointRange,
): AsyncGenerator<SeriesPart> {
  const begin = ({ earliest = 0 }: SeriesReference): number => Math.max(range.from, earliest)
  const kept = series.filter((one) => begin(one) < range.to)
  // A reader that was told how many points are needed must not count those that are not kept.
  const alike = range.limit === undefined ? [kept] : kept.map((one) => [one])
  for (const some of alike) {
    const begins = new Map(some.map((one) => [one.seriesId, begin(one)]))
    const from = begins.values().reduce((earliest, one) => Math.min(earliest, one), range.to)
    for await (const { seriesId, columns } of reader.read(some, { ...range, from })) {
      const start = lowerBound(columns.at, begins.get(seriesId) ?? from)
      if (start < columns.at.length) yield { seriesId, columns: sliceColumns(columns, start, columns.at.length) }
    }
  }
}
