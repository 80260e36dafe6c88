import { AGGREGATIONS, type Aggregation } from '../../datapoints/buckets/aggregate.ts'
import { FILLS, type Fill } from '../../datapoints/buckets/fill.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { toSnake } from '../../lib/snake-case.ts'
import type { PointOrder } from '../../platform/datapoints/reading/point-reader.ts'
import type { Thinning } from '../../platform/datapoints/reading/read-thinned.ts'
import type { ReadingArguments } from '../../platform/datapoints/reading/reading-query.ts'
import { definition } from '../../records/shape.ts'
import type { SeriesFilter } from '../../store/datapoints/readable-series.ts'
import { checkUuid } from '../checked-arguments.ts'

// The query of GET /rest/v1/data-points, in the words in which points are sent. What nobody knows is refused.

export interface DataPointsQuery {
  readonly filter: SeriesFilter
  readonly reading: ReadingArguments
  /** Values of this type alone. */
  readonly dataType: string | undefined
  /** Of a CSV file. */
  readonly guardFormulas: boolean
}

const MANY = ['system_uuid', 'component_uuid', 'service_uuid', 'characteristic_uuid'] as const
const ONE = [
  'data_type',
  'from',
  'to',
  'interval',
  'time_zone',
  'aggregations',
  'fill',
  'max_points',
  'thinning',
  'first',
  'after',
  'order',
  'guard_formulas',
] as const

type Single = (typeof ONE)[number]

/** As in the model. */
const DATA_TYPE_NAMES = definition('DataType').enum ?? []

const THINNINGS: readonly Thinning[] = ['shape', 'extremes']
const ORDERS: { readonly [word: string]: PointOrder } = { oldest_first: 'oldest first', newest_first: 'newest first' }
const FLAGS: { readonly [word: string]: boolean } = { true: true, false: false }

export function parseDataPointsQuery(params: URLSearchParams): DataPointsQuery {
  checkNames(params)
  const one = (name: Single): string | undefined => params.get(name) ?? undefined
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

function checkNames(params: URLSearchParams): void {
  const known: readonly string[] = [...MANY, ...ONE]
  for (const name of new Set(params.keys())) {
    if (!known.includes(name))
      throw refused(`${JSON.stringify(name)} is no parameter here; possible are ${known.join(', ')}`)
    if (!MANY.some((many) => many === name) && params.getAll(name).length > 1) throw refused(`${name} is given twice`)
  }
}

function uuids(params: URLSearchParams, name: (typeof MANY)[number]): string[] | undefined {
  const given = params.getAll(name)
  return given.length === 0 ? undefined : given.map((uuid) => checkUuid(uuid, name))
}

/** `time_weighted_avg` → `timeWeightedAvg` */
function fromSnake(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function chosen<Word extends string>(name: Single, word: string | undefined, words: readonly Word[]): Word | undefined {
  return word === undefined ? undefined : oneOf(name, word, words)
}

function oneOf<Word extends string>(name: Single, word: string, words: readonly Word[]): Word {
  const found = words.find((one) => one === word)
  if (found !== undefined) return found
  throw refused(`${name} cannot be ${JSON.stringify(toSnake(word))}; possible are ${words.map(toSnake).join(', ')}`)
}

function number(name: Single, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw refused(`${name} must be a whole number, not ${JSON.stringify(text)}`)
}

function refused(message: string): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', message)
}
