import type { Sql } from '../../db/sql.ts'
import type { ValueKind } from '../../datapoints/rules/value.ts'
import { DATA_TYPES } from '../../records/types/data-types.ts'
import { fromLines, toLines } from '../lines.ts'
import type { HotPoint } from './points.ts'

/** The values of one kind that are stored under a characteristic. */
export interface ValuesOf {
  /** The key of the characteristic. */
  readonly key: string
  readonly kind: ValueKind
}

/** The series that a point or a chunk is of. */
export interface SeriesOrigin {
  /** The key of the characteristic. */
  readonly key: string
  readonly characteristicUuid: string
  readonly seriesId: number
  readonly systemUuid: string
  readonly componentUuid: string
}

export interface StoredHotPoint extends HotPoint, SeriesOrigin {}

export interface StoredChunkOf extends SeriesOrigin {
  /** Microseconds since 1970. */
  readonly t0: number
  readonly points: Uint8Array
}

const ORIGIN = `wanted.key, s.characteristic_uuid as "characteristicUuid", s.id as "seriesId",
  s.system_uuid as "systemUuid", s.component_uuid as "componentUuid"`

const SERIES = `${fromLines('wanted', ['key', 'kind'], 2)}
  join records r on r.domain_id = $1 and r.type = '${DATA_TYPES.characteristic}' and r.key = wanted.key
  join series s on s.domain_id = $1 and s.characteristic_uuid = r.uuid and s.value_kind = wanted.kind`

/** Fetches the points that are not folded yet, in the order of writing; the transaction must hold the hot points. */
export async function fetchHotValues(
  sql: Sql,
  domainId: number,
  values: readonly ValuesOf[],
): Promise<StoredHotPoint[]> {
  return sql.query<StoredHotPoint>(
    `select ${ORIGIN}, h.at, h.generation, h.float8, h.whole::text as whole, h.text
     from ${SERIES} join datapoints_hot h on h.series_id = s.id order by h.generation, h.position`,
    [domainId, ...linesOf(values)],
  )
}

/** The number of chunks that are fetched at a time, and so are in memory together. */
const CHUNKS_AT_ONCE = 100

/** Reads all that is folded, series by series, oldest first, by a cursor that ends with the transaction. */
export async function* readFoldedValues(
  sql: Sql,
  domainId: number,
  values: readonly ValuesOf[],
): AsyncGenerator<StoredChunkOf[]> {
  await sql.query(
    `declare folded_values no scroll cursor for
     select ${ORIGIN}, c.t0, c.points from ${SERIES}
     join datapoint_chunks c on c.domain_id = $1 and c.series_id = s.id
     order by s.id, c.t0, c.generation`,
    [domainId, ...linesOf(values)],
  )
  for (;;) {
    const chunks = await sql.query<StoredChunkOf>(`fetch ${CHUNKS_AT_ONCE} from folded_values`)
    if (chunks.length === 0) break
    yield chunks
  }
  await sql.query(`close folded_values`)
}

function linesOf(values: readonly ValuesOf[]): string[] {
  return [toLines(values.map(({ key }) => key)), toLines(values.map(({ kind }) => kind))]
}
