import { encode } from '@msgpack/msgpack'
import * as fc from 'fast-check'
import { parquetReadObjects } from 'hyparquet'
import { beforeAll, describe, expect, it } from 'vitest'
import { decodeSegment } from '../../src/datapoints/segments/segment.ts'
import { timestampText } from '../../src/datapoints/wire/timestamp-text.ts'
import { BYTEA, INT8, TEXT } from '../../src/db/columns.ts'
import type { Json } from '../../src/lib/json.ts'
import { DATA_TYPES, sampleOf } from '../datapoints/values.ts'
import { makeAnySite, type AnySite } from '../support/any-site.ts'
import { readCsv } from '../support/csv.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { HOSTS, TOKEN } from './test-server.ts'
import { runsOf } from '../support/runs.ts'
import { context, server, useServer } from './one-server.ts'

// Whatever is accepted is read back as it was sent: in whichever form it came, wherever it is kept, and however it is read.

const OPTIONS = ['on', 'off', 'Ünïcode ☀', '__proto__'].map((key) => ({ key, label: key }))
const CHARACTERISTICS = {
  ...Object.fromEntries(DATA_TYPES.map((dataType) => [dataType.toLowerCase(), { dataType, options: OPTIONS }])),
  'select-many': { dataType: 'SELECT', options: OPTIONS, multiple: true },
}

interface Point {
  readonly code: string
  readonly value: Json
  /** Microseconds since 1970. */
  readonly at: number
}

const START = Date.UTC(2026, 0, 31, 23, 59, 59) * 1_000

/** Of all data types, at times with microseconds that go over midnight. */
const points: fc.Arbitrary<Point[]> = fc
  .array(fc.oneof(...DATA_TYPES.map(sampleOf)), { minLength: 20, maxLength: 60 })
  .map((samples) =>
    samples.map(({ characteristic, value }, index) => ({
      code: characteristic['multiple'] === true ? 'select-many' : String(characteristic['dataType']).toLowerCase(),
      value,
      at: START + index * 100_001,
    })),
  )
  // The samples have an option without a key, which no model may have.
  .map((all) => all.filter(({ code, value }) => !code.startsWith('select') || ![value].flat().includes('')))

/** What random values would hardly hit. */
const SPECIAL: readonly (readonly [code: string, value: Json])[] = [
  ...[
    -0,
    0,
    1e308,
    -1e308,
    5e-324,
    -5e-324,
    2.225073858507201e-308,
    0.1,
    1 / 3,
    2 ** 53 + 2,
    123456789012345680000,
  ].map((value) => ['float', value] as const),
  ...[0, -1, 2 ** 53 - 1, '9007199254740993', '9223372036854775807', '-9223372036854775808'].map(
    (value) => ['integer', value] as const,
  ),
  ...['', ' ', 'a\ufeff', 'a\r\n"b",', '\u0001\u007f\u0085\u2028', '😀'.repeat(1_000), 'é', 'e\u0301', '=1+1'].map(
    (value) => ['string', value] as const,
  ),
  ['blob', ''],
  ['blob', Buffer.alloc(256 * 1024, 0xa5).toString('base64')],
  ...[[], {}, '', 'text', 0, false, [null], { '': { '\u0000': 1 } }, { a: 5e-324, b: 2 ** 53 - 1 }, '\ufeff'].map(
    (value) => ['json', value] as const,
  ),
  ['json', JSON.parse('{"__proto__": {"constructor": 1}}') as Json],
  ['select-many', []],
  ['timestamp', '2026-01-01T00:00:00.123456789+05:45'],
  ['time', '06:30:00.000000'],
]

const special: Point[] = SPECIAL.map(([code, value], index) => ({ code, value, at: START - 1_000_000 - index }))

function get(query: string, accept: string): Promise<Response> {
  const headers = { host: HOSTS.first, authorization: `Bearer ${TOKEN}`, accept }
  return fetch(`${server.url}/rest/v1/data-points?${query}`, { headers })
}

describe.each(SAMPLED_DATABASES)('values on $name', (kind) => {
  /** The first component is sent JSON, the second one MessagePack. */
  let site: AnySite

  useServer({ kind })
  beforeAll(async () => {
    site = await makeAnySite(context, CHARACTERISTICS, 2)
  })

  async function send(all: readonly Point[]): Promise<void> {
    const path = '/rest/v1/data-points/add'
    const elements = all.map(({ code, value, at }) => {
      const text = JSON.stringify(site.point(code, 'VALUE', timestampText(at)))
      // JSON.stringify forgets the sign of zero.
      return text.replace('"VALUE"', () => (Object.is(value, -0) ? '-0' : JSON.stringify(value)))
    })
    const packed = all.map(({ code, value, at }) => site.point(code, packedValue(code, value), timestampText(at), 1))
    const body = encode(packed, { useBigInt64: true, forceIntegerToFloat: true })
    const headers = { 'content-type': 'application/vnd.msgpack' }
    const answers = [
      await server.call({ path, body: `[${elements.join()}]` }),
      await server.call({ path, body, headers }),
    ]
    expect(answers.map(({ status, text }) => [status, text])).toStrictEqual([
      [201, ''],
      [201, ''],
    ])
  }

  const characteristicOf = (code: string) => site.point(code, null).characteristic_uuid
  const codeOf = (uuid: string) => Object.keys(CHARACTERISTICS).find((code) => characteristicOf(code) === uuid) ?? ''

  async function byRest(code: string, component: number): Promise<unknown[]> {
    const { component_uuid, service_uuid, characteristic_uuid } = site.point(code, null, 0, component)
    const query = new URLSearchParams({ component_uuid, service_uuid, characteristic_uuid, first: '10000' })
    const answer = (await (await get(String(query), 'application/json')).json()) as { points: unknown[] }
    return answer.points
  }

  async function byGraphql(code: string, component: number): Promise<unknown[]> {
    const query = `query ($component: ID!, $characteristic: String!) {
      datapoints(component: $component, service: "all", characteristic: $characteristic, first: 10000) {
        points { timestamp value } } }`
    const variables = { component: site.componentUuids[component], characteristic: code }
    const { datapoints } = await server.data<{ datapoints: { points: unknown[] } }>(query, variables)
    return datapoints.points
  }

  /** `code component` → [time, value] of a file of all. */
  async function byNdjson(): Promise<Stored> {
    const lines = (await (await get(`system_uuid=${site.systemUuid}`, 'application/x-ndjson')).text())
      .trimEnd()
      .split('\n')
    return stored(lines.map((line) => JSON.parse(line) as Row))
  }

  async function byCsv(): Promise<Stored> {
    const [names = [], ...rows] = readCsv(await (await get(`system_uuid=${site.systemUuid}`, 'text/csv')).text())
    return stored(
      rows.map((cells) => {
        const row = Object.fromEntries(names.map((field, index) => [field, cells[index]])) as unknown as Row
        return { ...row, value: fromText(codeOf(row.characteristic_uuid), String(row.value)) }
      }),
    )
  }

  async function byParquet(): Promise<Stored> {
    const file = await (await get(`system_uuid=${site.systemUuid}`, 'application/vnd.apache.parquet')).arrayBuffer()
    const rows = await parquetReadObjects({
      file,
      parsers: {
        timestampFromMicroseconds: (at: bigint) => timestampText(Number(at)),
        // The decoder of the library would drop U+FEFF.
        stringFromBytes: (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString(),
      },
    })
    return stored(
      rows.map((row) => {
        const values = ['value_float', 'value_integer', 'value_boolean', 'value_text'].map(
          (column) => row[column] as unknown,
        )
        const value = values.find((one) => one !== null && one !== undefined)
        const shown =
          typeof value === 'string' ? fromText(codeOf(String(row['characteristic_uuid'])), value) : shownNumber(value)
        return { ...(row as unknown as Row), value: shown }
      }),
    )
  }

  function stored(rows: readonly Row[]): Stored {
    const groups = Map.groupBy(
      rows,
      (row) => `${codeOf(row.characteristic_uuid)} ${site.componentUuids.indexOf(row.component_uuid)}`,
    )
    return new Map(
      [...groups].map(([series, own]) => [series, own.map(({ timestamp, value }) => ({ timestamp, value }))]),
    )
  }

  async function expectAll(all: readonly Point[]): Promise<void> {
    const files = [await byNdjson(), await byCsv(), await byParquet()]
    for (const [code, own] of Map.groupBy(all, (point) => point.code)) {
      const expected = own
        .toSorted((a, b) => a.at - b.at)
        .map(({ at, value }) => ({ timestamp: timestampText(at), value }))
      for (const component of [0, 1]) {
        expect(await byRest(code, component)).toStrictEqual(expected)
        // An answer of GraphQL is written by its library, for which 0 and -0 are one number.
        const withoutSign = expected.map((point) => (point.value === 0 ? { ...point, value: 0 } : point))
        expect(await byGraphql(code, component)).toStrictEqual(withoutSign)
        for (const file of files) expect(file.get(`${code} ${component}`)).toStrictEqual(expected)
      }
    }
  }

  /** The values as the database has them, where they are hot: the bits of a double, and all others as they are. */
  async function bits(component: number): Promise<unknown[]> {
    const keys = await server.database.rows(
      { id: INT8, key: TEXT },
      `select s.id, r.key from series s join records r on r.domain_id = s.domain_id and r.uuid = s.characteristic_uuid
       where s.component_uuid = $1`,
      [site.componentUuids[component] ?? ''],
    )
    const segments = await server.database.rows(
      { series: BYTEA, points: BYTEA },
      `select series, points from datapoints_hot`,
    )
    const keyOf = new Map(keys.map(({ id, key }) => [id, key]))
    const found = segments.flatMap((segment) => decodeSegment(segment, new Set(keyOf.keys())))
    return found
      .flatMap(({ seriesId, points: { at, values } }) =>
        Array.from(at, (time, index) => [keyOf.get(seriesId), time, bitsOf(values[index])] as const),
      )
      .sort(([a = '', atA], [b = '', atB]) => atA - atB || a.localeCompare(b))
  }

  it(
    'are the same bits from JSON and MessagePack, and are read back equal, packed or not',
    { timeout: 180_000 },
    async () => {
      const property = fc.asyncProperty(points, async (random) => {
        await server.database.script('truncate datapoint_chunks, datapoint_blocks, datapoints_hot')
        const all = [...special, ...random]
        await send(all)
        expect(await bits(1)).toStrictEqual(await bits(0))
        expect(await bits(0)).toHaveLength(all.length)
        await expectAll(all)
        await server.datapoints.compactor.compact()
        expect(await bits(0)).toStrictEqual([])
        await expectAll(all)
        await server.datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)
        await expectAll(all)
        await server.datapoints.merger.sweep()
        await server.datapoints.merger.merge(Number.MAX_SAFE_INTEGER)
        await expectAll(all)
      })
      await fc.assert(property, { numRuns: runsOf('LAW_RUNS', { sample: 2, long: 4 }), endOnFailure: true })
    },
  )

  it('that JSON cannot say exactly are refused by name', async () => {
    const body = JSON.stringify([site.point('json', 'VALUE')])
    for (const number of ['9007199254740993', '-9007199254740995', '123456789012345678901234567890', '1e999']) {
      for (const value of [number, `[${number}]`, `{"a":{"b":[1,${number}]}}`]) {
        const answer = await server.call({ path: '/rest/v1/data-points/add', body: body.replace('"VALUE"', value) })
        expect(answer).toMatchObject({
          status: 422,
          json: {
            errors: [
              {
                pointer: '/0/value',
                code: 'wrong-type',
                detail: expect.stringMatching(/number.* in the value/) as string,
              },
            ],
          },
        })
      }
    }
  })
})

interface Row {
  readonly timestamp: string
  readonly component_uuid: string
  readonly characteristic_uuid: string
  readonly value: unknown
}

type Stored = ReadonlyMap<string, readonly { readonly timestamp: string; readonly value: unknown }[]>

/** As a MessagePack client may send it: bytes and whole numbers have types of their own there. */
function bitsOf(value: unknown): unknown {
  return typeof value === 'number' ? Buffer.from(Float64Array.of(value).buffer).toString('hex') : value
}

function packedValue(code: string, value: Json): unknown {
  if (code === 'blob') return new Uint8Array(Buffer.from(String(value), 'base64'))
  return code === 'integer' ? BigInt(value as string | number) : value
}

/** Of a cell of a file that has only text. */
function fromText(code: string, text: string): unknown {
  if (code === 'float') return Number(text)
  if (code === 'integer') return shownNumber(BigInt(text))
  return ['boolean', 'json', 'select-many'].includes(code) ? (JSON.parse(text) as unknown) : text
}

/** A whole number beyond 2^53 is shown as text. */
function shownNumber(value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
}
