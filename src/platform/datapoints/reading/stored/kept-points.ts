import type { PointRange, PointReader, SeriesPart, SeriesReference } from './point-reader.ts'

/** Hides points that are not kept any more, so that the time of their deletion does not matter. */
export function keptPoints(reader: PointReader): PointReader {
  return {
    read: (series, range) => readKept(reader, series, range),
    async *stretches(series, range) {
      const from = Math.max(range.from, series.earliest ?? 0)
      if (from < range.to) yield* reader.stretches(series, { ...range, from })
    },
    async latest(series, before) {
      const kept = new Map(await reader.latest(series, before))
      for (const { seriesId, earliest = 0 } of series)
        if ((kept.get(seriesId)?.at ?? earliest) < earliest) kept.delete(seriesId)
      return kept
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
