import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChunkValues } from '../../../src/datapoints/codec/chunk-values.ts'
import type { ValueKind } from '../../../src/records/values/value.ts'
import { decodeDirectory } from '../../../src/datapoints/segments/directory.ts'
import { runsOf, type SegmentPart } from '../../../src/datapoints/segments/point-runs.ts'
import { decodeSegment, encodeSegment, encodeSegments } from '../../../src/datapoints/segments/segment.ts'
import { runsOf as lawRuns } from '../../support/runs.ts'

const time = fc.integer({ min: -1_000_000, max: 4_102_444_800_000_000 })
const times = fc.oneof(
  fc.uniqueArray(time, { minLength: 1, maxLength: 20 }),
  fc.uniqueArray(fc.integer({ min: 0, max: 86_400 }), { minLength: 1 }).map((all) => all.map((n) => n * 1_000_000)),
  fc
    .tuple(time, fc.integer({ min: 1, max: 10_000_000 }), fc.integer({ min: 1, max: 60 }))
    .map(([first, step, count]) => Array.from({ length: count }, (_, index) => first + index * step)),
)
const double = fc.oneof(
  fc
    .tuple(fc.integer({ min: -100_000, max: 100_000 }), fc.integer({ min: 0, max: 7 }))
    .map(([whole, digits]) => whole / 10 ** digits),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 5e-324, 1e308, 0.1 + 0.2),
)
const whole = fc.oneof(
  fc.integer().map(BigInt),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(2n ** 53n, 2n ** 53n - 1n, -(2n ** 51n), 2n ** 32n, -(2n ** 32n), -1n),
)
const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'heating', 'x'.repeat(70_000)))

const valuesOf: { readonly [kind in ValueKind]: fc.Arbitrary<(count: number) => ChunkValues> } = {
  float: filled(double, (all) => Float64Array.from(all)),
  integer: filled(whole, (all) => BigInt64Array.from(all)),
  boolean: filled(fc.constantFrom(0, 1), (all) => Uint8Array.from(all)),
  text: filled(text, (all) => [...all]),
}

/** Some values again and again. */
function filled<T>(value: fc.Arbitrary<T>, make: (all: readonly T[]) => ChunkValues) {
  return fc
    .array(value, { minLength: 1, maxLength: 30 })
    .map((some) => (count: number) => make(Array.from({ length: count }, (_, index) => some[index % some.length] as T)))
}

const generation = fc.integer({ min: 0, max: 2 ** 51 })
const generations = fc.oneof(
  generation.map((one) => () => one),
  fc.tuple(generation, fc.nat(20)).map(
    ([first, step]) =>
      (index: number) =>
        first + index * step,
  ),
  fc.array(generation, { minLength: 1, maxLength: 300 }).map((all) => (index: number) => all[index % all.length] ?? 0),
)

const part = fc.constantFrom<ValueKind>('float', 'float', 'integer', 'boolean', 'text').chain((kind) =>
  fc.tuple(times, valuesOf[kind], generations).map(([unsorted, values, numberOf]) => {
    const at = Float64Array.from(unsorted).sort()
    return { kind, points: { at, generation: at.map((_, index) => numberOf(index)), values: values(at.length) } }
  }),
)

/** Series far apart or next to each other; one may have several parts. */
const parts: fc.Arbitrary<SegmentPart[]> = fc
  .array(fc.tuple(part, fc.oneof(fc.constant(1), fc.constant(0), fc.integer({ min: 1, max: 2 ** 40 }))), {
    minLength: 1,
    maxLength: 40,
  })
  .map((all) => {
    let seriesId = 0
    return all.map(([one, step]) => ({ ...one, seriesId: (seriesId += step) }))
  })

const LAW_RUNS = lawRuns('LAW_RUNS', { sample: 80, long: 400 })

/** A part with one generation for each point, whose doubles are bytes: -0 equals 0. */
function spread({ seriesId, kind, points: { at, generation: own, values } }: SegmentPart): unknown {
  const bits = values instanceof Float64Array ? Buffer.from(values.slice().buffer).toString('hex') : values
  return { seriesId, kind, at, generation: typeof own === 'number' ? at.map(() => own) : own, bits }
}

describe('a segment', () => {
  it('gives back every point of every series to the bit', () => {
    const property = fc.property(parts, (all) => {
      const row = encodeSegment(all)
      expect(decodeSegment(row).map(spread)).toStrictEqual(all.map(spread))
      const times = all.flatMap(({ points }) => [...points.at])
      expect(row).toMatchObject({ t0: Math.min(...times), t1: Math.max(...times), count: times.length })
      expect([row.firstSeries, row.lastSeries]).toStrictEqual([all[0]?.seriesId, all.at(-1)?.seriesId])
      const { series, counts } = decodeDirectory(row.series)
      expect([...series]).toStrictEqual(all.map(({ seriesId }) => seriesId))
      expect([...counts]).toStrictEqual(all.map(({ points }) => points.at.length))
    })
    fc.assert(property, { numRuns: LAW_RUNS })
  })

  it('gives the series that are wanted, and is cut between parts alone', () => {
    const property = fc.property(parts, fc.nat(200), fc.array(fc.boolean(), { minLength: 1 }), (all, most, coins) => {
      const rows = encodeSegments(runsOf(all), most)
      const ids = all.map(({ seriesId }) => seriesId)
      const wanted = new Set(ids.filter((_, index) => coins[index % coins.length]))
      const found = rows.flatMap((row) => decodeSegment(row, wanted))
      expect(found.map(spread)).toStrictEqual(all.filter(({ seriesId }) => wanted.has(seriesId)).map(spread))
      expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(
        all.reduce((sum, one) => sum + one.points.at.length, 0),
      )
      const cut = rows.filter(({ series }) => decodeDirectory(series).series.length > 1)
      for (const { series, points } of cut) expect(series.length + points.length).toBeLessThan(most + 600)
    })
    fc.assert(property, { numRuns: LAW_RUNS })
  })

  it('that is damaged is refused or read as something else, in no more room than it has itself', () => {
    const property = fc.property(parts, fc.nat(), fc.nat(255), fc.boolean(), (all, place, byte, cuts) => {
      const { series, points } = encodeSegment(all)
      const bytes = Buffer.concat([series, points])
      const changed = cuts ? bytes.subarray(0, place % bytes.length) : bytes
      if (!cuts) changed[place % bytes.length] = byte
      const damaged = { series: changed.subarray(0, series.length), points: changed.subarray(series.length) }
      const read = outcomeOf(() => decodeSegment(damaged).reduce((sum, one) => sum + one.points.at.length, 0))
      expect(read).toBeLessThanOrEqual(damaged.points.length * 8)
    })
    fc.assert(property, { numRuns: LAW_RUNS * 5 })
  })
})

/** What a reader gives; 0 if it refuses. */
function outcomeOf(read: () => number): number {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return 0
    throw error
  }
}

const NOW = 1_760_000_000_000_000

function reading(seriesId: number, at: readonly number[], generation: Float64Array | number): SegmentPart {
  const values = Float64Array.from(at, (_, index) => 200 + ((seriesId * 7 + index * 3) % 60)).map(
    (tenths) => tenths / 10,
  )
  return { seriesId, kind: 'float', points: { at: Float64Array.from(at), generation, values } }
}

const sizeOf = (all: readonly SegmentPart[]): number => {
  const { series, points, count } = encodeSegment(all)
  return (series.length + points.length) / count
}

describe('the bytes of a point', () => {
  it('are few where each of many series has one', () => {
    const one = Array.from({ length: 1_000 }, (_, index) =>
      reading(1_000 + index * 3, [NOW + ((index * 7_919) % 1_000) * 1_000], 5_000_000),
    )
    expect(sizeOf(one)).toBeLessThan(6)
  })

  it('are fewer where each series of a block has some, of as many flushes', () => {
    const block = Array.from({ length: 256 }, (_, index) => {
      const at = Array.from(
        { length: 32 },
        (_time, minute) => NOW + minute * 60_000_000 + ((index * 31 + minute * 17) % 997) * 1_000,
      )
      return reading(
        256 + index,
        at,
        Float64Array.from(at, (_time, minute) => 5_000_000 + minute * 6_000 + (index % 50)),
      )
    })
    expect(sizeOf(block)).toBeLessThan(5)
  })
})
