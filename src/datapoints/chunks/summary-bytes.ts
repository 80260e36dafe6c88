import type { ValueKind } from '../rules/value.ts'
import { BitReader, BitWriter, damaged } from './bits.ts'
import { readDouble, readWide, writeDouble, writeWide } from './summary-numbers.ts'
import type { Summary, SummaryPoint } from './summary.ts'

// A summary stands beside the number of points of its chunk, their first and their last time, and leaves these out: of
// a float with one decimal it takes some 20 bytes.

/** What the row of a summary says itself. */
export interface SummaryPlace {
  readonly count: number
  /** The times of the first and the last point, in microseconds since 1970. */
  readonly t0: number
  readonly t1: number
}

const writer = new BitWriter()

export function encodeSummary(summary: Summary): Uint8Array {
  writer.reset()
  if (summary.kind === 'float') writeFigures(summary, writeDouble, (parts) => writeParts(parts))
  else if (summary.kind === 'integer') writeFigures(summary, writeWide, (sum) => writeWide(writer, sum))
  else if (summary.kind === 'boolean') writeEnds(summary, (_, value) => writer.bits(value ? 1 : 0, 1))
  else writeEnds(summary, (_, value) => writeText(value))
  return writer.finish()
}

type Write<Value> = (writer: BitWriter, value: Value) => void

function writeEnds<Value>(
  { first, last }: { readonly first: SummaryPoint<Value>; readonly last: SummaryPoint<Value> },
  write: Write<Value>,
): void {
  write(writer, first.value)
  write(writer, last.value)
}

function writeFigures<Value, Sum>(
  summary: {
    readonly [point in 'first' | 'last' | 'least' | 'most']: SummaryPoint<Value>
  } & { readonly sum: Sum },
  write: Write<Value>,
  writeSum: (sum: Sum) => void,
): void {
  writeEnds(summary, write)
  for (const { at, value } of [summary.least, summary.most]) {
    writeDistance(at - summary.first.at)
    write(writer, value)
  }
  writeSum(summary.sum)
}

/** Units of microseconds. */
const UNITS = [60_000_000, 1_000_000, 1_000, 1] as const

function writeDistance(distance: number): void {
  const unit = UNITS.findIndex((size) => distance % size === 0)
  writer.bits(unit, 2)
  writer.unsigned(distance / (UNITS[unit] ?? 1))
}

function writeParts(parts: readonly number[]): void {
  writer.unsigned(parts.length)
  for (const part of parts) writeDouble(writer, part)
}

function writeText(text: string | null): void {
  const bytes = Buffer.from(text ?? '', 'utf8')
  writer.unsigned(text === null ? 0 : bytes.length + 1)
  writer.bytes(bytes)
}

export function decodeSummary(bytes: Uint8Array, kind: ValueKind, place: SummaryPlace): Summary {
  const reader = new BitReader(bytes)
  const summary = readSummary(reader, kind, place)
  reader.finish()
  return summary
}

function readSummary(reader: BitReader, kind: ValueKind, place: SummaryPlace): Summary {
  if (kind === 'float') {
    const figures = readFigures(reader, place, readDouble)
    return { kind, ...figures, sum: readParts(reader) }
  }
  if (kind === 'integer') {
    const figures = readFigures(reader, place, readWide)
    return { kind, ...figures, sum: readWide(reader) }
  }
  if (kind === 'boolean') return { kind, ...readEnds(reader, place, () => reader.bits(1) === 1) }
  return { kind, ...readEnds(reader, place, readText) }
}

type Read<Value> = (reader: BitReader) => Value

function readEnds<Value>(reader: BitReader, { count, t0, t1 }: SummaryPlace, read: Read<Value>) {
  const first = { at: t0, value: read(reader) }
  return { count, first, last: { at: t1, value: read(reader) } }
}

function readFigures<Value>(reader: BitReader, place: SummaryPlace, read: Read<Value>) {
  const ends = readEnds(reader, place, read)
  const least = { at: place.t0 + readDistance(reader), value: read(reader) }
  const most = { at: place.t0 + readDistance(reader), value: read(reader) }
  return { ...ends, least, most }
}

function readDistance(reader: BitReader): number {
  const size = UNITS[reader.bits(2)] ?? 1
  return reader.unsigned() * size
}

/** More doubles than these do not follow each other without overlapping. */
const MOST_PARTS = 64

function readParts(reader: BitReader): number[] {
  const count = reader.unsigned()
  if (count > MOST_PARTS) throw damaged(`its sum has ${count} parts`)
  return Array.from({ length: count }, () => readDouble(reader))
}

function readText(reader: BitReader): string | null {
  const size = reader.unsigned()
  const bytes = reader.bytes(Math.max(0, size - 1))
  return size === 0 ? null : Buffer.from(bytes).toString('utf8')
}
