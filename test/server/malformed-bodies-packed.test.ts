import { encode, ExtData } from '@msgpack/msgpack'
import * as fc from 'fast-check'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { runsOf } from '../support/runs.ts'
import { BATCH_PATHS, server, useMalformedServer, type Body } from './malformed-server.ts'

// MessagePack that is none, and bodies that cannot be decompressed.

useMalformedServer()

const point = (value: unknown = 1) => server.site.point('level', value)
const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index))

const whole = (): Uint8Array =>
  encode([{ ...point(20.5), timestamp: new Date('2026-03-01T12:00:00.250Z') }, server.site.point('word', 'ä')])

describe.each(BATCH_PATHS)('POST %s with MessagePack', (path) => {
  const headers = { 'content-type': 'application/vnd.msgpack' }
  const exceptions = (bodies: Iterable<Body>, ...statuses: number[]) =>
    server.exceptions(path, bodies, statuses, { headers })

  it('cut off anywhere is refused', async () => {
    const body = whole()
    const cuts = times(body.length, (length) => body.subarray(0, length))
    expect(await exceptions(cuts, 400)).toStrictEqual([])
    expect(await server.storedRows()).toBe(0)
    expect(await exceptions([body], 201)).toStrictEqual([])
  })

  it.each<[string, readonly (number | readonly number[])[]]>([
    ['no value at all', [0xc1]],
    ['a map', [0x80]],
    ['nothing', [0xc0]],
    ['something after it', [0x90, 0x90]],
    ['a list of four billion', [0xdd, 0xff, 0xff, 0xff, 0xff]],
    ['a map of four billion', [0x91, 0xdf, 0xff, 0xff, 0xff, 0xff]],
    ['a text of four billion', [0x91, 0xdb, 0xff, 0xff, 0xff, 0xff]],
    ['bytes of four billion', [0x91, 0xc6, 0xff, 0xff, 0xff, 0xff]],
    ['an extension of four billion', [0x91, 0xc9, 0xff, 0xff, 0xff, 0xff, 5]],
    ['a million lists of all the rest', [times(1_000_000, () => [0xdc, 0x0f, 0xff]).flat()]],
    ['a million levels', [times(1_000_000, () => 0x91)]],
    ['a million levels of maps', [0x91, times(1_000_000, (index) => (index % 2 === 0 ? 0x81 : 0xa0))]],
    ['levels in the place of a key', [0x91, times(1_000_000, () => 0x81)]],
    ['a key that is a number', [0x91, 0x81, 1, 1]],
    ['a key that is nothing', [0x91, 0x81, 0xc0, 1]],
    ['a text that is no UTF-8', [0x91, 0xa2, 0xc3, 0x28]],
    ['half of a surrogate pair', [0x91, 0xa3, 0xed, 0xa0, 0x80]],
  ])('of %s is refused', async (_, parts) => {
    expect(await exceptions([Uint8Array.from(parts.flat())], 400)).toStrictEqual([])
  })

  it('with an extension that nobody knows, or a timestamp that is none, is refused', async () => {
    const extensions = [
      ...[0, 1, 5, 127, -2, -128].map((type) => new ExtData(type, new Uint8Array(4))),
      ...[0, 1, 2, 3, 5, 7, 9, 11, 13, 16, 300].map((length) => new ExtData(-1, new Uint8Array(length))),
      new ExtData(-1, new Uint8Array(8).fill(0xff)),
      new ExtData(-1, new Uint8Array(12).fill(0xff)),
    ]
    const bodies = extensions.flatMap((one) => [[{ ...point(), timestamp: one }], [one], [point(one)]])
    expect(
      await exceptions(
        bodies.map((body) => encode(body)),
        400,
      ),
    ).toStrictEqual([])
  })

  it('of the wrong types is refused by its place', async () => {
    const uuids = [new Uint8Array(15), new Uint8Array(0), new Date(0), 5n, Number.NaN, null, true, [], {}]
    const values = [Number.NaN, Infinity, -Infinity, null, true, 'a', [], {}, new Uint8Array(8), new Date(0)]
    const elements = [...uuids.map((uuid) => ({ ...point(), system_uuid: uuid })), ...values.map(point), 1, null, 'a']
    const packed = elements.map((one) => encode([one], { useBigInt64: true }))
    expect(await exceptions(packed, 422)).toStrictEqual([])
    expect(await server.storedRows()).toBe(0)
  })

  it('of any bytes gets an answer, also where JSON is announced', async () => {
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.uint8Array({ maxLength: 100 }).map((tail) => Uint8Array.of(0x91, 0x86, ...tail)),
      fc.tuple(fc.nat(whole().length - 1), fc.nat(255)).map(([at, byte]) => whole().with(at, byte)),
    )
    const property = fc.asyncProperty(body, async (bytes) => {
      expect(await exceptions([bytes], 201, 400, 413, 422)).toStrictEqual([])
      expect(await server.exceptions(path, [bytes], [201, 400, 413, 422])).toStrictEqual([])
    })
    await fc.assert(property, { numRuns: runsOf('LAW_RUNS', { sample: 40, long: 1_000 }) })
  })
})

type Compress = (body: string | Uint8Array) => Buffer

const CODINGS: readonly (readonly [coding: string, compress: Compress])[] = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  // Its best takes seconds for what is large.
  ['br', (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })],
  ['zstd', zstdCompressSync],
]

/** To make one takes longer than to refuse it. */
const bombs: { [coding: string]: Buffer } = {}

describe.each(BATCH_PATHS)('POST %s with a compressed body', (path) => {
  const exceptions = (coding: string, bodies: Iterable<Body>, ...statuses: number[]) =>
    server.exceptions(path, bodies, statuses, { headers: { 'content-encoding': coding } })

  it.each(CODINGS)('in %s that is cut off, damaged or in another coding is refused', async (coding, compress) => {
    const body = compress(`[${' '.repeat(2_000)}${times(50, (index) => index).join()}]`)
    const cuts = times(20, (index) => body.subarray(0, Math.floor((index * (body.length - 1)) / 20)))
    expect(await exceptions(coding, cuts, 400)).toStrictEqual([])
    const others = CODINGS.filter(([name]) => name !== coding).map(([, other]) => other('[]'))
    expect(await exceptions(coding, [...others, Buffer.from('[]'), Buffer.alloc(1_000)], 400)).toStrictEqual([])
    const damaged = times(body.length, (at) => body.with(at, (body[at] ?? 0) ^ 0x55))
    expect(await exceptions(coding, damaged, 400, 413, 422)).toStrictEqual([])
    expect(await server.storedRows()).toBe(0)
  })

  it.each(CODINGS)('in %s may not become larger than a body may be', async (coding, compress) => {
    bombs[coding] ??= compress(Buffer.alloc(64 * 1_048_576, ' '))
    const bomb = bombs[coding]
    expect(bomb.length).toBeLessThan(100_000)
    expect(await exceptions(coding, [bomb], 413)).toStrictEqual([])
  })

  it('in several parts is one body (RFC 1952), and its limit that of all', async () => {
    const body = JSON.stringify([point(3)])
    const parts = Buffer.concat([gzipSync(body.slice(0, 20)), gzipSync(body.slice(20))])
    expect(await exceptions('gzip', [parts], 201)).toStrictEqual([])
    const bombs = Buffer.concat(times(40, () => gzipSync(Buffer.alloc(1_048_576, ' '))))
    expect(await exceptions('gzip', [bombs], 413)).toStrictEqual([])
  })

  it('in a coding that nobody knows, or in two, is refused by that', async () => {
    for (const coding of ['compress', 'gzip, gzip', 'gzip,br', 'identity, gzip', 'x', '"gzip"', 'gzip;q=1', '*'])
      expect(await exceptions(coding, [gzipSync('[]')], 415)).toStrictEqual([])
    const bare = { path, body: deflateRawSync('[]'), headers: { 'content-encoding': 'deflate' } }
    const detail = expect.stringMatching(/is not valid deflate, which is the format of zlib/) as string
    expect(await server.call(bare)).toMatchObject({ status: 400, json: { detail } })
    const unsaid = await server.call({ path, body: gzipSync('[]') })
    expect(unsaid.json).toMatchObject({ detail: expect.stringMatching(/looks like gzip/) as string })
  })
})
