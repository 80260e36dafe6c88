import type { ValueKind } from '../../records/values/value.ts'
import { microsecondsOf } from '../../datapoints/wire/timestamp.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { toSnake } from '../../lib/letter-case.ts'
import {
  checkExportOfBuckets,
  exportBuckets,
  exportBucketsCsv,
  exportBucketsNdjson,
} from '../../platform/datapoints/export/export-buckets.ts'
import { exportCsv } from '../../platform/datapoints/export/export-csv.ts'
import { exportNdjson } from '../../platform/datapoints/export/export-ndjson.ts'
import { exportPoints, type SeriesWithPoints } from '../../platform/datapoints/export/export-points.ts'
import { referenceOf } from '../../platform/datapoints/reading/series/readable-series.ts'
import { momentOf, withEnd, readingQuery, type ReadingQuery } from '../../platform/datapoints/reading/reading-query.ts'
import type { PointReader } from '../../platform/datapoints/reading/stored/point-reader.ts'
import type { DataPointsQuery } from './data-points-query.ts'

/** Files with any number of series. They contain all points of a range, or the figures of its buckets. */
export const FILE_NAMES = {
  'text/csv': 'datapoints.csv',
  'application/x-ndjson': 'datapoints.ndjson',
  'application/vnd.apache.parquet': 'datapoints.parquet',
} as const

export type FileType = keyof typeof FILE_NAMES

export function mediaType(type: FileType): string {
  return type === 'text/csv' ? 'text/csv; charset=utf-8; header=present' : type
}

export interface DataPointsFile {
  /** The file needs all points before this time. */
  readonly to: number
  /** Rejects figures that a series cannot have. */
  check(series: readonly SeriesWithPoints[]): void
  /** Writes the file. Errors of `check` are thrown before the first byte. */
  write(reader: PointReader, series: readonly SeriesWithPoints[]): AsyncGenerator<Uint8Array>
}

/** Prepares the file. It rejects wrong arguments. */
export function dataPointsFile(
  type: FileType,
  { reading, guardFormulas }: Pick<DataPointsQuery, 'reading' | 'guardFormulas'>,
  now: Date,
): DataPointsFile {
  if (guardFormulas && type !== 'text/csv') throw new HoldfastError('BAD_USER_INPUT', 'guard_formulas is for text/csv')
  const query = readingQuery(reading, now, toSnake)
  if (query.form === 'buckets') return fileOfBuckets(type, guardFormulas, query, now)
  const { from: _, to: __, ...others } = reading
  const given = Object.entries(others).find(([, value]) => value !== undefined)
  if (given !== undefined)
    throw new HoldfastError(
      'BAD_USER_INPUT',
      `a file has all points of a range, without ${toSnake(given[0])}; accept JSON`,
    )
  return {
    to: momentOf(query),
    check: () => undefined,
    write: (reader, series) => fileOfPoints(type, guardFormulas, query, series, reader),
  }
}

function fileOfPoints(
  type: FileType,
  guardFormulas: boolean,
  query: ReadingQuery,
  series: readonly SeriesWithPoints[],
  reader: PointReader,
): AsyncGenerator<Uint8Array> {
  const parts = exportPoints(reader, series, query)
  if (type === 'text/csv') return exportCsv(parts, { guardFormulas })
  if (type === 'application/x-ndjson') return exportNdjson(parts)
  return parquetOfPoints(parts, new Set(series.map(({ kind }) => kind)))
}

/** The packages for Parquet are loaded with the first such file, and not at the start. */
async function* parquetOfPoints(
  parts: ReturnType<typeof exportPoints>,
  kinds: ReadonlySet<ValueKind>,
): AsyncGenerator<Uint8Array> {
  const { exportParquet } = await import('../../platform/datapoints/export/export-parquet.ts')
  yield* exportParquet(parts, { kinds })
}

function fileOfBuckets(
  type: FileType,
  guardFormulas: boolean,
  query: Extract<ReadingQuery, { form: 'buckets' }>,
  now: Date,
): DataPointsFile {
  const { aggregations, fill } = query
  const check = (series: readonly SeriesWithPoints[]): ValueKind => {
    checkExportOfBuckets(series, query)
    return type === 'application/vnd.apache.parquet' ? onlyKindOf(series) : 'float'
  }
  return {
    to: momentOf(query),
    check,
    async *write(reader, series) {
      const kind = check(series)
      const asked = await withEnd(reader, series.map(referenceOf), query)
      const knownUntil = Math.max(microsecondsOf(now), query.isOpen === true ? asked.to : 0)
      const parts = exportBuckets(reader, series, { ...asked, now: knownUntil })
      if (type === 'text/csv') yield* exportBucketsCsv(parts, { aggregations, guardFormulas })
      else if (type === 'application/x-ndjson') yield* exportBucketsNdjson(parts, aggregations)
      else {
        const { exportBucketsParquet } = await import('../../platform/datapoints/export/export-buckets-parquet.ts')
        yield* exportBucketsParquet(parts, { kind, aggregations, fill })
      }
    },
  }
}

function onlyKindOf(series: readonly SeriesWithPoints[]): ValueKind {
  const [kind = 'float', ...others] = new Set(series.map((one) => one.kind))
  if (others.length === 0) return kind
  throw new HoldfastError(
    'BAD_USER_INPUT',
    `a column has one type, and these series have values of several: ${[kind, ...others].join(', ')}; ask for them one kind at a time, or accept text/csv`,
  )
}
