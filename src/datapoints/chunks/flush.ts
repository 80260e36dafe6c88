import type { ValueKind } from '../rules/value.ts'

/** The kinds by the numbers that they have in a column of bytes. */
export const KINDS: readonly ValueKind[] = ['float', 'integer', 'boolean', 'text']

/**
 * Points of any series as columns, in the order in which they arrived. Made of what a structured clone can carry to
 * another thread.
 */
export interface PointColumns {
  readonly count: number
  /** By the number of the series. */
  readonly series: Float64Array
  /** Microseconds since 1970. */
  readonly at: Float64Array
  /** Indices of KINDS. */
  readonly kinds: Uint8Array
  /** A boolean is 0 or 1. What is in `others` is 0 here. */
  readonly values: Float64Array
  /** By the place of the point: texts, and integers for which a double is not exact. */
  readonly others: ReadonlyMap<number, bigint | string>
  /** Of which domain the points up to `end` are, from the end of the one before. */
  readonly domains: readonly { readonly domainId: number; readonly end: number }[]
}

/** Points that were written together. */
export interface Flush extends PointColumns {
  /** One for all, or one for each point, ascending for each series. */
  readonly generation: number | Float64Array
}

/** Columns to be filled, in one piece of memory. */
export function newPoints(count: number) {
  const memory = new ArrayBuffer(count * 25)
  return {
    count,
    series: new Float64Array(memory, 0, count),
    at: new Float64Array(memory, count * 8, count),
    values: new Float64Array(memory, count * 16, count),
    kinds: new Uint8Array(memory, count * 24, count),
    others: new Map<number, bigint | string>(),
    domains: [] as { domainId: number; end: number }[],
  }
}

/** One after the other, as new columns. */
export function joinPoints(parts: readonly PointColumns[]): PointColumns {
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  const joined = newPoints(count)
  let offset = 0
  for (const part of parts) {
    joined.series.set(part.series.subarray(0, part.count), offset)
    joined.at.set(part.at.subarray(0, part.count), offset)
    joined.kinds.set(part.kinds.subarray(0, part.count), offset)
    joined.values.set(part.values.subarray(0, part.count), offset)
    for (const [place, value] of part.others) joined.others.set(offset + place, value)
    for (const { domainId, end } of part.domains) joined.domains.push({ domainId, end: offset + end })
    offset += part.count
  }
  return joined
}
