import type { ValueKind } from '../rules/value.ts'

/** The kinds of values, in the order of their numbers in a column of bytes. */
export const KINDS: readonly ValueKind[] = ['float', 'integer', 'boolean', 'text']

/**
 * Points of any series as columns, in the order of their arrival. All members can be passed to another thread by
 * structured clone.
 */
export interface PointColumns {
  readonly count: number
  /** The number of the series of each point. */
  readonly series: Float64Array
  /** Microseconds since 1970. */
  readonly at: Float64Array
  /** Indexes into KINDS. */
  readonly kinds: Uint8Array
  /** The values as doubles. A boolean is 0 or 1, and a value in `others` is 0 here. */
  readonly values: Float64Array
  /** Texts, and integers that no double holds exactly, by the index of their point. */
  readonly others: ReadonlyMap<number, bigint | string>
}

/** Allocates columns to be filled, in one piece of memory. */
export function newPoints(count: number) {
  const memory = new ArrayBuffer(count * 25)
  return {
    count,
    series: new Float64Array(memory, 0, count),
    at: new Float64Array(memory, count * 8, count),
    values: new Float64Array(memory, count * 16, count),
    kinds: new Uint8Array(memory, count * 24, count),
    others: new Map<number, bigint | string>(),
  }
}

/** Joins the points in the given order, as new columns. */
export function joinPoints(parts: readonly PointColumns[]): PointColumns {
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  const joined = newPoints(count)
  let offset = 0
  for (const part of parts) {
    joined.series.set(part.series.subarray(0, part.count), offset)
    joined.at.set(part.at.subarray(0, part.count), offset)
    joined.kinds.set(part.kinds.subarray(0, part.count), offset)
    joined.values.set(part.values.subarray(0, part.count), offset)
    for (const [index, value] of part.others) joined.others.set(offset + index, value)
    offset += part.count
  }
  return joined
}
