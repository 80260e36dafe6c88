import { microsecondsOf } from '../../../datapoints/wire/timestamp.ts'
import { cellAt, type Before, charactersOfCell } from '../../../datapoints/chunks/point-columns.ts'
import { type Run, StateChanges } from '../../../datapoints/buckets/state-changes.ts'
import { AnswerBudget } from '../../answer-budget.ts'
import type { DomainContext } from '../../domain-context.ts'
import type { Sql } from '../../../db/sql.ts'
import type { SeriesFilter } from '../../../store/datapoints/series/readable-series.ts'
import type { Reach } from '../../systems/reach.ts'
import { ofDataType } from './series/typed-series.ts'
import { findAll, findSeries, type SeriesName } from './series/find-series.ts'
import { referenceOf, referencesOf, type ReadableSeries } from './series/readable-series.ts'
import { readAtOneMoment } from './stored/moment-reader.ts'
import type { PointReader, SeriesReference } from './stored/point-reader.ts'
import { charactersOfBuckets, readBucketsAndEnd, type ReadBuckets } from './forms/read-buckets.ts'
import { readPage } from './forms/read-page.ts'
import { readCurve, type CurveQuery } from './forms/read-curve.ts'
import { momentOf, withEnd, END_OF_TIME, type ReadingQuery } from './reading-query.ts'
import { checkCount, READING_LIMITS } from './reading-limits.ts'

/** The answer in one of these forms, depending on the query. A curve has points, and a state has runs. */
export type Reading =
  | { readonly form: 'page'; readonly points: readonly Before[]; readonly hasNextPage: boolean }
  | { readonly form: 'curve'; readonly points: readonly Before[] }
  | ({ readonly form: 'buckets' } & ReadBuckets)
  | ({ readonly form: 'states' } & ReadStates)

/** A reader for series without points. The query is still checked. */
const NO_POINTS: PointReader = {
  async *read() {},
  async *stretches() {},
  latest: () => Promise.resolve(new Map()),
}

const NO_SERIES = 0

type Context = Pick<DomainContext, 'database' | 'domain' | 'now' | 'budget'>

export interface SeriesReading {
  readonly series: ReadableSeries
  readonly reading: Reading
}

/** Looks up a series and reads it in the same snapshot. */
export function readDatapoints(
  context: Context,
  actor: Reach,
  name: SeriesName,
  query: ReadingQuery,
  now: Date,
): Promise<SeriesReading> {
  const { database, domain, budget = new AnswerBudget() } = context
  const find = async (sql: Sql) => {
    const { named, ...looked } = await findSeries(sql, context, actor, name)
    return {
      ...looked,
      async named() {
        const found = await named()
        return { found, series: referencesOf([found]) }
      },
    }
  }
  return readAtOneMoment(database, domain.id, { to: momentOf(query) }, find, async (stored, series) => {
    const reader = series.id === null ? NO_POINTS : stored
    const reference = referenceOf({ ...series, id: series.id ?? NO_SERIES })
    const asked = await withEnd(reader, [reference], query)
    return { series, reading: await readSeries({ reader, budget }, reference, asked, now) }
  })
}

/** The way in which points are read for an answer. */
interface Answering {
  readonly reader: PointReader
  readonly budget: AnswerBudget
}

async function readSeries(
  { reader, budget }: Answering,
  series: SeriesReference,
  query: ReadingQuery,
  now: Date,
): Promise<Reading> {
  if (query.form === 'page') return { form: 'page', ...(await readPage(reader, series, query, budget)) }
  if (query.form === 'thinned') return readThinned({ reader, budget }, series, query)
  const knownUntil = query.isOpen === true ? query.to : microsecondsOf(now)
  const found = await readBucketsAndEnd(reader, series, { ...query, now: knownUntil }, budget)
  if (series.kind === 'text') budget.take(charactersOfBuckets(found.buckets))
  return { form: 'buckets', ...found }
}

async function readThinned(
  { reader, budget }: Answering,
  series: SeriesReference,
  query: Extract<ReadingQuery, { form: 'thinned' }>,
): Promise<Reading> {
  if (series.kind !== 'float' && series.kind !== 'integer')
    return { form: 'states', ...(await readStates(reader, series, query, budget)) }
  const curve = await readCurve(reader, series, query)
  const points = Array.from(curve?.at ?? [], (at, index) => ({ at, value: cellAt(curve?.values ?? [], index) }))
  return { form: 'curve', points }
}

export interface LatestPoint {
  readonly series: ReadableSeries
  readonly point: Before
}

interface LatestQuery {
  readonly before?: number
  readonly dataType?: string | undefined
  /** The maximum number of characters of a text that are needed; left out if all are. */
  readonly longest?: number
}

/**
 * Finds the last point of each series of a filter, or the last point before a time. Series without points are left out.
 */
export function readLatest(
  context: Context,
  actor: Reach,
  filter: SeriesFilter,
  { before = END_OF_TIME, dataType, longest }: LatestQuery = {},
): Promise<LatestPoint[]> {
  const { database, domain, budget = new AnswerBudget() } = context
  const find = async (sql: Sql) => {
    const { named, ...looked } = await findAll(sql, context, actor, filter)
    return {
      ...looked,
      async named() {
        const found = ofDataType(await named(), dataType)
        return { found, series: referencesOf(found) }
      },
    }
  }
  return readAtOneMoment(
    database,
    domain.id,
    { to: before, isForLatest: true },
    find,
    async (reader, found, references) => {
      const latest = await reader.latest(references, before, longest)
      return found.flatMap((series) => {
        const point = latest.get(series.id ?? NO_SERIES)
        if (point === undefined) return []
        budget.take(charactersOfCell(point.value))
        return [{ series, point }]
      })
    },
  )
}

interface ReadStates {
  readonly states: readonly Run[]
  /** Whether some states are left out, because the series changes more often than asked for. */
  readonly isMerged: boolean
}

/** The states of a series and their times. A state that began before the range holds from its beginning. */
export async function readStates(
  reader: PointReader,
  series: SeriesReference,
  { from, to, maxPoints, name = 'maxPoints' }: Omit<CurveQuery, 'thinning'>,
  budget = new AnswerBudget(),
): Promise<ReadStates> {
  const limit = checkCount(maxPoints, name, 1, READING_LIMITS.thinned)
  const before = (await reader.latest([series], from)).get(series.seriesId)
  const changes = new StateChanges({ from, to, before, limit })
  for await (const { columns } of reader.read([series], { from, to, order: 'oldest first' })) {
    changes.add(columns)
    budget.check(changes.characters)
  }
  const states = changes.finish()
  budget.take(states.reduce((sum, { value }) => sum + charactersOfCell(value), 0))
  return { states, isMerged: changes.isMerged }
}
