import type { GeneratedColumns } from '../chunks/chunk.ts'
import { KINDS } from '../chunks/flush.ts'
import type { ValueKind } from '../../records/values/value.ts'

/** The points of one series in a segment. */
export interface SegmentPart {
  readonly seriesId: number
  readonly kind: ValueKind
  /** Oldest first, each time once. */
  readonly points: GeneratedColumns
}

/** Points as columns, run after run. A run has points of one series, oldest first. Runs are ordered by series. */
export interface PointRuns {
  /** The series of each run. A series with many points may have several runs. */
  readonly series: Float64Array
  /** Indexes into KINDS. */
  readonly kinds: Uint8Array
  /** Where each run begins, and where the last one ends. */
  readonly starts: Uint32Array
  readonly at: Float64Array
  readonly generation: Float64Array | number
  /** The values as doubles. A boolean is 0 or 1, and a value in `others` is 0 here. */
  readonly values: Float64Array
  /** Texts, and integers that no double holds exactly, by the index of their point. */
  readonly others: ReadonlyMap<number, bigint | string>
}

/** Joins parts into columns. The parts must be ordered by series. */
export function runsOf(parts: readonly SegmentPart[]): PointRuns {
  const starts = new Uint32Array(parts.length + 1)
  for (const [index, { points }] of parts.entries()) starts[index + 1] = (starts[index] ?? 0) + points.at.length
  const count = starts[parts.length] ?? 0
  const at = new Float64Array(count)
  const generation = new Float64Array(count)
  const values = new Float64Array(count)
  const others = new Map<number, bigint | string>()
  for (const [index, { points }] of parts.entries()) {
    const start = starts[index] ?? 0
    at.set(points.at, start)
    if (typeof points.generation === 'number') generation.fill(points.generation, start, start + points.at.length)
    else generation.set(points.generation, start)
    layValues(points, values, others, start)
  }
  const series = Float64Array.from(parts, ({ seriesId }) => seriesId)
  const kinds = Uint8Array.from(parts, ({ kind }) => KINDS.indexOf(kind))
  return { series, kinds, starts, at, generation, values, others }
}

function layValues(
  { values: from }: GeneratedColumns,
  to: Float64Array,
  others: Map<number, bigint | string>,
  start: number,
): void {
  if (from instanceof Float64Array || from instanceof Uint8Array) return to.set(from, start)
  for (let index = 0; index < from.length; index++) {
    const value = from[index] ?? ''
    if (typeof value === 'bigint' && value >= -EXACT && value <= EXACT) to[start + index] = Number(value)
    else others.set(start + index, value)
  }
}

const EXACT = BigInt(Number.MAX_SAFE_INTEGER)
