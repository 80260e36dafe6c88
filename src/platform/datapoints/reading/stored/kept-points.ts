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
  for (const one of series) {
    const from = Math.max(range.from, one.earliest ?? 0)
    if (from < range.to) yield* reader.read([one], { ...range, from })
  }
}
