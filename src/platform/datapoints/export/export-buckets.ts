import { checkAggregations, type Aggregation } from '../../../datapoints/buckets/aggregate.ts'
import type { Cell } from '../../../datapoints/chunks/point-columns.ts'
import type { Bucket } from '../../../datapoints/buckets/fill.ts'
import { numberText } from '../../../records/values/value.ts'
import { timestampText } from '../../../datapoints/wire/timestamp-text.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { csvCell, type CsvOptions } from './export-csv.ts'
import { labelsOf, type SeriesWithPoints } from './export-points.ts'
import { inPieces, SERIES_FIELDS, type ExportedBuckets } from './exported-part.ts'
import { toSnake } from '../../../lib/letter-case.ts'
import { AnswerBudget, MOST_ANSWER_BYTES } from '../../answer-budget.ts'
import { referenceOf } from '../reading/series/readable-series.ts'
import type { PointReader } from '../reading/stored/point-reader.ts'
import { edgesOf, readBuckets, type BucketQuery } from '../reading/forms/read-buckets.ts'
import { shownFigure } from '../reading/shown-cell.ts'

/** Refuses figures that one of the series cannot have, before the first line is written. */
export function checkExportOfBuckets(
  series: readonly SeriesWithPoints[],
  { aggregations, fill }: Pick<BucketQuery, 'aggregations' | 'fill'>,
): void {
  for (const { kind } of series) checkAggregations(kind, aggregations)
  const isValue = aggregations.some((aggregation) => aggregation === 'first' || aggregation === 'last')
  if (fill === 'linear' && isValue && series.some(({ kind }) => kind === 'boolean' || kind === 'text'))
    throw new HoldfastError(
      'BAD_USER_INPUT',
      'values that are no numbers cannot be interpolated: fill them with previous, null or none',
    )
}

/** The maximum number of characters of texts in the buckets of one series, since they are in memory together. */
const MOST_IN_FLIGHT = 4 * MOST_ANSWER_BYTES

/** Yields the buckets of these series, one series after the other. */
export async function* exportBuckets(
  reader: PointReader,
  series: readonly SeriesWithPoints[],
  query: BucketQuery,
): AsyncGenerator<ExportedBuckets> {
  let edges: Float64Array | undefined
  for (const one of series) {
    edges ??= await edgesOf(query)
    const budget = new AnswerBudget(MOST_IN_FLIGHT)
    const buckets = await readBuckets(reader, referenceOf(one), query, budget, edges)
    yield { series: labelsOf(one), rules: one.rules, buckets }
  }
}

/** The figures without the count, which each bucket has anyway. */
export function figuresOf(aggregations: readonly Aggregation[]): Aggregation[] {
  return [...new Set(aggregations)].filter((aggregation) => aggregation !== 'count')
}

interface BucketsCsvOptions extends CsvOptions {
  readonly aggregations: readonly Aggregation[]
}

/** Writes CSV like `exportCsv`. A missing figure is an empty cell. */
export function exportBucketsCsv(
  parts: AsyncIterable<ExportedBuckets>,
  options: BucketsCsvOptions,
): AsyncGenerator<Uint8Array> {
  return inPieces(csvLines(parts, options))
}

async function* csvLines(
  parts: AsyncIterable<ExportedBuckets>,
  { aggregations, ...options }: BucketsCsvOptions,
): AsyncGenerator<Iterable<string>> {
  const figures = figuresOf(aggregations)
  yield [`${['from', 'to', ...SERIES_FIELDS, 'count', ...figures.map(toSnake)].join(',')}\r\n`]
  for await (const { series, buckets } of parts) {
    const middle = SERIES_FIELDS.map((field) => `,${series[field]}`).join('')
    yield buckets.values().map(({ from, to, count, cells }) => {
      const values = figures.map((name) => `,${figureCell(cells[name] ?? null, options)}`).join('')
      return `${timestampText(from)},${timestampText(to)}${middle},${count}${values}\r\n`
    })
  }
}

function figureCell(cell: Cell, options: CsvOptions): string {
  return cell === null ? '' : csvCell(cell, options)
}

/** Writes one bucket in each line. A missing figure is null. */
export function exportBucketsNdjson(
  parts: AsyncIterable<ExportedBuckets>,
  aggregations: readonly Aggregation[],
): AsyncGenerator<Uint8Array> {
  return inPieces(ndjsonLines(parts, figuresOf(aggregations)))
}

async function* ndjsonLines(
  parts: AsyncIterable<ExportedBuckets>,
  figures: readonly Aggregation[],
): AsyncGenerator<Iterable<string>> {
  for await (const { series, rules, buckets } of parts) {
    const middle = SERIES_FIELDS.map((field) => `,"${field}":"${series[field]}"`).join('')
    yield buckets.values().map((bucket) => {
      const values = figures.map((name) => `,"${toSnake(name)}":${figureJson(bucket, name, rules)}`).join('')
      const times = `"from":"${timestampText(bucket.from)}","to":"${timestampText(bucket.to)}"`
      return `{${times}${middle},"count":${bucket.count}${values}}\n`
    })
  }
}

/** The JSON text of a figure, in the form of the API. */
export function figureJson({ cells }: Bucket, name: Aggregation, rules: ExportedBuckets['rules']): string {
  const cell = cells[name] ?? null
  return Object.is(cell, -0) ? numberText(-0) : JSON.stringify(shownFigure(name, cell, rules))
}
