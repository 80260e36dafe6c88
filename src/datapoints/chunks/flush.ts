import type { ValueKind } from '../../records/values/value.ts'

/** The kinds of values. A column of bytes stores the index of a kind. */
export const KINDS: readonly ValueKind[] = ['float', 'integer', 'boolean', 'text']

/** Points of any series as columns, in the order of their arrival. Structured clone passes them to another thread. */
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

/** Allocates empty columns in one piece of memory. */
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

/** The indexes of a point and of the point that replaces it. Both have the same series and time. */
interface RepeatedPoint {
  readonly index: number
  readonly by: number
}

/** Finds the replaced points, ordered by index. Of several points with one time, the last one stays. */
export function repeatedPoints({ count, series, at }: PointColumns): readonly RepeatedPoint[] {
  const order = Uint32Array.from({ length: count }, (_, index) => index)
  const difference = (a: number, b: number): number =>
    (series[a] ?? 0) - (series[b] ?? 0) || (at[a] ?? 0) - (at[b] ?? 0)
  order.sort((a, b) => difference(a, b) || a - b)
  const repeated: RepeatedPoint[] = []
  for (let index = 1; index < count; index++) {
    const [replaced = 0, by = 0] = [order[index - 1], order[index]]
    if (difference(replaced, by) === 0) repeated.push({ index: replaced, by })
  }
  return repeated.sort((a, b) => a.index - b.index)
}
