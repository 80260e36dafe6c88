import { microsecondsOf } from '../../../datapoints/wire/timestamp.ts'
import { compileRules } from '../../../datapoints/rules/compile-rules.ts'
import type { ValueRules } from '../../../datapoints/rules/value.ts'
import type { Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import type { RecordBody } from '../../../records/record-type.ts'
import { fetchSupport, type SupportedPair } from '../../../store/systems/component-support.ts'
import {
  fetchBodies,
  fetchReadableSeries,
  type SeriesFilter,
  type StoredSeries,
} from '../../../store/datapoints/readable-series.ts'
import { readDomain } from '../../../store/domains.ts'
import type { DomainContext } from '../../domain-context.ts'
import { reaches, withinReach, type Reach } from '../../systems/reach.ts'
import { fetchKept } from '../../../store/datapoints/retention.ts'
import { Retentions } from '../../retention/retentions.ts'
import { ofDataType, ofPresentType, TYPE_OF_KIND } from './data-types.ts'
import type { SeriesReference } from './point-reader.ts'
import { READING_LIMITS } from './reading-limits.ts'

/** A series as it can be read. */
export interface ReadableSeries extends Omit<StoredSeries, 'id'> {
  /** Null where no point has come yet. */
  readonly id: number | null
  /** As it is now, but for the dataType of values that were stored under another one. */
  readonly characteristic: RecordBody
  readonly rules: ValueRules
  /** The first time that is kept; microseconds since 1970. Left out: all is. */
  readonly earliest?: number
  /** Its values are of a dataType that the characteristic had before. */
  readonly isEarlier?: boolean
  /** The dataTypes of which there are values beside these. Only said of one that was asked for by its name. */
  readonly otherDataTypes?: readonly string[]
}

type Context = Pick<DomainContext, 'database' | 'domain' | 'now'>

/** One characteristic of one service of one component; the last two by uuid or key. */
export interface SeriesName {
  readonly component: string
  readonly service: string
  readonly characteristic: string
  /** Left out: the one that the characteristic has now. */
  readonly dataType?: string | undefined
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
    const all = await withEarliest(sql, context, found)
    const { dataType } = name
    const [series] = dataType === undefined ? ofPresentType(all) : ofDataType(all, dataType)
    const meant = series ?? (await withoutPoints(sql, domain.id, actor, name, all[0]))
    const others = all
      .filter(({ kind }) => kind !== meant.kind)
      .map(({ characteristic: body }) => String(body['dataType']))
    return { ...meant, otherDataTypes: others.sort() }
  })
}

/** One that no point has come for yet. */
async function withoutPoints(
  sql: Sql,
  domainId: number,
  actor: Reach,
  name: SeriesName,
  other: ReadableSeries | undefined,
): Promise<ReadableSeries> {
  const known = other ?? (await requireSupported(sql, domainId, actor, name))
  const [present] = await fetchBodies(sql, domainId, [known.characteristicUuid])
  const body = present?.body ?? known.characteristic
  const isOther = name.dataType !== undefined && name.dataType !== body['dataType']
  const characteristic = isOther ? { ...body, dataType: name.dataType ?? null } : body
  const rules = compileRules(characteristic)
  return { ...known, id: null, characteristic, rules, kind: rules.kind, isEarlier: isOther }
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
  const retentions = new Retentions(await fetchKept(sql, domain.id))
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

/** With what their values are shown by: those of another kind than the characteristic has now are of an earlier dataType. */
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
    if (shown === undefined) return []
    return shown.rules.kind === series.kind ? [{ ...series, ...shown }] : [asEarlier(series, shown.characteristic)]
  })
}

function asEarlier(series: StoredSeries, body: RecordBody): ReadableSeries {
  const dataType = TYPE_OF_KIND[series.kind]
  return { ...series, characteristic: { ...body, dataType }, rules: compileRules({ dataType }), isEarlier: true }
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
