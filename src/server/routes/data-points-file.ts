import { microsecondsOf } from '../../datapoints/wire/timestamp.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { toSnake } from '../../lib/snake-case.ts'
import {
  checkExportOfBuckets,
  exportBuckets,
  exportBucketsCsv,
  exportBucketsNdjson,
} from '../../platform/datapoints/export/export-buckets.ts'
import { exportBucketsParquet } from '../../platform/datapoints/export/export-buckets-parquet.ts'
import { exportCsv } from '../../platform/datapoints/export/export-csv.ts'
import { exportNdjson } from '../../platform/datapoints/export/export-ndjson.ts'
import { exportParquet } from '../../platform/datapoints/export/export-parquet.ts'
import { exportPoints, type SeriesWithPoints } from '../../platform/datapoints/export/export-points.ts'
import type { PointReader } from '../../platform/datapoints/reading/point-reader.ts'
import { readingQuery, type ReadingQuery } from '../../platform/datapoints/reading/reading-query.ts'
import type { DataPointsQuery } from './data-points-query.ts'

/** Files with any number of series: all points of a range, or the figures of its buckets. */
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
  /** The end of the range. */
  readonly to: number
  write(reader: PointReader): AsyncGenerator<Uint8Array>
}

/** Makes the file. Wrong arguments are refused here, before anything is written. */
export function dataPointsFile(
  type: FileType,
  { reading, guardFormulas }: Pick<DataPointsQuery, 'reading' | 'guardFormulas'>,
  series: readonly SeriesWithPoints[],
  now: Date,
): DataPointsFile {
  if (guardFormulas && type !== 'text/csv') throw new HoldfastError('BAD_USER_INPUT', 'guard_formulas is for text/csv')
  const query = readingQuery(reading, now, toSnake)
  if (query.form === 'buckets') return fileOfBuckets(type, guardFormulas, query, series, now)
  const { from: _, to: __, ...others } = reading
  const given = Object.entries(others).find(([, value]) => value !== undefined)
  if (given !== undefined)
    throw new HoldfastError(
      'BAD_USER_INPUT',
      `a file has all points of a range, without ${toSnake(given[0])}; accept JSON`,
    )
  return { to: query.to, write: (reader) => fileOfPoints(type, guardFormulas, query, series, reader) }
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
  return exportParquet(parts, { kinds: new Set(series.map(({ kind }) => kind)) })
}

function fileOfBuckets(
  type: FileType,
  guardFormulas: boolean,
  query: Extract<ReadingQuery, { form: 'buckets' }>,
  series: readonly SeriesWithPoints[],
  now: Date,
): DataPointsFile {
  checkExportOfBuckets(series, query)
  const { aggregations, fill } = query
  const [kind = 'float', ...others] = new Set(series.map((one) => one.kind))
  if (type === 'application/vnd.apache.parquet' && others.length > 0)
    throw new HoldfastError(
      'BAD_USER_INPUT',
      `a column has one type, and these series have values of several: ${[kind, ...others].join(', ')}; ask for them one kind at a time, or accept text/csv`,
    )
  return {
    to: query.to,
    write(reader) {
      const parts = exportBuckets(reader, series, { ...query, now: microsecondsOf(now) })
      if (type === 'text/csv') return exportBucketsCsv(parts, { aggregations, guardFormulas })
      if (type === 'application/x-ndjson') return exportBucketsNdjson(parts, aggregations)
      return exportBucketsParquet(parts, { kind, aggregations, fill })
    },
  }
}
