import type { Bucket } from '../../datapoints/fill.ts'
import { cellAt, type Before } from '../../datapoints/columns.ts'
import type { Run } from '../../datapoints/state-changes.ts'
import type { ReadableSeries } from './find-series.ts'
import type { PointReader, SeriesReference } from './point-reader.ts'
import { readBuckets } from './read-buckets.ts'
import { readPage } from './read-page.ts'
import { readCurve, readStates } from './read-thinned.ts'
import { microseconds, type ReadingQuery } from './reading-query.ts'

/** One of these, by what was asked for: a curve is points, a state is runs. */
export type Reading =
  | { readonly form: 'page'; readonly points: readonly Before[]; readonly hasNextPage: boolean }
  | { readonly form: 'curve'; readonly points: readonly Before[] }
  | { readonly form: 'buckets'; readonly buckets: readonly Bucket[] }
  | { readonly form: 'states'; readonly states: readonly Run[] }

/** Nothing is there to be read of a series that no point has come for; what is asked for is checked all the same. */
const NO_POINTS: PointReader = {
  async *read() {},
  latest: () => Promise.resolve(new Map()),
}

const NO_SERIES = 0

export async function readDatapoints(
  reader: PointReader,
  series: ReadableSeries,
  query: ReadingQuery,
  now: Date,
): Promise<Reading> {
  const source = series.id === null ? NO_POINTS : reader
  const reference = { seriesId: series.id ?? NO_SERIES, kind: series.kind }
  if (query.form === 'page') return { form: 'page', ...(await readPage(source, reference, query)) }
  if (query.form === 'thinned') return readThinned(source, reference, query)
  return { form: 'buckets', buckets: await readBuckets(source, reference, { ...query, now: microseconds(now) }) }
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

/** The last point of each series that has one, in one question. */
export async function readLatest(
  reader: PointReader,
  series: readonly ReadableSeries[],
  before: number,
): Promise<LatestPoint[]> {
  const references = series.flatMap(({ id, kind }) => (id === null ? [] : [{ seriesId: id, kind }]))
  const found = await reader.latest(references, before)
  return series.flatMap((one) => {
    const point = found.get(one.id ?? NO_SERIES)
    return point === undefined ? [] : [{ series: one, point }]
  })
}
