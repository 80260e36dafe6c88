import type { Database, Sql } from '../../../db/sql.ts'
import { HoldfastError } from '../../../lib/errors.ts'
import { present } from '../../../lib/present.ts'
import { fetchComponents, type ComponentSupport, type SupportedPair } from '../../../store/systems/component-support.ts'
import { ensureSeries, findSeries } from '../../../store/datapoints/series/series.ts'
import { readDomain, writeData } from '../../../store/domains.ts'
import { fetchModelVersions } from '../../../store/model/model-versions.ts'
import { boundTo } from '../../../store/model/units.ts'
import { fetchKeysByUuid } from '../../../store/model/records.ts'
import type { Retentions } from '../retention/retentions.ts'
import { EVERYWHERE, isWithin, type Reach } from '../../systems/reach.ts'
import { unknownComponent, type KeyRefusal, type PointKey } from '../ingest/check-batch.ts'
import { followModel, patienceWithModel } from './follow-model.ts'
import { KnownDefinitions } from './known-definitions.ts'
import type { DomainSeries } from './series-cache.ts'
import { WantedList, type WantedSeries } from './wanted-series.ts'

export interface Resolving {
  readonly domainId: number
  /** The systems that the sender may write to; null for all. Nothing outside of them exists for the sender. */
  readonly bounds: Reach | null
  readonly now: Date
}

/** Looks up the keys of a batch that the cache lacks. It adds the series that may be written to to the cache. */
export async function resolveSeries(
  whole: Database,
  { domainId, bounds, now }: Resolving,
  cache: DomainSeries,
  missing: ReadonlyMap<string, PointKey>,
): Promise<ReadonlyMap<string, KeyRefusal>> {
  const database = boundTo(whole, bounds?.units ?? null)
  for (const wait = patienceWithModel(); ; wait()) {
    const found = await readDomain(database, domainId, (sql) =>
      find(sql, domainId, bounds ?? EVERYWHERE, missing, cache.definitions),
    )
    const { unnumbered } = found.wanted
    if (unnumbered.length > 0)
      found.wanted.number(await writeData(database, domainId, (sql) => ensureSeries(sql, domainId, unnumbered, now)))
    if (!isOf(found, cache)) await followModel(whole, domainId, cache)
    // A series from another version that is no longer valid is looked up again. From here on nothing is awaited, so
    // that a batch that is read at the same time sees only one version.
    if (!isOf(found, cache) && !stillHolds(found, cache, missing)) continue
    addEntries(cache, found)
    return found.refused
  }
}

function isOf({ version, identity }: Found, cache: DomainSeries): boolean {
  return cache.version === version && cache.identity === identity
}

function stillHolds(
  { version, identity, components }: Found,
  cache: DomainSeries,
  missing: ReadonlyMap<string, PointKey>,
): boolean {
  const systems = [...missing.values(), ...components.values()].map((one) =>
    'system' in one ? one.system : one.systemUuid,
  )
  return cache.identity === identity && cache.version >= version && cache.holds(version, systems)
}

interface FoundSeries extends Found {
  readonly wanted: WantedList
}

async function find(
  sql: Sql,
  domainId: number,
  reach: Reach,
  missing: ReadonlyMap<string, PointKey>,
  definitions: KnownDefinitions,
): Promise<FoundSeries> {
  const [found, numbered] = await Promise.all([
    lookUp(sql, domainId, reach, missing, definitions),
    findSeries(sql, domainId, componentsOf(missing)),
  ])
  const wanted = new WantedList([...found.pairs].map(([text, pair]) => [present(missing.get(text)), pair]))
  wanted.number(numbered)
  return { ...found, wanted }
}

function addEntries(cache: DomainSeries, { components, retentions, wanted }: FoundSeries): void {
  for (const one of wanted.all) {
    const { id, pair } = one
    if (id === undefined) throw moved(one)
    const { systemUuid, unitUuid, componentUuid, modelUuid } = present(components.get(one.componentUuid))
    const keep = retentions.keepOf(pair.characteristicUuid)
    cache.add({ id, systemUuid, unitUuid, componentUuid, modelUuid, pair, keep })
  }
}

/** The error if the system left the sender's units between the check and the write. */
function moved({ systemUuid }: Pick<WantedSeries, 'systemUuid'>): HoldfastError {
  return new HoldfastError(
    'UNAVAILABLE',
    `the system ${systemUuid} was moved to another unit at this moment; send it again`,
  )
}

interface Found {
  readonly version: number
  readonly identity: string
  readonly retentions: Retentions
  readonly pairs: ReadonlyMap<string, SupportedPair>
  /** Supported components by their uuids. */
  readonly components: ReadonlyMap<string, ComponentSupport>
  readonly refused: ReadonlyMap<string, KeyRefusal>
}

/** Looks up keys in one snapshot, so that the version belongs to all of them. */
export async function lookUp(
  sql: Sql,
  domainId: number,
  reach: Pick<Reach, 'units'>,
  missing: ReadonlyMap<string, PointKey>,
  definitions = new KnownDefinitions(),
): Promise<Found> {
  const [versions, components] = await Promise.all([
    fetchModelVersions(sql, domainId),
    fetchComponents(sql, domainId, componentsOf(missing)),
  ])
  const visible = components.filter(({ unitUuid }) => isWithin(reach, unitUuid))
  const models = [...new Set(visible.map(({ modelUuid }) => modelUuid))]
  const { retentions, pairs: supported } = await definitions.of(sql, domainId, versions, models)
  const support = new Map(
    visible.map((one) => [one.componentUuid, { ...one, pairs: supported.get(one.modelUuid) ?? [] }]),
  )
  const pairs = new Map<string, SupportedPair>()
  const unsupported: [string, PointKey][] = []
  const refused = new Map<string, KeyRefusal>()
  for (const [text, key] of missing) {
    const answer = judge(key, support.get(key.component))
    if (answer === null) unsupported.push([text, key])
    else if ('code' in answer) refused.set(text, answer)
    else pairs.set(text, answer)
  }
  const existing = await fetchKeysByUuid(
    sql,
    domainId,
    unsupported.flatMap(([, { service, characteristic }]) => [service, characteristic]),
  )
  for (const [text, key] of unsupported) refused.set(text, refuseUnsupported(key, existing))
  const { version, identity } = versions
  return { version, identity, retentions, pairs, components: support, refused }
}

function componentsOf(missing: ReadonlyMap<string, PointKey>): string[] {
  return [...new Set([...missing.values()].map(({ component }) => component))]
}

/** The pair that a key names, or the reason why it may not be written to; null if the component does not support it. */
function judge(key: PointKey, support: ComponentSupport | undefined): SupportedPair | KeyRefusal | null {
  if (support === undefined) return unknownComponent(key)
  if (support.systemUuid !== key.system)
    return { field: 'system', code: 'unknown-system', detail: `the component is not part of a system ${key.system}` }
  const pair = pairsByName(support.pairs).get(nameOf(key.service, key.characteristic))
  return pair === undefined ? null : (refuseInactive(support, pair) ?? pair)
}

type PairsByName = ReadonlyMap<string, SupportedPair>
const PAIRS = new WeakMap<ComponentSupport['pairs'], PairsByName>()

/** The pairs of a model by their names. A batch may have 100,000 keys, and a model thousands of pairs. */
function pairsByName(pairs: ComponentSupport['pairs']): PairsByName {
  const known =
    PAIRS.get(pairs) ?? new Map(pairs.map((pair) => [nameOf(pair.serviceUuid, pair.characteristicUuid), pair]))
  PAIRS.set(pairs, known)
  return known
}

function nameOf(service: string, characteristic: string): string {
  return `${service} ${characteristic}`
}

/** The refusal for a device. Only the components of its system exist for it. */
export function refusalForDevice(refusal: KeyRefusal, key: PointKey): KeyRefusal {
  return refusal.code === 'unknown-system' ? unknownComponent(key) : refusal
}

/** Refuses components and pairs that are not ACTIVATED. */
function refuseInactive(support: ComponentSupport, pair: SupportedPair): KeyRefusal | null {
  const parts = [
    ['system', 'system', support.systemStatus],
    ['component', 'component', support.componentStatus],
    ['component', 'component model', support.modelStatus],
    ['service', 'service', pair.serviceStatus],
    ['characteristic', 'characteristic', pair.characteristicBody['status'] ?? 'ACTIVATED'],
  ] as const
  const inactive = parts.find(([, , status]) => status !== 'ACTIVATED')
  if (inactive === undefined) return null
  const [field, what, status] = inactive
  return {
    field,
    code: status === 'ARCHIVED' ? 'archived' : 'deactivated',
    detail: `the ${what} is ${String(status)}; it must be ACTIVATED to take datapoints and setpoints`,
  }
}

function refuseUnsupported({ service, characteristic }: PointKey, existing: ReadonlyMap<string, string>): KeyRefusal {
  if (!existing.has(service))
    return { field: 'service', code: 'unknown-service', detail: `there is no service ${service}` }
  if (!existing.has(characteristic))
    return {
      field: 'characteristic',
      code: 'unknown-characteristic',
      detail: `there is no characteristic ${characteristic}`,
    }
  const detail = `the component's model has no characteristic ${existing.get(characteristic)} in a service ${existing.get(service)}`
  return { field: null, code: 'not-supported', detail }
}
