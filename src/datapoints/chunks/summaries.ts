import type { ValueKind } from '../../records/values/value.ts'
import { lowerBound } from './point-columns.ts'
import { summarize, type Summary } from './summary.ts'
import type { ChunkValues } from '../codec/chunk-values.ts'

// The summaries that are stored with a chunk. There is one summary of the whole chunk, or one for each of its hours
// (UTC) if the hours have so many points that reading a summary is faster than unpacking the points. All fields have
// eight bytes at fixed places, because a reader of a year reads some ten thousand summaries at once.

/** Unpacking fewer points of an hour is as fast as reading their summary. */
const ENOUGH_POINTS_OF_HOUR = 120
export const HOUR = 3_600_000_000

interface Points {
  readonly at: Float64Array
  readonly values: ChunkValues
}

/** Summarizes points of one series by hour, or all together. They are sorted by time; there must be at least one. */
export function summarizeHours(points: Points, kind: ValueKind): Summary[] {
  const { at, values } = points
  const hours = hourOf(at.at(-1) ?? 0) - hourOf(at[0] ?? 0) + 1
  if (kind === 'text' || at.length < hours * ENOUGH_POINTS_OF_HOUR || hours === 1) return [summarize(points, kind)]
  const summaries: Summary[] = []
  for (let start = 0; start < at.length;) {
    const end = lowerBound(at, (hourOf(at[start] ?? 0) + 1) * HOUR, start)
    const part = { at: at.subarray(start, end), values: values.slice(start, end) }
    summaries.push(summarize(part, kind))
    start = end
  }
  return summaries
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR)
}

const FIELD = 8
/** The number of fields of a summary: its count, its first and last time, and the figures of its kind. */
const FIELDS: { readonly [kind in ValueKind]: number } = { float: 11, integer: 11, boolean: 5, text: 3 }

/** Encodes the summaries of one chunk. A sum that needs more than two doubles is left out. */
export function encodeSummaries(summaries: readonly Summary[]): Uint8Array {
  const size = summaries.reduce((sum, { kind }) => sum + FIELDS[kind] * FIELD, 0)
  const bytes = new Uint8Array(size)
  const view = new DataView(bytes.buffer)
  let offset = 0
  for (const summary of summaries) {
    writeSummary(view, offset, summary)
    offset += FIELDS[summary.kind] * FIELD
  }
  return bytes
}

function writeSummary(view: DataView, offset: number, summary: Summary): void {
  const number = (field: number, value: number): void => view.setFloat64(offset + field * FIELD, value, true)
  const wide = (field: number, value: bigint): void => view.setBigInt64(offset + field * FIELD, value, true)
  number(0, summary.count)
  number(1, summary.first.at)
  number(2, summary.last.at)
  if (summary.kind === 'text') return
  if (summary.kind === 'boolean') {
    number(3, Number(summary.first.value))
    number(4, Number(summary.last.value))
    return
  }
  number(5, summary.least.at)
  number(6, summary.most.at)
  if (summary.kind === 'float') {
    const { first, last, least, most, sum } = summary
    number(3, first.value)
    number(4, last.value)
    number(7, least.value)
    number(8, most.value)
    number(9, sum.length > 2 ? Number.NaN : (sum[0] ?? 0))
    number(10, sum[1] ?? 0)
    return
  }
  const { first, last, least, most, sum } = summary
  wide(3, first.value)
  wide(4, last.value)
  wide(7, least.value)
  wide(8, most.value)
  wide(9, sum >> 64n)
  wide(10, BigInt.asIntN(64, sum))
}

/** Tells whether a summary has its sum. */
export function isComplete(summary: Summary): boolean {
  return summary.kind !== 'float' || !Number.isNaN(summary.sum[0])
}

/** Decodes the joined summaries of any number of chunks of one series. */
export function decodeSummaries(bytes: Uint8Array, kind: ValueKind): Summary[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = FIELDS[kind] * FIELD
  if (bytes.length % size !== 0) throw new RangeError(`summaries of ${kind} values have ${bytes.length} bytes`)
  const read = READ[kind]
  return Array.from({ length: bytes.length / size }, (_, index) => read(view, index * size))
}

const READ: { readonly [kind in ValueKind]: (view: DataView, offset: number) => Summary } = {
  float: readFloats,
  integer: readIntegers,
  boolean: readBooleans,
  text: readTexts,
}

function numberAt(view: DataView, offset: number, field: number): number {
  return view.getFloat64(offset + field * FIELD, true)
}

function wideAt(view: DataView, offset: number, field: number): bigint {
  return view.getBigInt64(offset + field * FIELD, true)
}

function readFloats(view: DataView, offset: number): Summary {
  return {
    kind: 'float',
    count: numberAt(view, offset, 0),
    first: { at: numberAt(view, offset, 1), value: numberAt(view, offset, 3) },
    last: { at: numberAt(view, offset, 2), value: numberAt(view, offset, 4) },
    least: { at: numberAt(view, offset, 5), value: numberAt(view, offset, 7) },
    most: { at: numberAt(view, offset, 6), value: numberAt(view, offset, 8) },
    sum: [numberAt(view, offset, 9), numberAt(view, offset, 10)],
  }
}

function readIntegers(view: DataView, offset: number): Summary {
  return {
    kind: 'integer',
    count: numberAt(view, offset, 0),
    first: { at: numberAt(view, offset, 1), value: wideAt(view, offset, 3) },
    last: { at: numberAt(view, offset, 2), value: wideAt(view, offset, 4) },
    least: { at: numberAt(view, offset, 5), value: wideAt(view, offset, 7) },
    most: { at: numberAt(view, offset, 6), value: wideAt(view, offset, 8) },
    sum: (wideAt(view, offset, 9) << 64n) + BigInt.asUintN(64, wideAt(view, offset, 10)),
  }
}

function readBooleans(view: DataView, offset: number): Summary {
  return {
    kind: 'boolean',
    count: numberAt(view, offset, 0),
    first: { at: numberAt(view, offset, 1), value: numberAt(view, offset, 3) === 1 },
    last: { at: numberAt(view, offset, 2), value: numberAt(view, offset, 4) === 1 },
  }
}

/** Reads a summary of texts, which does not store the texts themselves. */
function readTexts(view: DataView, offset: number): Summary {
  return {
    kind: 'text',
    count: numberAt(view, offset, 0),
    first: { at: numberAt(view, offset, 1), value: null },
    last: { at: numberAt(view, offset, 2), value: null },
  }
}
