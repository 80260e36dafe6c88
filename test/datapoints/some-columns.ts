import fc from 'fast-check'
import type { Columns, Values } from '../../src/datapoints/chunks/point-columns.ts'

/** Numbers whose sums and means are exact in doubles, so that only real mistakes differ. */
const EXACT_FLOAT = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((whole) => whole / 64)

export const SOME_VALUES = {
  float: (length: number) => values(EXACT_FLOAT, length, (list) => Float64Array.from(list)),
  integer: (length: number) =>
    values(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), length, (list) => BigInt64Array.from(list)),
  boolean: (length: number) => values(fc.nat(1), length, (list) => Uint8Array.from(list)),
  text: (length: number) => values(fc.constantFrom('', 'on', 'off', 'ÜÄ'), length, (list) => list),
}

function values<T>(value: fc.Arbitrary<T>, length: number, make: (list: T[]) => Values): fc.Arbitrary<Values> {
  return fc.array(value, { minLength: length, maxLength: length }).map(make)
}

/** Points between 0 and `until`, no two at the same time. */
export function someColumns(kind: keyof typeof SOME_VALUES, until: number, maxLength = 40): fc.Arbitrary<Columns> {
  return fc
    .uniqueArray(fc.integer({ min: 0, max: until - 1 }), { maxLength })
    .chain((times) =>
      SOME_VALUES[kind](times.length).map((values) => ({ at: Float64Array.from(times).sort(), values })),
    )
}

export function columnsOf(points: readonly (readonly [at: number, value: number])[]): Columns {
  return { at: Float64Array.from(points, ([at]) => at), values: Float64Array.from(points, ([, value]) => value) }
}
