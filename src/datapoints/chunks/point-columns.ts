import type { StoredValue, ValueKind } from '../../records/values/value.ts'

/** The values of a series: an INTEGER has 64 bits, a boolean is 0 or 1, and every other type is text. */
export type Values = Float64Array | BigInt64Array | Uint8Array | readonly string[]

/** Points of one series, oldest first, no two with the same time. */
export interface Columns {
  /** Microseconds since 1970. */
  readonly at: Float64Array
  readonly values: Values
}

/** A single value of a column; null if there is none. */
export type Cell = number | bigint | boolean | string | null

/** The last point before a range. Its value holds until the first point in the range. */
export interface Before {
  readonly at: number
  /** The value as `cellAt` returns it, so an INTEGER is always a bigint. */
  readonly value: Exclude<Cell, null>
}

export function kindOf(values: Values): ValueKind {
  if (values instanceof Float64Array) return 'float'
  if (values instanceof BigInt64Array) return 'integer'
  return values instanceof Uint8Array ? 'boolean' : 'text'
}

export function cellAt(values: Values, index: number): Exclude<Cell, null> {
  const value = values[index]
  if (value === undefined) throw new RangeError(`there is no value ${index} of ${values.length}`)
  return values instanceof Uint8Array ? value === 1 : value
}

/** A copy of the beginning of a text. With a slice, V8 would keep the whole text in memory. */
export function shortenedCell(value: Exclude<Cell, null>, longest = Infinity): Exclude<Cell, null> {
  if (typeof value !== 'string' || value.length <= longest) return value
  return new TextDecoder().decode(new TextEncoder().encode(value.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')))
}

/** Returns the points from `start` to `end`. Times and numbers share the memory of the columns. */
export function sliceColumns({ at, values }: Columns, start: number, end: number): Columns {
  return { at: at.subarray(start, end), values: sliceValues(values, start, end) }
}

function sliceValues(values: Values, start: number, end: number): Values {
  return ArrayBuffer.isView(values) ? values.subarray(start, end) : values.slice(start, end)
}

/** Returns the points at these indexes, in this order. */
export function pickColumns({ at, values }: Columns, indexes: Uint32Array): Columns {
  const picked = newValues(values, indexes.length)
  const times = new Float64Array(indexes.length)
  for (let index = 0; index < indexes.length; index++) {
    const from = indexes[index] ?? 0
    times[index] = at[from] ?? Number.NaN
    picked[index] = values[from] as never
  }
  return { at: times, values: picked }
}

/** Joins parts of a series. Each part must begin after the end of the previous one. Undefined if there is no part. */
export function joinColumns(parts: readonly Columns[]): Columns | undefined {
  const [first] = parts
  if (first === undefined || parts.length === 1) return first
  const length = parts.reduce((sum, { at }) => sum + at.length, 0)
  const at = new Float64Array(length)
  const values = newValues(first.values, length)
  let offset = 0
  for (const part of parts) {
    at.set(part.at, offset)
    copyValues(part.values, values, offset)
    offset += part.at.length
  }
  return { at, values }
}

function copyValues(from: Values, to: WritableValues, offset: number): void {
  if (kindOf(from) !== kindOf(to)) throw new TypeError(`${kindOf(from)} cannot follow ${kindOf(to)} in one series`)
  if (ArrayBuffer.isView(to)) to.set(from as never, offset)
  else for (let index = 0; index < from.length; index++) to[offset + index] = from[index] as string
}

type WritableValues = Float64Array | BigInt64Array | Uint8Array | string[]

function newValues(like: Values, length: number): WritableValues {
  if (like instanceof Float64Array) return new Float64Array(length)
  if (like instanceof BigInt64Array) return new BigInt64Array(length)
  return like instanceof Uint8Array ? new Uint8Array(length) : Array.from({ length }, () => '')
}

/** Converts values to doubles. Charts and averages need no more precision. */
export function asNumbers(values: Values): Float64Array {
  if (values instanceof Float64Array) return values
  const numbers = new Float64Array(values.length)
  for (let index = 0; index < values.length; index++) numbers[index] = Number(values[index])
  return numbers
}

/** Converts a cell for the rules of a characteristic: a bigint becomes a number if a double holds it exactly. */
export function storedValue(value: Exclude<Cell, null>): StoredValue {
  return typeof value === 'bigint' && value >= -MAX_EXACT && value <= MAX_EXACT ? Number(value) : value
}

const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER)

/** Returns the index of the first time, from `start` on, that is not before `limit`. The times must ascend. */
export function lowerBound(at: Float64Array, limit: number, start = 0): number {
  let [low, high] = [start, at.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((at[middle] ?? Infinity) < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the times from `limit` on, in the same memory. The times must ascend. */
export function fromOn(at: Float64Array, limit: number): Float64Array {
  return at.subarray(lowerBound(at, limit))
}

/** Counts the characters of the texts from `start` to `end`. Other values are short and count 0. */
export function charactersOf(values: Values, start = 0, end = values.length): number {
  if (ArrayBuffer.isView(values)) return 0
  let characters = 0
  for (let index = start; index < end; index++) characters += values[index]?.length ?? 0
  return characters
}

/** Counts the characters of a value if it is a text; otherwise 0. */
export function charactersOfCell(cell: Cell): number {
  return typeof cell === 'string' ? cell.length : 0
}
