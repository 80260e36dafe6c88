import { compileRules } from '../../../../records/data-types/data-type.ts'
import type { Sql } from '../../../../db/sql.ts'
import { HoldfastError } from '../../../../lib/errors.ts'
import { quoted } from '../../../../lib/quoted.ts'
import { fetchSupport, type SupportedPair } from '../../../../store/systems/component-support.ts'
import {
  fetchBodies,
  fetchReadableSeries,
  type SeriesFilter,
} from '../../../../store/datapoints/series/readable-series.ts'
import type { DomainContext } from '../../../domain-context.ts'
import { reaches, withinReach, type Reach } from '../../../systems/reach.ts'
import { fetchKept } from '../../../../store/datapoints/retention.ts'
import { ofDataType, ofPresentType } from './typed-series.ts'
import { readableOf, withEarliest, type ReadableSeries } from './readable-series.ts'
import { READING_LIMITS } from '../reading-limits.ts'

type Looking = Pick<DomainContext, 'domain' | 'now'>

/** One characteristic of one service of one component. Service and characteristic are given by uuid or key. */
export interface SeriesName {
  readonly component: string
  readonly service: string
  readonly characteristic: string
  /** Left out for the present dataType of the characteristic. */
  readonly dataType?: string | undefined
}

/** The series that a look-up found, without their names. */
export interface LookedUp<Series> {
  /** The ids of the series that have points. It may include other series than the selected ones. */
  readonly ids: readonly number[]
  named(): Promise<Series>
}

/**
 * Finds the series of a component's characteristic. If the series has data, it is found even if the model no longer
 * links it, so that its data stays readable.
 */
export async function findSeries(
  sql: Sql,
  context: Looking,
  actor: Reach,
  name: SeriesName,
): Promise<LookedUp<ReadableSeries>> {
  const { domain } = context
  const { component, service, characteristic } = name
  const filter: SeriesFilter = { components: [component], services: [service], characteristics: [characteristic] }
  const looking = fetchReadableSeries(sql, domain.id, withinReach(actor, filter), READING_LIMITS.series + 1)
  const [found, kept] = await Promise.all([looking, fetchKept(sql, domain.id)])
  return {
    ids: found.map(({ id }) => id),
    named: async () =>
      meantOf(sql, domain.id, actor, name, withEarliest(context, kept, await readableOf(sql, domain.id, found))),
  }
}

/** The series that a name refers to, among all that ever had that name. */
async function meantOf(
  sql: Sql,
  domainId: number,
  actor: Reach,
  name: SeriesName,
  all: readonly ReadableSeries[],
): Promise<ReadableSeries> {
  const { dataType } = name
  const [series] = dataType === undefined ? ofPresentType(all) : ofDataType(all, dataType)
  const meant = series ?? (await withoutPoints(sql, domainId, actor, name, all[0]))
  const others = all
    .filter(({ kind }) => kind !== meant.kind)
    .map(({ characteristic: body }) => String(body['dataType']))
  return { ...meant, otherDataTypes: others.sort() }
}

/** A series without any points. */
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

/** All series that a filter selects. More than the limit are refused. */
export async function findAll(
  sql: Sql,
  context: Looking,
  actor: Reach,
  filter: SeriesFilter,
  most = READING_LIMITS.series,
): Promise<LookedUp<ReadableSeries[]>> {
  const { domain } = context
  for (const [what, names] of Object.entries(filter)) checkNames(what, names)
  const looking = fetchReadableSeries(sql, domain.id, withinReach(actor, filter), most + 1)
  const [found, kept] = await Promise.all([looking, fetchKept(sql, domain.id)])
  if (found.length > most) throw tooMany(most)
  return {
    ids: found.map(({ id }) => id),
    named: async () => withEarliest(context, kept, await readableOf(sql, domain.id, found)),
  }
}

/** The series of an exported file, with their names. */
export async function lookUpAll(
  sql: Sql,
  context: Looking,
  actor: Reach,
  filter: SeriesFilter,
): Promise<ReadableSeries[]> {
  return (await findAll(sql, context, actor, filter, READING_LIMITS.seriesOfFile)).named()
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
  const [what, of] = [quoted(characteristic), quoted(service)]
  return new HoldfastError(
    'NOT_FOUND',
    `the component ${component} does not support the characteristic ${what} of the service ${of}, and has no data of it`,
  )
}

/** Limits the number of names, because a request could have a million, and no answer has that many series. */
function checkNames(what: string, names: readonly unknown[] | undefined): void {
  if (names === undefined || names.length <= READING_LIMITS.series) return
  const [most, given] = [READING_LIMITS.series, names.length].map((count) => count.toLocaleString('en-US'))
  throw new HoldfastError('LIMIT_EXCEEDED', `${what} has ${given} entries, and ${most} are the most at once`)
}

function tooMany(limit: number): HoldfastError {
  const most = limit.toLocaleString('en-US')
  return new HoldfastError('LIMIT_EXCEEDED', `at most ${most} series can be asked for at once; name fewer components`)
}
