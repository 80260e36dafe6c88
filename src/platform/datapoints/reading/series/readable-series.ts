import { compileRules, TYPE_OF_KIND } from '../../../../records/data-types/data-type.ts'
import type { Erased } from '../../../../datapoints/chunks/erased.ts'
import type { ValueRules } from '../../../../records/values/value.ts'
import { microsecondsOf } from '../../../../datapoints/wire/timestamp.ts'
import type { Sql } from '../../../../db/sql.ts'
import type { RecordBody } from '../../../../records/record-type.ts'
import { fetchNames, type StoredSeries } from '../../../../store/datapoints/series/readable-series.ts'
import type { Kept } from '../../../../store/datapoints/retention.ts'
import type { DomainContext } from '../../../domain-context.ts'
import { Retentions } from '../../retention/retentions.ts'
import type { SeriesReference } from '../stored/point-reader.ts'

/** A series with everything needed to read it. */
export interface ReadableSeries extends Omit<StoredSeries, 'id' | 'erased'> {
  readonly serviceKey: string
  readonly characteristicKey: string
  /** The id of the series; null if it has no point yet. */
  readonly id: number | null
  /** The present characteristic. For values of an earlier dataType, it has that dataType. */
  readonly characteristic: RecordBody
  readonly rules: ValueRules
  /** The earliest time within the retention, in microseconds since 1970; left out if the retention is unlimited. */
  readonly earliest?: number
  /** The erased ranges of the series; left out if it has no points. */
  readonly erased?: Erased
  /** Whether the values of the series have an earlier dataType of the characteristic. */
  readonly isEarlier?: boolean
  /** Other dataTypes that have values. Only present if the series was requested by its name. */
  readonly otherDataTypes?: readonly string[]
}

/** Adds the presentation of values, and sorts series by name. Values of another kind belong to an earlier dataType. */
export async function readableOf(
  sql: Sql,
  domainId: number,
  found: readonly StoredSeries[],
): Promise<(ReadableSeries & StoredSeries)[]> {
  const names = await fetchNames(sql, domainId, found)
  const known = new Map(
    [...names.characteristics].map(([uuid, { key, body }]) => [
      uuid,
      { characteristicKey: key, characteristic: body, rules: compileRules(body) },
    ]),
  )
  const readable = found.flatMap((series) => {
    const [serviceKey, shown] = [names.services.get(series.serviceUuid), known.get(series.characteristicUuid)]
    if (serviceKey === undefined || shown === undefined) return []
    const { characteristicKey, characteristic, rules } = shown
    const named = { ...series, serviceKey, characteristicKey, characteristic, rules }
    return shown.rules.kind === series.kind ? [named] : [asEarlier(named)]
  })
  return readable.sort(inOrderOfNames)
}

function asEarlier<Series extends StoredSeries & { readonly characteristic: RecordBody }>(series: Series) {
  const dataType = TYPE_OF_KIND[series.kind]
  const characteristic = { ...series.characteristic, dataType }
  return { ...series, characteristic, rules: compileRules({ dataType }), isEarlier: true }
}

/** Sorts by component, service and characteristic. Series of one characteristic are sorted by age. */
function inOrderOfNames(one: ReadableSeries, other: ReadableSeries): number {
  return (
    inOrder(one.componentUuid, other.componentUuid) ||
    inOrder(one.serviceKey, other.serviceKey) ||
    inOrder(one.characteristicKey, other.characteristicKey) ||
    (one.id ?? 0) - (other.id ?? 0)
  )
}

function inOrder(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** Adds the earliest time within the retention. Older points are not read, even if they are not deleted yet. */
export function withEarliest<Series extends ReadableSeries>(
  { now }: Pick<DomainContext, 'now'>,
  kept: readonly Kept[],
  series: readonly Series[],
): Series[] {
  const retentions = new Retentions(kept)
  const at = microsecondsOf(now())
  const earliest = new Map<string, number>()
  return series.map((one) => {
    const { characteristicUuid: uuid } = one
    const since = earliest.get(uuid) ?? retentions.earliestOf(uuid, at)
    earliest.set(uuid, since)
    return { ...one, earliest: since }
  })
}

/** References to the series that have points. */
export function referencesOf(series: readonly ReadableSeries[]): SeriesReference[] {
  return series.filter(hasPoints).map(referenceOf)
}

type WithPoints = ReadableSeries & { readonly id: number }

function hasPoints(series: ReadableSeries): series is WithPoints {
  return series.id !== null
}

export function referenceOf({ id, kind, earliest = 0, erased }: WithPoints): SeriesReference {
  return { seriesId: id, kind, earliest, erased }
}
