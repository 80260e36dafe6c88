import { ByteWriter, ParquetWriter, type ColumnSource, type SchemaElement } from 'hyparquet-writer'
import type { Values } from '../../../datapoints/chunks/point-columns.ts'
import type { ValueKind } from '../../../records/values/value.ts'
import { breather } from '../../../db/breather.ts'
import { SERIES_FIELDS, type ExportedPart, type ExportedSeries } from './exported-part.ts'

export interface ParquetOptions {
  /** The kinds of all parts, because the columns of a file must be known before its rows. */
  readonly kinds: ReadonlySet<ValueKind>
  readonly rowsPerGroup?: number
}

/** The rows of a row group. It must be worth its header, but is written without a pause for other work. */
const ROWS_PER_GROUP = 16_384
export const CHARACTERS_PER_GROUP = 1_048_576

/**
 * Writes Apache Parquet, row group by row group. Values are in the typed column `value`. If the series have several
 * kinds, there is a column for each kind (`value_float` and so on), and the other columns of a row are null.
 */
export async function* exportParquet(
  parts: AsyncIterable<ExportedPart>,
  { kinds, rowsPerGroup = ROWS_PER_GROUP }: ParquetOptions,
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter()
  const file = new ParquetWriter({ writer: bytes, schema: schemaOf(kinds), createdBy: 'holdfast' })
  const breathe = breather()
  let group = new RowGroup(kinds)
  for await (const part of parts) {
    for (let start = 0; start < part.columns.at.length;) {
      start = group.take(part, start, rowsPerGroup)
      await breathe()
      if (!group.isFull(rowsPerGroup)) continue
      await group.writeTo(file)
      group = new RowGroup(kinds)
      yield takeBytes(bytes)
      await breathe()
    }
  }
  await group.writeTo(file)
  await file.finish()
  yield takeBytes(bytes)
}

/** Takes the bytes since the last call. The writer continues to count, so the offsets in the file stay correct. */
export function takeBytes(writer: ByteWriter): Uint8Array {
  const bytes = writer.getBytes().slice()
  writer.index = 0
  return bytes
}

class RowGroup {
  readonly #times: bigint[] = []
  readonly #series: { readonly [field in keyof ExportedSeries]: string[] }
  readonly #values: ReadonlyMap<ValueKind, unknown[]>
  #characters = 0

  constructor(kinds: ReadonlySet<ValueKind>) {
    this.#series = { system_uuid: [], component_uuid: [], service_uuid: [], characteristic_uuid: [] }
    this.#values = new Map([...kinds].map((kind) => [kind, []]))
  }

  /** Takes rows from `start` until the group is full, and returns the index of the next row. */
  take({ columns: { at, values }, series, rules }: ExportedPart, start: number, rows: number): number {
    let index = start
    for (; index < at.length && !this.isFull(rows); index++) {
      this.#times.push(BigInt(at[index] ?? 0))
      for (const field of SERIES_FIELDS) this.#series[field].push(series[field])
      for (const [kind, column] of this.#values) column.push(kind === rules.kind ? this.#valueAt(values, index) : null)
    }
    return index
  }

  #valueAt(values: Values, index: number): unknown {
    const value = values[index]
    if (typeof value === 'string') this.#characters += value.length
    return values instanceof Uint8Array ? value === 1 : value
  }

  isFull(rows: number): boolean {
    return this.#times.length >= rows || this.#characters >= CHARACTERS_PER_GROUP
  }

  async writeTo(file: ParquetWriter): Promise<void> {
    const values = [...this.#values].map(([kind, data]) => ({
      name: valueName(kind, this.#values.size),
      data,
      ...(data.some((value) => Object.is(value, -0)) && WITHOUT_DICTIONARY),
      ...(kind === 'text' && WITHOUT_STATISTICS),
    }))
    const columnData: ColumnSource[] = [
      { name: 'timestamp', data: this.#times, encoding: 'DELTA_BINARY_PACKED' },
      ...SERIES_FIELDS.map((name) => ({ name, data: this.#series[name] })),
      ...values,
    ]
    if (this.#times.length > 0) await file.write({ columnData, rowGroupSize: this.#times.length })
  }
}

/** The dictionary encoding of the library would merge 0 and -0. */
const WITHOUT_DICTIONARY = { encoding: 'PLAIN' } as const
/** The library keeps the least and the greatest text of each group until the end of the file. */
export const WITHOUT_STATISTICS = { statistics: false } as const

export const VALUE_TYPES: { readonly [kind in ValueKind]: Omit<SchemaElement, 'name'> } = {
  float: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
}

export function timeColumn(name: string): SchemaElement {
  return {
    name,
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    repetition_type: 'REQUIRED',
  }
}

function schemaOf(kinds: ReadonlySet<ValueKind>): SchemaElement[] {
  const repetition_type = kinds.size === 1 ? 'REQUIRED' : 'OPTIONAL'
  return [
    { name: 'datapoints', num_children: 1 + SERIES_FIELDS.length + kinds.size },
    timeColumn('timestamp'),
    ...SERIES_FIELDS.map((name): SchemaElement => ({
      name,
      type: 'BYTE_ARRAY',
      converted_type: 'UTF8',
      repetition_type: 'REQUIRED',
    })),
    ...[...kinds].map(
      (kind) => ({ name: valueName(kind, kinds.size), ...VALUE_TYPES[kind], repetition_type }) as const,
    ),
  ]
}

function valueName(kind: ValueKind, kinds: number): string {
  return kinds === 1 ? 'value' : `value_${kind}`
}
