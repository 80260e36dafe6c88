import type { ValueKind } from '../rules/value.ts'
import { MOST, type PackedReader, type PackedWriter } from './packed-bytes.ts'

/** The values of a chunk, in the form in which it is decoded. */
export type ChunkValues = Float64Array | BigInt64Array | Uint8Array | string[]

const DECIMAL = 0
const PLANES = 1
const WHOLE = 2
const WIDE = 3
const BITS = 4
const TEXTS = 5

/** Values with at most this many decimals are stored as whole numbers. */
const MOST_DIGITS = 6

export function writeValues(writer: PackedWriter, values: ChunkValues, kind: ValueKind): void {
  if (kind === 'text') return writeTexts(writer, values as string[])
  if (kind === 'boolean') return writeBits(writer, values as Uint8Array | Float64Array)
  if (kind === 'float') return writeFloats(writer, values as Float64Array)
  const whole = safeNumbers(values as Float64Array | BigInt64Array)
  if (whole === null) return writeWide(writer, values as BigInt64Array)
  writer.byte(WHOLE)
  writeDifferences(writer, whole, 1)
}

export function readValues(reader: PackedReader, count: number, kind: ValueKind): ChunkValues {
  const form = reader.byte()
  if (kind === 'text') return readTexts(reader, count)
  if (kind === 'boolean') return readBits(reader, count)
  if (form === DECIMAL) return readDifferences(reader, count, 10 ** reader.byte())
  if (form === PLANES) return new Float64Array(readPlanes(reader, count).buffer)
  if (form === WHOLE) return toWide(readDifferences(reader, count, 1))
  return new BigInt64Array(readPlanes(reader, count).buffer)
}

function writeFloats(writer: PackedWriter, values: Float64Array): void {
  const digits = digitsOf(values)
  if (digits === null) {
    writer.byte(PLANES)
    writePlanes(writer, values)
    return
  }
  writer.byte(DECIMAL)
  writer.byte(digits)
  writeDifferences(writer, values, 10 ** digits)
}

/** The number of decimals that reproduces every value exactly; null where no number of decimals does. */
function digitsOf(values: Float64Array): number | null {
  let digits = 0
  let factor = 1
  for (let index = 0; index < values.length; index++) {
    while (!isExact(values[index] ?? 0, factor)) {
      if (++digits > MOST_DIGITS) return null
      factor *= 10
    }
  }
  return areExact(values, factor) ? digits : null
}

function areExact(values: Float64Array, factor: number): boolean {
  for (let index = 0; index < values.length; index++) if (!isExact(values[index] ?? 0, factor)) return false
  return true
}

function isExact(value: number, factor: number): boolean {
  const whole = Math.round(value * factor)
  return whole / factor === value && Math.abs(whole) < MOST / 2 && (value !== 0 || 1 / value > 0)
}

function writeDifferences(writer: PackedWriter, values: Float64Array, factor: number): void {
  let last = 0
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0
    const whole = factor === 1 ? value : Math.round(value * factor)
    writer.signed(whole - last)
    last = whole
  }
}

function readDifferences(reader: PackedReader, count: number, factor: number): Float64Array {
  const values = new Float64Array(count)
  let whole = 0
  for (let index = 0; index < count; index++) {
    whole += reader.signed()
    values[index] = whole / factor
  }
  return values
}

/** The values as doubles; null where one is so large that a difference would not be exact. */
function safeNumbers(values: Float64Array | BigInt64Array): Float64Array | null {
  const numbers = values instanceof Float64Array ? values : Float64Array.from(values, Number)
  return numbers.every((value) => Math.abs(value) < MOST / 2) ? numbers : null
}

function writeWide(writer: PackedWriter, values: BigInt64Array | Float64Array): void {
  writer.byte(WIDE)
  writePlanes(writer, values instanceof Float64Array ? BigInt64Array.from(values, BigInt) : values)
}

/** Writes each number as two halves of 32 bits, because converting it to a bigint first takes ten times as long. */
function toWide(values: Float64Array): BigInt64Array {
  const wide = new BigInt64Array(values.length)
  const halves = new Int32Array(wide.buffer)
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0
    halves[index * 2] = value
    halves[index * 2 + 1] = Math.floor(value / 2 ** 32)
  }
  return wide
}

/**
 * Writes all first bytes, then all second bytes, and so on. The bytes of similar numbers are alike in each plane,
 * which compresses well.
 */
function writePlanes(writer: PackedWriter, values: Float64Array | BigInt64Array): void {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  const planes = writer.reserve(bytes.length)
  const count = values.length
  for (let index = 0, offset = 0; index < count; index++)
    for (let plane = 0; plane < 8; plane++) planes[plane * count + index] = bytes[offset++] ?? 0
}

function readPlanes(reader: PackedReader, count: number): Uint8Array<ArrayBuffer> {
  const planes = reader.take(count * 8)
  const bytes = new Uint8Array(count * 8)
  for (let index = 0, offset = 0; index < count; index++)
    for (let plane = 0; plane < 8; plane++) bytes[offset++] = planes[plane * count + index] ?? 0
  return bytes
}

function writeBits(writer: PackedWriter, values: Uint8Array | Float64Array): void {
  writer.byte(BITS)
  const bits = writer.reserve((values.length + 7) >> 3).fill(0)
  for (let index = 0; index < values.length; index++)
    if (values[index] === 1) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7))
}

function readBits(reader: PackedReader, count: number): Uint8Array {
  const bits = reader.take((count + 7) >> 3)
  return Uint8Array.from({ length: count }, (_, index) => ((bits[index >> 3] ?? 0) >> (index & 7)) & 1)
}

function writeTexts(writer: PackedWriter, texts: readonly string[]): void {
  writer.byte(TEXTS)
  const encoded = texts.map((text) => Buffer.from(text, 'utf8'))
  for (const { length } of encoded) writer.unsigned(length)
  for (const bytes of encoded) writer.reserve(bytes.length).set(bytes)
}

function readTexts(reader: PackedReader, count: number): string[] {
  const lengths = Array.from({ length: count }, () => reader.unsigned())
  return lengths.map((length) => {
    const bytes = reader.take(length)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
  })
}
