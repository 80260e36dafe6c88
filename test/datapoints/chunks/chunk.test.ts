import fc from 'fast-check'
import { expect, it } from 'vitest'
import { entropyBound, fleetPoints, MINUTE, newNoise, regularPoints, VALUE_SETS } from '../../support/value-sets.ts'
import type { ChunkValues } from '../../../src/datapoints/codec/chunk-values.ts'
import { decodeChunk, encodeChunk } from '../../../src/datapoints/chunks/chunk.ts'
import type { ValueKind } from '../../../src/records/values/value.ts'
import { runsOf } from '../../support/runs.ts'

const MOST_TIME = 4_102_444_800_000_000
const time = fc.integer({ min: 0, max: MOST_TIME })
/** A chunk spans at most 35 years. */
const near = fc.tuple(time, fc.uniqueArray(fc.integer({ min: 0, max: 2 ** 50 }), { minLength: 1 }))
/** Like those of devices: whole seconds, milliseconds, or regular. */
const times = fc.oneof(
  near.map(([first, later]) => later.map((distance) => first + distance)),
  fc.uniqueArray(fc.integer({ min: 0, max: 86_400 }), { minLength: 1 }).map((all) => all.map((n) => n * 1_000_000)),
  fc
    .tuple(time, fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: 300 }))
    .map(([first, step, count]) => Array.from({ length: count }, (_, index) => first + index * step)),
)
const decimal = fc
  .tuple(fc.integer({ min: -100_000, max: 100_000 }), fc.integer({ min: 0, max: 7 }))
  .map(([whole, digits]) => whole / 10 ** digits)
const double = fc.oneof(
  decimal,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 5e-324, 1e308, 0.1 + 0.2, 1 / 3, Number.NaN, Infinity, -Infinity, 2 ** 50 + 1),
  fc.float({ noNaN: true }),
)
const wide = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const whole = fc.oneof(
  fc.integer().map(BigInt),
  wide,
  fc.constantFrom(2n ** 53n, -(2n ** 51n), 2n ** 32n, -(2n ** 32n), -1n),
)
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'heating', 'x'.repeat(70_000)))
const generation = fc.integer({ min: 0, max: 2 ** 50 })

const filled = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof(
    fc.tuple(times, fc.infiniteStream(value)).map(([at, values]) => ({ at, values: [...values.take(at.length)] })),
    fc.tuple(times, value).map(([at, same]) => ({ at, values: at.map(() => same) })),
  )

const KINDS: readonly (readonly [ValueKind, fc.Arbitrary<unknown>, (values: unknown[]) => ChunkValues])[] = [
  ['float', double, (values) => Float64Array.from(values as number[])],
  ['integer', whole, (values) => BigInt64Array.from(values as bigint[])],
  ['boolean', fc.constantFrom(0, 1), (values) => Uint8Array.from(values as number[])],
  ['text', text, (values) => values as string[]],
]

function bytesOf(values: ChunkValues): unknown {
  return Array.isArray(values) ? values : Buffer.from(values.buffer, values.byteOffset, values.byteLength)
}

it.each(KINDS)('a chunk of %s gives back every point to the bit', (kind, value, make) => {
  const property = fc.property(
    filled(value),
    fc.oneof(generation, fc.array(generation, { minLength: 300, maxLength: 300 })),
    fc.boolean(),
    ({ at: unsorted, values }, generations, compress) => {
      const at = Float64Array.from(unsorted).sort()
      const own = typeof generations === 'number' ? generations : Float64Array.from(generations.slice(0, at.length))
      const points = { at, generation: own, values: make(values) }
      const decoded = decodeChunk(encodeChunk(points, kind, { compress }), kind)
      expect(decoded.at).toStrictEqual(at)
      expect(decoded.values).toStrictEqual(points.values)
      // As bytes: -0 equals 0.
      expect(bytesOf(decoded.values)).toStrictEqual(bytesOf(points.values))
      const all = (one: Float64Array | number) => (typeof one === 'number' ? at.map(() => one) : one)
      expect(all(decoded.generation)).toStrictEqual(all(own))
    },
  )
  fc.assert(property, { numRuns: runsOf('LAW_RUNS', { sample: 80, long: 300 }) })
})

it('whole numbers may come as doubles', () => {
  const at = Float64Array.of(1, 2, 3)
  const bytes = encodeChunk({ at, generation: 1, values: Float64Array.of(2 ** 52, -1, 2 ** 53 - 1) }, 'integer', {
    compress: false,
  })
  expect(decodeChunk(bytes, 'integer').values).toStrictEqual(BigInt64Array.of(2n ** 52n, -1n, 2n ** 53n - 1n))
})

/** Of minutes that came at once, which take next to nothing beside their values. */
function sizeOf(values: Float64Array): number {
  return encodeChunk(regularPoints(values), 'float', { compress: true }).length
}

const DECIMALS = VALUE_SETS.filter(({ digits }) => !Number.isNaN(digits))

it.each(DECIMALS)('values take at most 1.1 times their entropy, and 10 bytes: $name', (set) => {
  const bound = entropyBound(set)
  for (const count of [60, 600, 1_440, 20_000]) {
    const size = sizeOf(set.make(count)) - sizeOf(new Float64Array(count))
    expect(size).toBeLessThanOrEqual(Math.max(bound * 1.1 * count, bound * 1.06 * count + 10))
  }
})

it('doubles that fill all of their bits take at most 7 bytes', () => {
  const values = Float64Array.from({ length: 1_440 }, (_, index) => Math.sin(index * 1.1))
  expect(sizeOf(values)).toBeLessThan(1_440 * 7)
})

it.each([
  ['one point', 1, MINUTE, 16],
  ['ten points', 10, MINUTE, 3.8 * 10],
  ['an hour of a fleet', 60, MINUTE, 1.95 * 60],
  ['a day of a fleet', 1_440, MINUTE, 1.4 * 1_440],
  ['90 days of hours', 2_160, 60 * MINUTE, 1.4 * 2_160],
])('%s takes as many bytes as these: %i points', (_, count, step, most) => {
  const points = fleetPoints(count, step)
  const bytes = encodeChunk(points, 'float', { compress: true })
  expect(bytes.length).toBeLessThanOrEqual(most)
  expect(decodeChunk(bytes, 'float')).toMatchObject({ at: points.at, values: points.values })
})

it('regular times and one generation take nothing for each point', () => {
  expect(sizeOf(new Float64Array(60))).toBe(12)
  expect(sizeOf(new Float64Array(86_400))).toBe(14)
})

it('numbers that are frequent in many places, and far from each other, come back', () => {
  const noise = newNoise(3)
  for (const count of [100, 3_000, 200_000]) {
    const values = Float64Array.from({ length: count }, (_, index) =>
      index % 2 === 0 ? Math.floor(noise() * 60) * 1e6 : Math.floor(2 ** (noise() * 49)),
    )
    const bytes = encodeChunk(regularPoints(values), 'float', { compress: true })
    expect(decodeChunk(bytes, 'float').values).toStrictEqual(values)
  }
})

it('texts of which there are few take no more than a select', () => {
  const { at } = regularPoints(new Float64Array(1_440))
  const values = Array.from(at, (_, index) => ['heating', 'cooling', 'off'][Math.floor(index / 100) % 3] ?? '')
  const bytes = encodeChunk({ at, generation: 1, values }, 'text', { compress: false })
  expect(bytes.length).toBeLessThan(75)
})

it('bytes of another form are refused, not misread', () => {
  expect(() => decodeChunk(Uint8Array.of(9, 0), 'float')).toThrow('of the form 9')
  expect(() => decodeChunk(Uint8Array.of(1, 0), 'float')).toThrow('of the form 1 is unknown to this version')
  expect(() => decodeChunk(Uint8Array.of(3, 200), 'float')).toThrow('ends too early')
})
