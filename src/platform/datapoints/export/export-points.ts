import type { ExportedPart, ExportedSeries } from './exported-part.ts'
import { referenceOf, type ReadableSeries } from '../reading/series/readable-series.ts'
import type { PointReader } from '../reading/stored/point-reader.ts'

/** A series that has points. */
export type SeriesWithPoints = ReadableSeries & { readonly id: number }

export function withPoints(series: readonly ReadableSeries[]): SeriesWithPoints[] {
  return series.flatMap((one) => (one.id === null ? [] : [{ ...one, id: one.id }]))
}

export function labelsOf(series: ReadableSeries): ExportedSeries {
  return {
    system_uuid: series.systemUuid,
    component_uuid: series.componentUuid,
    service_uuid: series.serviceUuid,
    characteristic_uuid: series.characteristicUuid,
  }
}

/** Yields all points of these series, oldest first, one series after the other. */
export async function* exportPoints(
  reader: PointReader,
  series: readonly SeriesWithPoints[],
  range: { readonly from: number; readonly to: number },
): AsyncGenerator<ExportedPart> {
  const byId = new Map(series.map((one) => [one.id, one]))
  const parts = reader.read(series.map(referenceOf), { ...range, order: 'oldest first' })
  for await (const { seriesId, columns } of parts) {
    const one = byId.get(seriesId)
    if (one !== undefined) yield { series: labelsOf(one), rules: one.rules, columns }
  }
}
