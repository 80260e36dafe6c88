import type { ChunkValues } from '../codec/chunk-values.ts'
import type { GeneratedColumns } from './chunk.ts'

/** Keeps one point per time, oldest first: of the highest generation, and in one generation the last given. */
export function mergePoints<Values extends ChunkValues>(points: GeneratedColumns<Values>): GeneratedColumns<Values> {
  const { at } = points
  if (ascends(at)) return points
  return pickPoints(points, lastOfEach(at, inOrder(points)))
}

function ascends(at: Float64Array): boolean {
  for (let index = 1; index < at.length; index++) if ((at[index] ?? 0) <= (at[index - 1] ?? 0)) return false
  return true
}

// The loops below run for each point that is folded, merged or counted, so they are written for speed.

/**
 * Merges neighbouring runs until one is left. The points come as ordered runs, such as chunks, and most runs begin
 * after the end of the previous one.
 */
function inOrder(points: GeneratedColumns): Uint32Array {
  let order = new Uint32Array(points.at.length)
  for (let index = 0; index < order.length; index++) order[index] = index
  let spare = new Uint32Array(order.length)
  let ends = runsOf(points)
  while (ends.length > 1) {
    const merged: number[] = []
    for (let run = 0; run < ends.length; run += 2) {
      const [start, middle, end] = [ends[run - 1] ?? 0, ends[run] ?? 0, ends[run + 1] ?? ends[run] ?? 0]
      mergeRuns(points, { from: order, to: spare, start, middle, end })
      merged.push(end)
    }
    ;[order, spare, ends] = [spare, order, merged]
  }
  return order
}

/** Returns the end of each run. */
function runsOf(points: GeneratedColumns): number[] {
  const ends: number[] = []
  for (let index = 1; index < points.at.length; index++) if (isAfter(points, index - 1, index)) ends.push(index)
  ends.push(points.at.length)
  return ends
}

interface Runs {
  readonly from: Uint32Array
  readonly to: Uint32Array
  readonly start: number
  readonly middle: number
  readonly end: number
}

function mergeRuns(points: GeneratedColumns, { from, to, start, middle, end }: Runs): void {
  const areApart = middle === end || !isAfter(points, from[middle - 1]!, from[middle]!)
  if (areApart) return to.set(from.subarray(start, end), start)
  let [left, right, index] = [start, middle, start]
  while (left < middle && right < end) {
    const [one, other] = [from[left]!, from[right]!]
    const isLeft = !isAfter(points, one, other)
    to[index++] = isLeft ? one : other
    if (isLeft) left++
    else right++
  }
  to.set(left < middle ? from.subarray(left, middle) : from.subarray(right, end), index)
}

function isAfter({ at, generation }: GeneratedColumns, a: number, b: number): boolean {
  const [one, other] = [at[a]!, at[b]!]
  return one > other || (one === other && typeof generation !== 'number' && generation[a]! > generation[b]!)
}

function lastOfEach(at: Float64Array, order: Uint32Array): Uint32Array {
  let kept = 0
  for (let index = 0; index < order.length; index++) {
    const point = order[index]!
    if (index + 1 === order.length || at[order[index + 1]!] !== at[point]) order[kept++] = point
  }
  return order.subarray(0, kept)
}

/** Returns the points at these indexes, in this order. */
export function pickPoints<Values extends ChunkValues>(
  { at, generation, values }: GeneratedColumns<Values>,
  indexes: Uint32Array,
): GeneratedColumns<Values> {
  return {
    at: pickNumbers(at, indexes),
    generation: typeof generation === 'number' ? generation : pickNumbers(generation, indexes),
    values: pickValues(values, indexes) as Values,
  }
}

function pickNumbers(from: Float64Array, indexes: Uint32Array): Float64Array {
  const picked = new Float64Array(indexes.length)
  for (let index = 0; index < indexes.length; index++) picked[index] = from[indexes[index]!]!
  return picked
}

function pickValues(values: ChunkValues, indexes: Uint32Array): ChunkValues {
  if (values instanceof Float64Array) return pickNumbers(values, indexes)
  if (values instanceof BigInt64Array) return BigInt64Array.from(indexes, (index) => values[index] ?? 0n)
  if (values instanceof Uint8Array) return Uint8Array.from(indexes, (index) => values[index] ?? 0)
  return Array.from(indexes, (index) => values[index] ?? '')
}

/** Joins parts without sorting them. The same time may occur several times. */
export function joinGenerated(parts: readonly GeneratedColumns[]): GeneratedColumns {
  const [first] = parts
  if (first !== undefined && parts.length === 1) return first
  const count = parts.reduce((sum, { at }) => sum + at.length, 0)
  const at = new Float64Array(count)
  const generation = new Float64Array(count)
  let offset = 0
  for (const part of parts) {
    at.set(part.at, offset)
    if (typeof part.generation === 'number') generation.fill(part.generation, offset, offset + part.at.length)
    else generation.set(part.generation, offset)
    offset += part.at.length
  }
  return {
    at,
    generation,
    values: joinValues(
      parts.map(({ values }) => values),
      count,
    ),
  }
}

function joinValues(parts: readonly ChunkValues[], count: number): ChunkValues {
  const [first = new Float64Array()] = parts
  if (Array.isArray(first)) return parts.flatMap((part) => part as string[])
  const joined = first instanceof BigInt64Array ? new BigInt64Array(count) : newNumbers(first, count)
  let offset = 0
  for (const part of parts) {
    joined.set(part as never, offset)
    offset += part.length
  }
  return joined
}

function newNumbers(like: Float64Array | Uint8Array, count: number): Float64Array | Uint8Array {
  return like instanceof Uint8Array ? new Uint8Array(count) : new Float64Array(count)
}

/** Returns the times of two ascending columns. A time of both columns occurs once. */
export function unionOfTimes(one: Float64Array, other: Float64Array): Float64Array {
  if (one.length === 0) return other
  if (other.length === 0) return one
  const union = new Float64Array(one.length + other.length)
  let [left, right, count] = [0, 0, 0]
  while (left < one.length && right < other.length) {
    const [a, b] = [one[left]!, other[right]!]
    union[count++] = a <= b ? a : b
    if (a <= b) left++
    if (b <= a) right++
  }
  const rest = left < one.length ? one.subarray(left) : other.subarray(right)
  union.set(rest, count)
  return union.subarray(0, count + rest.length)
}
