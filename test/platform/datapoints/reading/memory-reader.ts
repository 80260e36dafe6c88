import {
  cellAt,
  lowerBound,
  sliceColumns,
  kindOf,
  type Before,
  type Columns,
} from '../../../../src/datapoints/chunks/point-columns.ts'
import type {
  PointReader,
  SeriesPart,
  SeriesReference,
} from '../../../../src/platform/datapoints/reading/stored/point-reader.ts'

/** Points in memory, given in parts of so many points. */
export function memoryReader(stored: ReadonlyMap<number, Columns>, partLength = 7): PointReader {
  return {
    async *read(series, { from, to, order }) {
      for (const { seriesId } of series) {
        const parts = partsOf(seriesId, stored.get(seriesId), from, to, partLength)
        yield* order === 'oldest first' ? parts : parts.toReversed()
      }
    },
    async *stretches({ seriesId }, { from, to }) {
      for (const { columns } of partsOf(seriesId, stored.get(seriesId), from, to, partLength)) yield [columns]
    },
    latest: (series, before) => Promise.resolve(latestOf(stored, series, before)),
  }
}

function partsOf(
  seriesId: number,
  columns: Columns | undefined,
  from: number,
  to: number,
  length: number,
): SeriesPart[] {
  if (columns === undefined) return []
  const inside = sliceColumns(columns, lowerBound(columns.at, from), lowerBound(columns.at, to))
  const count = Math.ceil(inside.at.length / length)
  return Array.from({ length: count }, (_, index) => ({
    seriesId,
    columns: sliceColumns(inside, index * length, Math.min((index + 1) * length, inside.at.length)),
  }))
}

function latestOf(
  stored: ReadonlyMap<number, Columns>,
  series: readonly SeriesReference[],
  before: number,
): ReadonlyMap<number, Before> {
  const found = series.flatMap(({ seriesId }): [number, Before][] => {
    const columns = stored.get(seriesId)
    const place = columns === undefined ? 0 : lowerBound(columns.at, before)
    return columns === undefined || place === 0
      ? []
      : [[seriesId, { at: columns.at[place - 1] ?? 0, value: cellAt(columns.values, place - 1) }]]
  })
  return new Map(found)
}

/** A reader of one series, and how to ask for it. */
export function oneSeries(columns: Columns): readonly [PointReader, SeriesReference] {
  return [memoryReader(new Map([[1, columns]])), { seriesId: 1, kind: kindOf(columns.values) }]
}
