import type { ExportedPart } from './exported-part.ts'
import type { ReadableSeries } from './find-series.ts'
import type { PointReader } from './point-reader.ts'

/** All points of these series, oldest first, one series after the other. */
export async function* exportPoints(
  reader: PointReader,
  series: readonly ReadableSeries[],
  range: { readonly from: number; readonly to: number },
): AsyncGenerator<ExportedPart> {
  for (const one of series) {
    if (one.id === null) continue
    const labels = {
      system_uuid: one.systemUuid,
      component_uuid: one.componentUuid,
      service_uuid: one.serviceUuid,
      characteristic_uuid: one.characteristicUuid,
    }
    const parts = reader.read([{ seriesId: one.id, kind: one.kind }], { ...range, order: 'oldest first' })
    for await (const { columns } of parts) yield { series: labels, rules: one.rules, columns }
  }
}
