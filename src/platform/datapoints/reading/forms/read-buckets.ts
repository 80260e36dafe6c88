import {
  Aggregator,
  canBeSummed,
  checkAggregations,
  type Aggregation,
} from '../../../../datapoints/buckets/aggregate.ts'
import { bucketEdges } from '../../../../datapoints/buckets/buckets.ts'
import { parseInterval, type Interval } from '../../../../datapoints/buckets/calendar.ts'
import { fillBuckets, type Bucket, type Fill } from '../../../../datapoints/buckets/fill.ts'
import { charactersOfCell } from '../../../../datapoints/chunks/point-columns.ts'
import { AnswerBudget } from '../../../answer-budget.ts'
import type { PointReader, SeriesPart, SeriesReference, StretchRange } from '../stored/point-reader.ts'
import { inTurns } from '../../../../db/breather.ts'
import { READING_LIMITS, tooManyValues } from '../reading-limits.ts'
import { isSummary } from '../stored/divide-by-summaries.ts'

export interface BucketQuery {
  readonly from: number
  readonly to: number
  /** An ISO 8601 duration. */
  readonly interval: string
  readonly timeZone: string
  readonly aggregations: readonly Aggregation[]
  readonly fill: Fill
  /** The last value is assumed to hold until this time. */
  readonly now: number
}

export interface ReadBuckets {
  readonly buckets: readonly Bucket[]
  /** The time of the last point in them; null if there is none. */
  readonly lastAt: number | null
}

/** The edges of the buckets (`bucketEdges`), which are the same for all series. */
export function edgesOf({ interval, timeZone, from, to }: BucketQuery): Promise<Float64Array> {
  const limit = READING_LIMITS.buckets
  return inTurns(bucketEdges({ interval: parseInterval(interval), timeZone, from, to, limit }))
}

export async function readBuckets(...asked: Parameters<typeof readBucketsAndEnd>): Promise<readonly Bucket[]> {
  return (await readBucketsAndEnd(...asked)).buckets
}

/**
 * Computes the figures of each bucket. Points are read one after the other. Of summarized points only the summary is
 * read, so a range of any length fits into memory. Text figures must fit into the budget, which does not change.
 * `known` are the edges, if several series share them.
 */
export async function readBucketsAndEnd(
  reader: PointReader,
  series: SeriesReference,
  query: BucketQuery,
  budget = new AnswerBudget(),
  known?: Float64Array,
): Promise<ReadBuckets> {
  const { from, to, aggregations, fill, now } = query
  checkAggregations(series.kind, aggregations)
  const edges = known ?? (await edgesOf(query))
  const before = needsBefore(query) ? (await reader.latest([series], from)).get(series.seriesId) : undefined
  const aggregator = new Aggregator({ kind: series.kind, edges, aggregations, before, knownUntil: now })
  if (canBeSummed(series.kind, aggregations))
    await addStretches(aggregator, reader, series, { from, to, edges, grain: grainOf(parseInterval(query.interval)) })
  else await addPoints(aggregator, reader.read([series], { from, to, order: 'oldest first' }), budget)
  return { buckets: fillBuckets(aggregator.finish(), fill, before), lastAt: aggregator.lastAt }
}

/** The characters of texts, counted for each occurrence in the answer. A text may fill later buckets, too. */
export function charactersOfBuckets(buckets: readonly Bucket[]): number {
  let characters = 0
  for (const { cells } of buckets) for (const cell of Object.values(cells)) characters += charactersOfCell(cell)
  return characters
}

/** Few chunks cross the edges of long buckets. So summaries of whole chunks are enough, and take less to read. */
function grainOf({ unit, count }: Interval): StretchRange['grain'] {
  return unit === 'months' || (unit === 'days' && count >= 7) ? 'chunk' : 'hour'
}

async function addStretches(
  aggregator: Aggregator,
  reader: PointReader,
  series: SeriesReference,
  range: StretchRange,
): Promise<void> {
  for await (const stretches of reader.stretches(series, range)) {
    for (const stretch of stretches) {
      if (isSummary(stretch)) aggregator.addSummary(stretch)
      else aggregator.add(stretch)
    }
  }
}

async function addPoints(
  aggregator: Aggregator,
  parts: AsyncIterable<SeriesPart>,
  budget: AnswerBudget,
): Promise<void> {
  let held = 0
  try {
    for await (const { columns } of parts) {
      aggregator.add(columns)
      budget.check(aggregator.characters)
      budget.held += aggregator.held - held
      held = aggregator.held
      if (budget.held > READING_LIMITS.curve) throw tooManyValues()
    }
  } finally {
    budget.held -= held
  }
}

const LOOKING_BACK: readonly Aggregation[] = ['timeWeightedAvg', 'delta', 'changes']

function needsBefore({ aggregations, fill }: BucketQuery): boolean {
  return fill === 'previous' || aggregations.some((aggregation) => LOOKING_BACK.includes(aggregation))
}
