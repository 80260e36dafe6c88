import { ByteWriter, ParquetWriter, type ColumnSource, type SchemaElement } from 'hyparquet-writer'
import type { Aggregation } from '../../../datapoints/buckets/aggregate.ts'
import type { Cell } from '../../../datapoints/chunks/point-columns.ts'
import type { Bucket, Fill } from '../../../datapoints/buckets/fill.ts'
import type { ValueKind } from '../../../records/values/value.ts'
import { breather } from '../../../db/breather.ts'
import { figuresOf } from './export-buckets.ts'
import { toSnake } from '../../../lib/letter-case.ts'
import { CHARACTERS_PER_GROUP, takeBytes, timeColumn, VALUE_TYPES, WITHOUT_STATISTICS } from './export-parquet.ts'
import { SERIES_FIELDS, type ExportedBuckets } from './exported-part.ts'

export interface BucketsParquetOptions {
  /** The value kind of all series. A figure is one column, and a column has one type. */
  readonly kind: ValueKind
  readonly aggregations: readonly Aggregation[]
  readonly fill: Fill
  readonly charactersPerGroup?: number
}

/** The maximum number of cells of a row group. The library writes a group in one go, for which all others wait. */
const CELLS_PER_GROUP = 65_536

/** Writes Apache Parquet in row groups, each of one series. Missing figures are null. */
export async function* exportBucketsParquet(
  parts: AsyncIterable<ExportedBuckets>,
  options: BucketsParquetOptions,
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter()
  const figures = figuresOf(options.aggregations)
  const file = new ParquetWriter({ writer: bytes, schema: schemaOf(figures, options), createdBy: 'holdfast' })
  const breathe = breather()
  for await (const { series, rules, buckets } of parts)
    for (const group of groupsOf(buckets, figures, options.charactersPerGroup)) {
      const columnData = columnsOf({ series, rules, buckets: group }, figures, options)
      await file.write({ columnData, rowGroupSize: group.length })
      yield takeBytes(bytes)
      await breathe()
    }
  await file.finish()
  yield takeBytes(bytes)
}

/** Cuts buckets into row groups. A text that fills several buckets is in the dictionary of its group once. */
function* groupsOf(
  buckets: readonly Bucket[],
  figures: readonly Aggregation[],
  mostCharacters = CHARACTERS_PER_GROUP,
): Generator<readonly Bucket[]> {
  const most = Math.ceil(CELLS_PER_GROUP / (3 + SERIES_FIELDS.length + figures.length))
  let [start, characters] = [0, 0]
  for (const [index, { cells }] of buckets.entries()) {
    for (const name of figures) {
      const cell = cells[name]
      if (typeof cell === 'string' && cell !== buckets[index - 1]?.cells[name]) characters += cell.length
    }
    if (index + 1 - start < most && characters < mostCharacters) continue
    yield buckets.slice(start, index + 1)
    ;[start, characters] = [index + 1, 0]
  }
  if (start < buckets.length) yield buckets.slice(start)
}

function schemaOf(figures: readonly Aggregation[], options: BucketsParquetOptions): SchemaElement[] {
  return [
    { name: 'buckets', num_children: 3 + SERIES_FIELDS.length + figures.length },
    timeColumn('from'),
    timeColumn('to'),
    ...SERIES_FIELDS.map((name): SchemaElement => ({ name, ...VALUE_TYPES.text, repetition_type: 'REQUIRED' })),
    { name: 'count', type: 'INT64', repetition_type: 'REQUIRED' },
    ...figures.map((name): SchemaElement => ({
      name: toSnake(name),
      ...VALUE_TYPES[typeOf(name, options)],
      repetition_type: 'OPTIONAL',
    })),
  ]
}

const VALUES: readonly Aggregation[] = ['min', 'max', 'first', 'last']
const AMOUNTS: readonly Aggregation[] = ['sum', 'delta']

/** The type of a figure's column. Sums of whole numbers may exceed any numeric column, so they are decimal text. */
function typeOf(name: Aggregation, { kind, fill }: BucketsParquetOptions): ValueKind {
  if (name === 'changes') return 'integer'
  if (kind === 'integer' && AMOUNTS.includes(name)) return 'text'
  if (!VALUES.includes(name)) return 'float'
  // Linear interpolation between whole numbers may give fractions.
  return kind === 'integer' && fill === 'linear' ? 'float' : kind
}

function columnsOf(
  { series, buckets }: ExportedBuckets,
  figures: readonly Aggregation[],
  options: BucketsParquetOptions,
): ColumnSource[] {
  return [
    { name: 'from', data: buckets.map(({ from }) => BigInt(from)), encoding: 'DELTA_BINARY_PACKED' },
    { name: 'to', data: buckets.map(({ to }) => BigInt(to)), encoding: 'DELTA_BINARY_PACKED' },
    ...SERIES_FIELDS.map((name) => ({ name, data: buckets.map(() => series[name]) })),
    { name: 'count', data: buckets.map(({ count }) => BigInt(count)) },
    ...figures.map((name) => {
      const type = typeOf(name, options)
      const data = buckets.map(({ cells }) => asType(cells[name] ?? null, type))
      return { name: toSnake(name), data, ...(type === 'text' && TEXT_COLUMN) }
    }),
  ]
}

const TEXT_COLUMN = { encoding: 'RLE_DICTIONARY', ...WITHOUT_STATISTICS } as const

function asType(cell: Cell, type: ValueKind): unknown {
  if (cell === null) return null
  if (type === 'integer') return BigInt(cell)
  if (type === 'float') return Number(cell)
  return type === 'text' ? String(cell) : cell
}
