import fc from 'fast-check'
import { parquetMetadata, parquetReadObjects, type ParquetParsers } from 'hyparquet'
import { buffer, text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { kindOf, type Columns, type Values } from '../../../../src/datapoints/chunks/point-columns.ts'
import { timestampText } from '../../../../src/datapoints/wire/timestamp-text.ts'
import { exportCsv } from '../../../../src/platform/datapoints/export/export-csv.ts'
import { exportNdjson } from '../../../../src/platform/datapoints/export/export-ndjson.ts'
import { exportBucketsParquet } from '../../../../src/platform/datapoints/export/export-buckets-parquet.ts'
import { exportParquet } from '../../../../src/platform/datapoints/export/export-parquet.ts'
import type { ExportedPart } from '../../../../src/platform/datapoints/export/exported-part.ts'
import type { Json } from '../../../../src/lib/json.ts'
import { someColumns } from '../../../datapoints/some-columns.ts'
import { readCsv } from '../../../support/csv.ts'

const SERIES = {
  system_uuid: '00000000-0000-4000-8000-000000000001',
  component_uuid: '00000000-0000-4000-8000-000000000002',
  service_uuid: '00000000-0000-4000-8000-000000000003',
  characteristic_uuid: '00000000-0000-4000-8000-000000000004',
}
const UUIDS = Object.values(SERIES).join(',')

function show(stored: unknown): Json {
  return typeof stored === 'bigint' ? String(stored) : (stored as Json)
}

function part(columns: Columns): ExportedPart {
  return { series: SERIES, rules: { kind: kindOf(columns.values), show }, columns }
}

function partOf(...values: string[]): ExportedPart {
  return part({ at: Float64Array.from(values.keys()), values })
}

async function* inParts(...parts: ExportedPart[]): AsyncGenerator<ExportedPart> {
  yield* parts
}

async function cells(values: string[], guardFormulas: boolean): Promise<string[]> {
  const csv = await text(exportCsv(inParts(partOf(...values)), { guardFormulas }))
  return readCsv(csv)
    .slice(1)
    .map((row) => row[5] ?? '')
}

function valueOf(values: Values, index: number): unknown {
  return values instanceof Uint8Array ? values[index] === 1 : values[index]
}

function rowsOf({ at, values }: Columns) {
  return Array.from(at, (time, index) => ({ timestamp: BigInt(time), ...SERIES, value: valueOf(values, index) }))
}

describe('CSV', () => {
  it('has a header, one line a point, and lines that end as RFC 4180 says', async () => {
    const parts = inParts(
      part({ at: Float64Array.of(0, 1_500), values: Float64Array.of(1.5, -0) }),
      part({ at: Float64Array.of(2_000_000), values: BigInt64Array.of(2n ** 63n - 1n) }),
    )
    expect(await text(exportCsv(parts, { guardFormulas: false }))).toBe(
      [
        'timestamp,system_uuid,component_uuid,service_uuid,characteristic_uuid,value',
        `1970-01-01T00:00:00.000Z,${UUIDS},1.5`,
        `1970-01-01T00:00:00.001500Z,${UUIDS},-0`,
        `1970-01-01T00:00:02.000Z,${UUIDS},9223372036854775807`,
        '',
      ].join('\r\n'),
    )
  })

  it('gives every text back', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('"', ',', '\r\n', '\n', ' a ', '')), {
          minLength: 1,
        }),
        async (values) => {
          expect(await cells(values, false)).toStrictEqual(values)
        },
      ),
    )
  })

  it('keeps formulas as they are, or guards them where that is asked for', async () => {
    const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1']
    expect(await cells(formulas, false)).toStrictEqual(formulas)
    expect(await cells(formulas, true)).toStrictEqual(formulas.map((formula) => `'${formula}`))
    expect(await cells(['plain', '1-2', 'a=b'], true)).toStrictEqual(['plain', '1-2', 'a=b'])
  })
})

describe('NDJSON', () => {
  it('has datapoints as they could be sent again', async () => {
    const parts = inParts(
      part({ at: Float64Array.of(1_000), values: Uint8Array.of(1) }),
      part({ at: Float64Array.of(2_000), values: Float64Array.of(-0) }),
    )
    const lines = (await text(exportNdjson(parts))).split('\n')
    expect(lines.slice(0, -1).map((line) => JSON.parse(line) as unknown)).toStrictEqual([
      { timestamp: '1970-01-01T00:00:00.001Z', ...SERIES, value: true },
      { timestamp: '1970-01-01T00:00:00.002Z', ...SERIES, value: -0 },
    ])
    expect(lines.at(-1)).toBe('')
  })

  it('has every value, in whatever parts it comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        someColumns('float', 10 ** 9),
        fc.array(fc.string({ unit: 'grapheme' })),
        async (columns, texts) => {
          const lines = (await text(exportNdjson(inParts(part(columns), partOf(...texts))))).trimEnd().split('\n')
          const values = lines
            .filter((line) => line !== '')
            .map((line) => (JSON.parse(line) as { value: unknown }).value)
          expect(values).toEqual([...(columns.values as Float64Array), ...texts])
        },
      ),
    )
  })

  it('reaches the network before it is complete', async () => {
    const long = 'x'.repeat(40_000)
    const pieces = exportNdjson(inParts(partOf(long, long, long, long)))
    expect((await pieces.next()).value?.length).toBeLessThan(100_000)
    expect((await pieces.next()).value?.length).toBeLessThan(100_000)
    expect((await pieces.next()).done).toBe(true)
  })
})

describe('Parquet', () => {
  /** As they are stored, without making dates and numbers of them. */
  const parsers = { timestampFromMicroseconds: (micros: bigint) => micros } as unknown as ParquetParsers

  async function readBack(parts: ExportedPart[], rowsPerGroup: number) {
    const kinds = new Set(parts.map(({ rules }) => rules.kind))
    const bytes = await buffer(exportParquet(inParts(...parts), { kinds, rowsPerGroup }))
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
    return { rows: await parquetReadObjects({ file, parsers }), metadata: parquetMetadata(file) }
  }

  it.each(['float', 'integer', 'boolean', 'text'] as const)('gives back every %s', async (kind) => {
    await fc.assert(
      fc.asyncProperty(someColumns(kind, 10 ** 9), fc.integer({ min: 1, max: 50 }), async (columns, rowsPerGroup) => {
        const { rows, metadata } = await readBack([part(columns)], rowsPerGroup)
        expect(rows).toStrictEqual(rowsOf(columns))
        expect(metadata.row_groups).toHaveLength(Math.ceil(columns.at.length / rowsPerGroup))
      }),
      { numRuns: 30 },
    )
  })

  it('has a column for each kind of value', async () => {
    const { rows } = await readBack([partOf('on'), part({ at: Float64Array.of(5), values: Float64Array.of(0.5) })], 10)
    expect(rows).toStrictEqual([
      { timestamp: 0n, ...SERIES, value_text: 'on', value_float: null },
      { timestamp: 5n, ...SERIES, value_text: null, value_float: 0.5 },
    ])
  })

  it('is a file also without a point', async () => {
    expect((await readBack([part({ at: new Float64Array(), values: new Float64Array() })], 10)).rows).toStrictEqual([])
  })

  it('says that its times are microseconds in UTC', async () => {
    const { metadata } = await readBack([partOf('')], 10)
    expect(metadata.schema[1]).toMatchObject({
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    })
  })
})

async function groupsOf(parts: AsyncIterable<Uint8Array>) {
  const bytes = await buffer(parts)
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const groups = parquetMetadata(file).row_groups.map(({ num_rows }) => Number(num_rows))
  return { groups, rows: await parquetReadObjects({ file }), size: bytes.length }
}

const bucketsOf = (cells: readonly object[]) => {
  const buckets = cells.map((one, index) => ({ from: index, to: index + 1, count: 1, cells: one }))
  return (async function* () {
    yield { series: SERIES, rules: { kind: 'text' as const, show }, buckets }
  })()
}

describe('Parquet in row groups that are written in one go', () => {
  it('ends a group of points with a million characters', async () => {
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(600_000))
    const { groups, rows } = await groupsOf(exportParquet(inParts(partOf(...texts)), { kinds: new Set(['text']) }))
    expect(groups).toStrictEqual([2, 1])
    expect(rows.map(({ value }) => value)).toStrictEqual(texts)
  })

  it('ends a group of buckets by its characters, and has a text once that fills several', async () => {
    const filled = ['abc', 'def', ...Array.from({ length: 5_000 }, () => 'x'.repeat(100)), 'ghi', 'jkl']
    const options = { kind: 'text', aggregations: ['last'], fill: 'previous', charactersPerGroup: 109 } as const
    const { groups, rows, size } = await groupsOf(
      exportBucketsParquet(bucketsOf(filled.map((last) => ({ last }))), options),
    )
    expect(groups).toStrictEqual([5_003, 1])
    expect(rows.map(({ last }) => last)).toStrictEqual(filled)
    expect(size).toBeLessThan(100_000)
  })

  it('has fewer buckets in a group where each has many figures', async () => {
    const aggregations = ['min', 'max', 'avg', 'first', 'last'] as const
    const options = { kind: 'float', aggregations, fill: 'none' } as const
    const cells = Array.from({ length: 10_000 }, (_, index) => ({ min: index, last: 1 }))
    const { groups, rows } = await groupsOf(exportBucketsParquet(bucketsOf(cells), options))
    expect(groups).toStrictEqual([5_462, 4_538])
    expect(rows.at(-1)).toMatchObject({ min: 9_999, last: 1, max: null })
  })
})

describe('times', () => {
  it('are the same as those of Date, with what is finer', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 12), max: 9 * 10 ** 12 }), fc.nat(999), (ms, micros) => {
        const expected = new Date(ms).toISOString()
        expect(timestampText(ms * 1000 + micros)).toBe(
          micros === 0 ? expected : expected.replace('Z', `${String(micros).padStart(3, '0')}Z`),
        )
      }),
    )
  })
})
