import type { Sql } from '../../../../db/sql.ts'
import { compileRules } from '../../../../records/data-types/data-type.ts'
import { HoldfastError } from '../../../../lib/errors.ts'
import { COMPONENT } from '../../../../records/entities.ts'
import type { EntityOf } from '../../../../records/entity.ts'
import {
  fetchReadableSeries,
  type SeriesFilter,
  type StoredSeries,
} from '../../../../store/datapoints/series/readable-series.ts'
import { readDomain } from '../../../../store/domains.ts'
import { fetchEntityPage } from '../../../../store/entity-pages.ts'
import { fetchKept } from '../../../../store/datapoints/retention.ts'
import {
  fetchSupport,
  type ComponentSupport,
  type SupportedPair,
  componentsMeant,
} from '../../../../store/systems/component-support.ts'
import { ofPresentType } from './typed-series.ts'
import { readableOf, withEarliest, type ReadableSeries } from './readable-series.ts'
import type { DomainContext } from '../../../domain-context.ts'
import { itemsOf } from '../../../paging.ts'
import { withinReach, type Reach } from '../../../systems/reach.ts'

/** A series of a system with its names. */
export interface SystemSeries extends ReadableSeries {
  readonly componentName: string
  readonly serviceName: string
  /** Whether the model still links it. Otherwise it only has old data. */
  readonly isSupported: boolean
}

export interface SystemSeriesList {
  readonly components: readonly EntityOf<'Component'>[]
  /** By component, in the order of the model. */
  readonly series: readonly SystemSeries[]
}

/** The maximum number of components and series. More are refused, because no view of a system could show them. */
const SYSTEM_LIMITS = { components: 1_000, series: 20_000 } as const

/** Lists all series of a system that have datapoints or can get some. */
export async function listSystemSeries(
  context: Pick<DomainContext, 'database' | 'domain' | 'now'>,
  actor: Reach,
  systemUuid: string,
): Promise<SystemSeriesList> {
  const { database, domain } = context
  const ofSystem = withinReach(actor, { systems: [systemUuid] })
  return readDomain(database, domain.id, async (sql) => {
    const page = { first: SYSTEM_LIMITS.components + 1, after: null, by: 'name' } as const
    const components = itemsOf(await fetchEntityPage(sql, domain.id, COMPONENT, componentsMeant(ofSystem), page))
    refuseMore('components', components.length)
    const uuids = components.map(({ uuid }) => uuid)
    return { components, series: inOrder(components, await seriesMeant(sql, context, uuids, ofSystem)) }
  })
}

/** The series of some components of a system, in the form of `listSystemSeries`. */
export function listComponentSeries(
  context: Pick<DomainContext, 'database' | 'domain' | 'now'>,
  actor: Reach,
  components: readonly Named[],
): Promise<readonly SystemSeries[]> {
  const { database, domain } = context
  const uuids = components.map(({ uuid }) => uuid)
  const meant = withinReach<SeriesFilter>(actor, { components: uuids })
  return readDomain(database, domain.id, async (sql) =>
    inOrder(components, await seriesMeant(sql, context, uuids, meant)),
  )
}

async function seriesMeant(
  sql: Sql,
  { domain, now }: Pick<DomainContext, 'domain' | 'now'>,
  components: readonly string[],
  meant: SeriesFilter,
): Promise<Known[]> {
  const [support, stored, kept] = await Promise.all([
    fetchSupport(sql, domain.id, components),
    storedSeries(sql, domain.id, meant),
    fetchKept(sql, domain.id),
  ])
  return withEarliest({ now }, kept, seriesOf(support, stored))
}

async function storedSeries(sql: Sql, domainId: number, meant: SeriesFilter): Promise<readonly ReadableSeries[]> {
  const stored = await fetchReadableSeries(sql, domainId, meant, SYSTEM_LIMITS.series + 1)
  refuseMore('series', stored.length)
  return ofPresentType(await readableOf(sql, domainId, stored))
}

type Named = Pick<EntityOf<'Component'>, 'uuid' | 'name'>

function refuseMore(what: keyof typeof SYSTEM_LIMITS, count: number): void {
  const most = SYSTEM_LIMITS[what]
  if (count <= most) return
  const shown = most.toLocaleString('en-US')
  throw new HoldfastError('LIMIT_EXCEEDED', `this system has more than ${shown} ${what}, and no more can be listed`)
}

interface Known extends ReadableSeries {
  readonly serviceName: string
  readonly isSupported: boolean
}

/** The series that the model links, then the series whose link was deleted. */
function seriesOf(support: readonly ComponentSupport[], stored: readonly ReadableSeries[]): Known[] {
  const rest = new Map(stored.map((series) => [nameOf(series), series]))
  const linked = support.flatMap((component) =>
    component.pairs.map((pair): Known => {
      const name = nameOf({ ...pair, componentUuid: component.componentUuid })
      const found = rest.get(name) ?? withoutPoints(component, pair)
      rest.delete(name)
      return { ...found, serviceName: pair.serviceName, isSupported: true }
    }),
  )
  const others = [...rest.values()].map((series) => ({ ...series, serviceName: series.serviceKey, isSupported: false }))
  return [...linked, ...others]
}

function nameOf(series: Pick<StoredSeries, 'componentUuid' | 'serviceUuid' | 'characteristicUuid'>): string {
  return `${series.componentUuid} ${series.serviceUuid} ${series.characteristicUuid}`
}

function withoutPoints({ componentUuid, systemUuid, unitUuid }: ComponentSupport, pair: SupportedPair): ReadableSeries {
  const { serviceUuid, serviceKey, characteristicUuid, characteristicKey, characteristicBody } = pair
  const rules = compileRules(characteristicBody)
  const names = { componentUuid, systemUuid, unitUuid, serviceUuid, serviceKey, characteristicUuid, characteristicKey }
  return { ...names, id: null, kind: rules.kind, characteristic: characteristicBody, rules }
}

function inOrder(components: readonly Named[], series: readonly Known[]): SystemSeries[] {
  const byComponent = Map.groupBy(series, ({ componentUuid }) => componentUuid)
  return components.flatMap(({ uuid, name }) =>
    (byComponent.get(uuid) ?? []).map((one) => ({ ...one, componentName: name })),
  )
}
