import { compileRules } from '../../datapoints/rules/compile-rules.ts'
import { KINDS } from '../../datapoints/chunks/flush.ts'
import type { ValueRules } from '../../datapoints/rules/value.ts'
import type { Database, Sql } from '../../db/sql.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { present } from '../../lib/present.ts'
import { fetchSupport, type ComponentSupport, type SupportedPair } from '../../store/systems/component-support.ts'
import { ensureSeries, type Series, type SeriesKey } from '../../store/datapoints/series.ts'
import { fetchModelVersion, readDomain, writeData } from '../../store/domains.ts'
import { boundTo } from '../../store/model/units.ts'
import { fetchKeysByUuid } from '../../store/model/records.ts'
import { fetchKept } from '../../store/datapoints/retention.ts'
import { Retentions } from '../retention/retentions.ts'
import { EVERYWHERE, isWithin, type Reach } from '../systems/reach.ts'
import { unknownComponent, type KeyRefusal, type PointKey } from './check-batch.ts'
import type { DomainSeries } from './series-cache.ts'

export interface Resolving {
  readonly domainId: number
  /** The systems that may be written to, outside of which nothing exists for the sender; null for all. */
  readonly bounds: Reach | null
  readonly now: Date
}

/** Looks up what a batch names and the cache does not know. Series that may be written to are added to the cache. */
export async function resolveSeries(
  whole: Database,
  { domainId, bounds, now }: Resolving,
  cache: DomainSeries,
  missing: ReadonlyMap<string, PointKey>,
): Promise<ReadonlyMap<string, KeyRefusal>> {
  const database = boundTo(whole, bounds?.units ?? null)
  const found = await readDomain(database, domainId, (sql) => lookUp(sql, domainId, bounds ?? EVERYWHERE, missing))
  const rules = new Map<SupportedPair, ValueRules>()
  const accepted = [...found.pairs].map(([text, pair]) => {
    const known = rules.get(pair) ?? compileRules(pair.characteristicBody)
    rules.set(pair, known)
    const keep = found.retentions.keepOf(pair.characteristicUuid)
    const key = present(missing.get(text))
    return { text, key, unitUuid: found.units.get(text) ?? null, rules: known, isSetting: isSetting(pair), keep }
  })
  const keys = accepted.map(({ key, rules: { kind } }) => seriesKey(key, kind))
  const series =
    keys.length === 0 ? [] : await writeData(database, domainId, (sql) => ensureSeries(sql, domainId, keys, now))
  // The cache is updated at once, so that a batch that is read at the same time finds only one version.
  if (cache.version !== found.version) cache.forget(found.version)
  const byKey = new Map(series.map((one) => [textOf(one), one]))
  for (const one of accepted) addEntry(cache, one, byKey.get(textOf(seriesKey(one.key, one.rules.kind))))
  return found.refused
}

/** Tells whether users set the value, rather than only the device. */
export function isSetting({ characteristicBody }: SupportedPair): boolean {
  return characteristicBody['characteristicType'] === 'SETTING'
}

interface Accepted {
  readonly key: PointKey
  readonly unitUuid: string | null
  readonly rules: ValueRules
  readonly isSetting: boolean
  readonly keep: string | null
}

function addEntry(
  cache: DomainSeries,
  { key, unitUuid, rules, isSetting, keep }: Accepted,
  series: Series | undefined,
): void {
  if (series === undefined) throw moved(key)
  const { component, characteristic, service, system } = key
  if (cache.find(component, characteristic, service, system) !== undefined) return
  const kind = KINDS.indexOf(rules.kind)
  cache.add({
    id: series.id,
    systemUuid: system,
    unitUuid,
    componentUuid: component,
    serviceUuid: service,
    characteristicUuid: characteristic,
    kind,
    rules,
    isSetting,
    kept: cache.keptTimes.of(keep),
  })
}

/** The error where the system left the sender's units between the check and the write. */
function moved({ system }: PointKey): HoldfastError {
  return new HoldfastError(
    'UNAVAILABLE',
    `the system ${system} was moved to another unit at this moment; send it again`,
  )
}

function seriesKey({ system, component, service, characteristic }: PointKey, kind: SeriesKey['kind']): SeriesKey {
  return {
    systemUuid: system,
    componentUuid: component,
    serviceUuid: service,
    characteristicUuid: characteristic,
    kind,
  }
}

function textOf({ systemUuid, componentUuid, serviceUuid, characteristicUuid, kind }: SeriesKey): string {
  return `${systemUuid} ${componentUuid} ${serviceUuid} ${characteristicUuid} ${kind}`
}

interface Found {
  readonly version: number
  readonly retentions: Retentions
  readonly pairs: ReadonlyMap<string, SupportedPair>
  /** The units of these systems. */
  readonly units: ReadonlyMap<string, string>
  readonly refused: ReadonlyMap<string, KeyRefusal>
}

/** Looks keys up in one snapshot, so that the version belongs to all of it. */
export async function lookUp(
  sql: Sql,
  domainId: number,
  reach: Pick<Reach, 'units'>,
  missing: ReadonlyMap<string, PointKey>,
): Promise<Found> {
  const version = await fetchModelVersion(sql, domainId)
  const retentions = new Retentions(await fetchKept(sql, domainId))
  const components = [...new Set([...missing.values()].map(({ component }) => component))]
  const visible = (await fetchSupport(sql, domainId, components)).filter(({ unitUuid }) => isWithin(reach, unitUuid))
  const support = new Map(visible.map((one) => [one.componentUuid, one]))
  const units = new Map<string, string>()
  const pairs = new Map<string, SupportedPair>()
  const unsupported: [string, PointKey][] = []
  const refused = new Map<string, KeyRefusal>()
  for (const [text, key] of missing) {
    const component = support.get(key.component)
    const answer = judge(key, component)
    if (answer === null) unsupported.push([text, key])
    else if ('code' in answer) refused.set(text, answer)
    else pairs.set(text, answer)
    if (component?.unitUuid != null) units.set(text, component.unitUuid)
  }
  const existing = await fetchKeysByUuid(
    sql,
    domainId,
    unsupported.flatMap(([, { service, characteristic }]) => [service, characteristic]),
  )
  for (const [text, key] of unsupported) refused.set(text, refuseUnsupported(key, existing))
  return { version, retentions, pairs, units, refused }
}

/** The pair that a key names, or why it may not be written to; null where the component does not support it. */
function judge(key: PointKey, support: ComponentSupport | undefined): SupportedPair | KeyRefusal | null {
  if (support === undefined) return unknownComponent(key)
  if (support.systemUuid !== key.system)
    return { field: 'system', code: 'unknown-system', detail: `the component is not part of a system ${key.system}` }
  const pair = support.pairs.find(
    ({ serviceUuid, characteristicUuid }) => serviceUuid === key.service && characteristicUuid === key.characteristic,
  )
  return pair === undefined ? null : (refuseInactive(support, pair) ?? pair)
}

/** The refusal for a device, for which only the components of its system exist. */
export function refusalForDevice(refusal: KeyRefusal, key: PointKey): KeyRefusal {
  return refusal.code === 'unknown-system' ? unknownComponent(key) : refusal
}

/** Refuses what is not ACTIVATED (semantics, section 10). */
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
    detail: `the ${what} is ${String(status)}; only what is ACTIVATED takes datapoints and setpoints`,
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
