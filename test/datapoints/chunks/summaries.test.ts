import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  decodeSummaries,
  encodeSummaries,
  isComplete,
  summarizeHours,
} from '../../../src/datapoints/chunks/summaries.ts'
import { summarize, type Summary } from '../../../src/datapoints/chunks/summary.ts'
import type { ValueKind } from '../../../src/records/values/value.ts'
import type { ChunkValues } from '../../../src/datapoints/codec/chunk-values.ts'
import { mergeSummaries } from './merge-summaries.ts'

const HOUR = 3_600_000_000
const decimal = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((whole) => whole / 100)
const wide = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

const KINDS: readonly (readonly [ValueKind, fc.Arbitrary<unknown>, (values: unknown[]) => ChunkValues])[] = [
  ['float', decimal, (values) => Float64Array.from(values as number[])],
  ['integer', wide, (values) => BigInt64Array.from(values as bigint[])],
  ['boolean', fc.constantFrom(0, 1), (values) => Uint8Array.from(values as number[])],
]

it.each(KINDS)('summaries of %s by the hour are those of its points, and none is of two hours', (kind, value, make) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 600 }),
      fc.integer({ min: 1, max: 60 }),
      fc.array(value, { minLength: 600, maxLength: 600 }),
      (count, step, all) => {
        const at = Float64Array.from({ length: count }, (_, index) => 1.7e15 + index * step * 1_000_000)
        const points = { at, values: make(all.slice(0, count)) }
        const summaries = summarizeHours(points, kind)
        const stored = decodeSummaries(encodeSummaries(summaries), kind)
        expect(stored.every(isComplete)).toBe(true)
        const whole = stored.reduce(mergeSummaries)
        expect(sumOf(whole)).toStrictEqual(sumOf(summarize(points, kind)))
        const hours = new Set(Array.from(at, (time) => Math.floor(time / HOUR))).size
        expect(stored).toHaveLength(count / hours >= 120 ? hours : 1)
      },
    ),
  )
})

/** Zeros at the end of a sum say nothing. */
function sumOf(summary: Summary): unknown {
  return summary.kind === 'float' ? { ...summary, sum: summary.sum.filter((part) => part !== 0) } : summary
}

it('a sum that two doubles do not hold is not stored, and the points are read', () => {
  const points = { at: Float64Array.of(1, 2, 3), values: Float64Array.of(1e300, 1, 1e-300) }
  const [stored] = decodeSummaries(encodeSummaries(summarizeHours(points, 'float')), 'float')
  expect(stored).toMatchObject({ count: 3, most: { at: 1, value: 1e300 } })
  expect(stored === undefined || isComplete(stored)).toBe(false)
})
