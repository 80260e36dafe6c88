import { microsecondsOf } from '../../../datapoints/wire/timestamp.ts'
import type { Bucket } from '../../../datapoints/buckets/fill.ts'
import { cellAt, type Before } from '../../../datapoints/chunks/columns.ts'
import type { Run } from '../../../datapoints/buckets/state-changes.ts'
import type { DomainContext } from '../../domain-context.ts'
import { referenceOf, type ReadableSeries } from './find-series.ts'
import { readAtOneMoment } from './moment-reader.ts'
import type { PointReader, SeriesReference } from './point-reader.ts'
import { readBuckets } from './read-buckets.ts'
import { readPage } from './read-page.ts'
import { readCurve } from './read-curve.ts'
import { readStates } from './read-states.ts'
import { type ReadingQuery } from './reading-query.ts'
import { storedPointReader } from './stored-point-reader.ts'

/** The answer in one of these forms, depending on what was asked for: a curve has points, and a state has runs. */
export type Reading =
  | { readonly form: 'page'; readonly points: readonly Before[]; readonly hasNextPage: boolean }
  | { readonly form: 'curve'; readonly points: readonly Before[] }
  | { readonly form: 'buckets'; readonly buckets: readonly Bucket[] }
  | { readonly form: 'states'; readonly states: readonly Run[] }

/** A reader for series without points. The query is checked all the same. */
const NO_POINTS: PointReader = {
  async *read() {},
  async *stretches() {},
  latest: () => Promise.resolve(new Map()),
}

const NO_SERIES = 0

type Context = Pick<DomainContext, 'database' | 'domain'>

/** Reads a series as it is at one moment. */
export function readDatapoints(
  { database, domain }: Context,
  series: ReadableSeries,
  query: ReadingQuery,
  now: Date,
): Promise<Reading> {
  const { id, kind } = series
  if (id === null) return readSeries(NO_POINTS, { seriesId: NO_SERIES, kind }, query, now)
  const reference = referenceOf({ ...series, id })
  return readAtOneMoment(database, domain.id, [reference], query.to, (reader) =>
    readSeries(reader, reference, query, now),
  )
}

async function readSeries(
  reader: PointReader,
  series: SeriesReference,
  query: ReadingQuery,
  now: Date,
): Promise<Reading> {
  if (query.form === 'page') return { form: 'page', ...(await readPage(reader, series, query)) }
  if (query.form === 'thinned') return readThinned(reader, series, query)
  return { form: 'buckets', buckets: await readBuckets(reader, series, { ...query, now: microsecondsOf(now) }) }
}

async function readThinned(
  reader: PointReader,
  series: SeriesReference,
  query: Extract<ReadingQuery, { form: 'thinned' }>,
): Promise<Reading> {
  if (series.kind !== 'float' && series.kind !== 'integer')
    return { form: 'states', states: await readStates(reader, series, query) }
  const curve = await readCurve(reader, series, query)
  const points = Array.from(curve?.at ?? [], (at, index) => ({ at, value: cellAt(curve?.values ?? [], index) }))
  return { form: 'curve', points }
}

export interface LatestPoint {
  readonly series: ReadableSeries
  readonly point: Before
}

/** The last point of each series that has one, by a single query. */
export async function readLatest(
  { database, domain }: Context,
  series: readonly ReadableSeries[],
  before: number,
): Promise<LatestPoint[]> {
  const references = series.flatMap((one) => (one.id === null ? [] : [referenceOf({ ...one, id: one.id })]))
  const found = await storedPointReader(database, domain.id).latest(references, before)
  return series.flatMap((one) => {
    const point = found.get(one.id ?? NO_SERIES)
    return point === undefined ? [] : [{ series: one, point }]
  })
}
