import { ExactSum } from './exact-sum.ts'
import type { ValueKind } from '../../records/values/value.ts'
import type { ChunkValues } from '../codec/chunk-values.ts'

// A summary has facts about the points of a chunk, so that the chunk need not be unpacked. Buckets of summaries equal
// buckets of the points: of equal extremes the first counts, and sums are exact.

export interface SummaryPoint<Value> {
  /** Microseconds since 1970. */
  readonly at: number
  readonly value: Value
}

interface Ends<Value> {
  readonly count: number
  readonly first: SummaryPoint<Value>
  readonly last: SummaryPoint<Value>
}

interface Figures<Value, Sum> extends Ends<Value> {
  /** The first point with the smallest value, and the first point with the largest value. */
  readonly least: SummaryPoint<Value>
  readonly most: SummaryPoint<Value>
  readonly sum: Sum
}

/** The sum is a list of doubles that add up to it exactly (see `ExactSum`). */
type FloatSummary = { readonly kind: 'float' } & Figures<number, readonly number[]>
type IntegerSummary = { readonly kind: 'integer' } & Figures<bigint, bigint>
type BooleanSummary = { readonly kind: 'boolean' } & Ends<boolean>
/** A long text is null, because it is only in the chunk. */
type TextSummary = { readonly kind: 'text' } & Ends<string | null>
export type Summary = FloatSummary | IntegerSummary | BooleanSummary | TextSummary

/** Longer texts are only in the chunk. */
const MOST_CHARACTERS_SHOWN = 256

interface Points {
  readonly at: Float64Array
  readonly values: ChunkValues
}

/** Summarizes points of one series, sorted by time. There must be at least one. Whole numbers may be doubles. */
export function summarize({ at, values }: Points, kind: ValueKind): Summary {
  if (at.length === 0) throw new RangeError('there is nothing to sum up without a point')
  if (Array.isArray(values)) return { kind: 'text', ...endsOf(at, (index) => shownText(values[index])) }
  if (kind === 'boolean') return { kind, ...endsOf(at, (index) => Number(values[index]) === 1) }
  if (kind === 'integer') return summarizeIntegers(at, values)
  if (values instanceof Float64Array) return summarizeFloats(at, values)
  throw new TypeError(`${values.constructor.name} does not hold values of the kind ${kind}`)
}

function endsOf<Value>(at: Float64Array, valueAt: (index: number) => Value): Ends<Value> {
  return { count: at.length, first: pointAt(at, valueAt, 0), last: pointAt(at, valueAt, at.length - 1) }
}

function pointAt<Value>(at: Float64Array, valueAt: (index: number) => Value, index: number): SummaryPoint<Value> {
  return { at: at[index]!, value: valueAt(index) }
}

export function shownText(text: string | undefined): string | null {
  return text === undefined || text.length > MOST_CHARACTERS_SHOWN ? null : text
}

function summarizeFloats(at: Float64Array, values: Float64Array): FloatSummary {
  const sum = new ExactSum()
  let [least, most] = [0, 0]
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!
    if (value < values[least]!) least = index
    if (value > values[most]!) most = index
    sum.add(value)
  }
  const valueAt = (index: number): number => values[index]!
  return {
    kind: 'float',
    ...endsOf(at, valueAt),
    least: pointAt(at, valueAt, least),
    most: pointAt(at, valueAt, most),
    sum: sum.parts(),
  }
}

function summarizeIntegers(at: Float64Array, values: Exclude<ChunkValues, string[]>): IntegerSummary {
  let [least, most, sum] = [0, 0, 0n]
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!
    if (value < values[least]!) least = index
    if (value > values[most]!) most = index
    sum += BigInt(value)
  }
  const valueAt = (index: number): bigint => BigInt(values[index]!)
  return {
    kind: 'integer',
    ...endsOf(at, valueAt),
    least: pointAt(at, valueAt, least),
    most: pointAt(at, valueAt, most),
    sum,
  }
}
