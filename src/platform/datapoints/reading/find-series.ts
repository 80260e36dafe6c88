import { microsecondsOf } from '../../../datapoints/timestamp.ts'
import { compileRules } from '../../../datapoints/compile-rules.ts'
import type { ValueRules } from '../../../datapoints/value.ts'
import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { RecordBody } from '../../../records/record-type.ts'
import { fetchSupport, type SupportedPair } from '../../../store/component-support.ts'
import {
  fetchBodies,
  fetchReadableSeries,
  type SeriesFilter,
  type StoredSeries,
} from '../../../store/datapoints/readable-series.ts'
import { readDomain } from '../../../store/domains.ts'
import type { DomainContext } from '../../domain-context.ts'
import { reaches, withinReach, type Reach } from '../../systems/reach.ts'
import { fetchRetentions } from '../../../store/retention.ts'
import { Retentions } from '../../retention/retentions.ts'
import type { SeriesReference } from './point-reader.ts'
import { READING_LIMITS } from './reading-limits.ts'

/** A series as it can be read. */
export interface ReadableSeries extends Omit<StoredSeries, 'id'> {
  /** Null where no point has come yet. */
  readonly id: number | null
  /** Of the characteristic as it is now. */
  readonly characteristic: RecordBody
  readonly rules: ValueRules
  /** The first time that is kept; microseconds since 1970. Left out: all is. */
  readonly earliest?: number
}

type Context = Pick<DomainContext, 'database' | 'domain' | 'now'>

/** One characteristic of one service of one component; the last two by uuid or key. */
export interface SeriesName {
  readonly component: string
  readonly service: string
  readonly characteristic: string
}

/**
 * The series of a component's characteristic. One that has data is found even if its model does not link it any more: what
 * there is stays readable.
 */
export async function requireSeries(context: Context, actor: Reach, name: SeriesName): Promise<ReadableSeries> {
  const { database, domain } = context
  const { component, service, characteristic } = name
  const filter = { components: [component], services: [service], characteristics: [characteristic] }
  return readDomain(database, domain.id, async (sql) => {
    const found = await readableOf(sql, domain.id, await fetchAllowed(sql, domain.id, actor, filter))
    const [series] = await withEarliest(sql, context, found)
    return series ?? requireSupported(sql, domain.id, actor, name)
  })
}

/** All series that a filter means; more than the limit are refused by name. */
export async function findSeriesOf(context: Context, actor: Reach, filter: SeriesFilter): Promise<ReadableSeries[]> {
  const { database, domain } = context
  for (const [what, names] of Object.entries(filter)) checkNames(what, names)
  return readDomain(database, domain.id, async (sql) => {
    const found = await fetchAllowed(sql, domain.id, actor, filter)
    if (found.length > READING_LIMITS.series) throw tooMany()
    return withEarliest(sql, context, await readableOf(sql, domain.id, found))
  })
}

/** What is older than its characteristic is kept is not read any more, whether or not it is deleted yet. */
async function withEarliest(
  sql: Sql,
  { domain, now }: Context,
  series: readonly ReadableSeries[],
): Promise<ReadableSeries[]> {
  const retentions = new Retentions(await fetchRetentions(sql, domain.id))
  const at = microsecondsOf(now())
  const earliest = new Map<string, number>()
  return series.map((one) => {
    const { characteristicUuid: uuid } = one
    const since = earliest.get(uuid) ?? retentions.earliestOf(uuid, at)
    earliest.set(uuid, since)
    return { ...one, earliest: since }
  })
}

export function referenceOf({ id, kind, earliest }: ReadableSeries & { readonly id: number }): SeriesReference {
  return { seriesId: id, kind, ...(earliest !== undefined && { earliest }) }
}

function fetchAllowed(sql: Sql, domainId: number, actor: Reach, filter: SeriesFilter): Promise<StoredSeries[]> {
  return fetchReadableSeries(sql, domainId, withinReach(actor, filter), READING_LIMITS.series + 1)
}

/** Those whose values are of the kind that the characteristic has now: others are of an earlier dataType. */
export async function readableOf(
  sql: Sql,
  domainId: number,
  found: readonly StoredSeries[],
): Promise<ReadableSeries[]> {
  const uuids = new Set(found.map(({ characteristicUuid }) => characteristicUuid))
  const bodies = await fetchBodies(sql, domainId, [...uuids])
  const known = new Map(bodies.map(({ uuid, body }) => [uuid, { characteristic: body, rules: compileRules(body) }]))
  return found.flatMap((series) => {
    const shown = known.get(series.characteristicUuid)
    return shown !== undefined && shown.rules.kind === series.kind ? [{ ...series, ...shown }] : []
  })
}

async function requireSupported(sql: Sql, domainId: number, actor: Reach, name: SeriesName): Promise<ReadableSeries> {
  const [component] = await fetchSupport(sql, domainId, [name.component])
  if (component === undefined || !reaches(actor, component))
    throw new HoldfastError('NOT_FOUND', `there is no component ${name.component}`)
  const pair = component.pairs.find((one) => isPairOf(one, name))
  if (pair === undefined) throw notSupported(name)
  const rules = compileRules(pair.characteristicBody)
  return {
    ...pair,
    id: null,
    kind: rules.kind,
    systemUuid: component.systemUuid,
    unitUuid: component.unitUuid,
    componentUuid: component.componentUuid,
    characteristic: pair.characteristicBody,
    rules,
  }
}

export function isPairOf(
  pair: SupportedPair,
  { service, characteristic }: Pick<SeriesName, 'service' | 'characteristic'>,
): boolean {
  return (
    (pair.serviceUuid === service || pair.serviceKey === service) &&
    (pair.characteristicUuid === characteristic || pair.characteristicKey === characteristic)
  )
}

function notSupported({ component, service, characteristic }: SeriesName): HoldfastError {
  const [what, of] = [JSON.stringify(characteristic), JSON.stringify(service)]
  return new HoldfastError(
    'NOT_FOUND',
    `the component ${component} does not support the characteristic ${what} of the service ${of}, and has no data of it`,
  )
}

/** No answer has more series, so nobody has a reason to name more; a request has room for a million. */
function checkNames(what: string, names: readonly unknown[] | undefined): void {
  if (names === undefined || names.length <= READING_LIMITS.series) return
  const [most, given] = [READING_LIMITS.series, names.length].map((count) => count.toLocaleString('en-US'))
  throw new HoldfastError('LIMIT_EXCEEDED', `${what} has ${given} entries, and ${most} are the most at once`)
}

function tooMany(): HoldfastError {
  const most = READING_LIMITS.series.toLocaleString('en-US')
  return new HoldfastError('LIMIT_EXCEEDED', `at most ${most} series can be asked for at once; name fewer components`)
}
