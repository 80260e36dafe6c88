import { AGGREGATIONS, type Aggregation } from '../../datapoints/buckets/aggregate.ts'
import { FILLS, type Fill } from '../../datapoints/buckets/fill.ts'
import { badInput } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json.ts'
import { toSnake } from '../../lib/letter-case.ts'
import type { PointOrder } from '../../platform/datapoints/reading/stored/point-reader.ts'
import type { Thinning } from '../../platform/datapoints/reading/forms/read-curve.ts'
import type { ReadingArguments } from '../../platform/datapoints/reading/reading-query.ts'
import { definition } from '../../records/shape.ts'
import type { SeriesFilter } from '../../store/datapoints/series/readable-series.ts'
import { checkUuid } from '../checked-arguments.ts'
import { parameter, query, UUIDS, type Parameter } from '../openapi/operation.ts'

// The query of GET /rest/v1/data-points. Its parameters have the names of the fields in sent points.

export interface DataPointsQuery {
  readonly filter: SeriesFilter
  readonly reading: ReadingArguments
  /** Only values of this type. */
  readonly dataType: string | undefined
  /** Applies only to CSV files. */
  readonly guardFormulas: boolean
}

/** The names of the data types in the model. */
const DATA_TYPE_NAMES = definition('DataType').enum ?? []

const THINNINGS: readonly Thinning[] = ['shape', 'extremes']
const ORDERS: { readonly [word: string]: PointOrder } = { oldest_first: 'oldest first', newest_first: 'newest first' }
const FLAGS: { readonly [word: string]: boolean } = { true: true, false: false }

const INSTANT: JsonObject = { type: 'string', format: 'date-time' }
const WHOLE: JsonObject = { type: 'integer', minimum: 0, maximum: 999_999_999 }

/** The query and the headers that a request may have. */
export const READ_PARAMETERS: readonly Parameter[] = [
  ...['system_uuid', 'component_uuid', 'service_uuid', 'characteristic_uuid'].map((name) =>
    query(name, 'Only series of these. JSON needs exactly one component, service and characteristic.', UUIDS),
  ),
  query(
    'data_type',
    'Values of this type, also if the characteristic had it earlier. Left out: for JSON and buckets the present type, for a file of points all types.',
    { type: 'string' },
  ),
  query('from', 'Part of the range. Left out: from the first point.', INSTANT),
  query(
    'to',
    'Not part of the range. Left out: for points the last stored point; otherwise now, or the last point if it is later.',
    INSTANT,
  ),
  query('interval', 'Returns figures of buckets with this length, an ISO 8601 duration such as PT15M, P1D or P1M.', {
    type: 'string',
    pattern: '^P',
  }),
  query('time_zone', 'IANA time zone in which days, weeks, months and years begin. Left out: UTC.', { type: 'string' }),
  {
    ...query('aggregations', 'What each bucket holds.', { type: 'array', items: { enum: AGGREGATIONS.map(toSnake) } }),
    explode: false,
  },
  query('fill', 'Value for empty buckets. Left out: none.', { enum: FILLS }),
  query('max_points', 'Maximum number of points, for a curve.', WHOLE),
  query('thinning', 'With max_points: which points are kept. Left out: shape.', { enum: THINNINGS }),
  query('first', 'Maximum number of points on a page. Left out: 1,000.', WHOLE),
  query('after', 'The `next` of the page before.', { type: 'string' }),
  query('order', 'Order of a page. Left out: oldest_first.', { enum: Object.keys(ORDERS) }),
  query('guard_formulas', 'For CSV: puts an apostrophe in front of texts that a spreadsheet would execute.', {
    type: 'boolean',
  }),
  parameter(
    'header',
    'X-Service-Change',
    'The header of the answer to a batch: the result includes this batch, or is 412.',
    {
      type: 'string',
    },
  ),
]

export function parseDataPointsQuery(params: URLSearchParams): DataPointsQuery {
  const one = (name: string): string | undefined => params.get(name) ?? undefined
  const aggregations = one('aggregations')?.split(',')
  const [order, guard] = [one('order'), one('guard_formulas')]
  return {
    filter: {
      systems: uuids(params, 'system_uuid'),
      components: uuids(params, 'component_uuid'),
      services: uuids(params, 'service_uuid'),
      characteristics: uuids(params, 'characteristic_uuid'),
    },
    reading: {
      from: one('from'),
      to: one('to'),
      interval: one('interval'),
      timeZone: one('time_zone'),
      aggregations: aggregations?.map((name) => oneOf<Aggregation>('aggregations', fromSnake(name), AGGREGATIONS)),
      fill: chosen<Fill>('fill', one('fill'), FILLS),
      maxPoints: number('max_points', one('max_points')),
      thinning: chosen<Thinning>('thinning', one('thinning'), THINNINGS),
      first: number('first', one('first')),
      after: one('after'),
      order: order === undefined ? undefined : ORDERS[oneOf('order', order, Object.keys(ORDERS))],
    },
    dataType: chosen('data_type', one('data_type'), DATA_TYPE_NAMES),
    guardFormulas: guard !== undefined && FLAGS[oneOf('guard_formulas', guard, Object.keys(FLAGS))] === true,
  }
}

function uuids(params: URLSearchParams, name: string): string[] | undefined {
  const given = params.getAll(name)
  return given.length === 0 ? undefined : given.map((uuid) => checkUuid(uuid, name))
}

/** `time_weighted_avg` → `timeWeightedAvg` */
function fromSnake(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function chosen<Word extends string>(name: string, word: string | undefined, words: readonly Word[]): Word | undefined {
  return word === undefined ? undefined : oneOf(name, word, words)
}

function oneOf<Word extends string>(name: string, word: string, words: readonly Word[]): Word {
  const found = words.find((one) => one === word)
  if (found !== undefined) return found
  throw badInput(`${name} cannot be ${JSON.stringify(toSnake(word))}; possible are ${words.map(toSnake).join(', ')}`)
}

function number(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^-?\d{1,9}$/.test(text)) return Number(text)
  throw badInput(`${name} must be a whole number, not ${JSON.stringify(text)}`)
}
