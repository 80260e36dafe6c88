import type { Columns } from '../../../datapoints/chunks/point-columns.ts'
import type { Bucket } from '../../../datapoints/buckets/fill.ts'
import type { ValueRules } from '../../../records/values/value.ts'
import { breather } from '../../../db/breather.ts'

/** The uuids of a series, under the field names of a sent point. */
export interface ExportedSeries {
  readonly system_uuid: string
  readonly component_uuid: string
  readonly service_uuid: string
  readonly characteristic_uuid: string
}

interface OfSeries {
  readonly series: ExportedSeries
  readonly rules: Pick<ValueRules, 'kind' | 'show'>
}

export interface ExportedPart extends OfSeries {
  readonly columns: Columns
}

export interface ExportedBuckets extends OfSeries {
  readonly buckets: readonly Bucket[]
}

export const SERIES_FIELDS = ['system_uuid', 'component_uuid', 'service_uuid', 'characteristic_uuid'] as const

/** The number of characters that are written at once. Long texts are sent before further ones are made. */
const PIECE = 65_536

/** Joins lines to pieces of a sensible size, as bytes. It pauses between them, because a client may never pause. */
export async function* inPieces(lines: AsyncIterable<Iterable<string>>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const breathe = breather()
  let piece = ''
  for await (const part of lines) {
    for (const line of part) {
      piece += line
      if (piece.length < PIECE) continue
      yield encoder.encode(piece)
      piece = ''
      await breathe()
    }
  }
  if (piece !== '') yield encoder.encode(piece)
}
