import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ChunkValues } from '../../../src/datapoints/chunks/chunk-values.ts'
import { decodeChunk, encodeChunk } from '../../../src/datapoints/chunks/chunk.ts'
import type { ValueKind } from '../../../src/datapoints/rules/value.ts'
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
  fc.constantFrom(-0, 5e-324, 1e308),
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

const day = Float64Array.from({ length: 1_440 }, (_, index) => 1_760_000_000_000_000 + index * 60_000_000)

it.each([
  ['a temperature with one decimal', (index: number) => 20 + Math.round(30 * Math.sin(index / 200)) / 10, 1.5],
  ['a noisy reading with two decimals', (index: number) => Math.round(((index * 7_919) % 10_007) * 3.7) / 100, 3.5],
  ['doubles that fill all of their bits', (index: number) => Math.sin(index * 1.1), 8.2],
])('%s takes less than so many bytes a point', (_, value, most) => {
  const values = Float64Array.from(day, (_time, index) => value(index))
  const generation = Float64Array.from(day, (_time, index) => 1_000_000 + index * 3)
  const bytes = encodeChunk({ at: day, generation, values }, 'float', { compress: true })
  expect(bytes.length / day.length).toBeLessThan(most)
})

it('bytes of another form are refused, not misread', () => {
  expect(() => decodeChunk(Uint8Array.of(9, 0), 'float')).toThrow('of the form 9')
  expect(() => decodeChunk(Uint8Array.of(1, 200), 'float')).toThrow('ends too early')
})
