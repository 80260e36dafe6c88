import type { ChunkValues } from '../codec/chunk-values.ts'
import type { PointRuns } from './point-runs.ts'
import { MOST_SIGNED, type VarintReader, type VarintWriter } from './varints.ts'
import type { Directory } from './directory.ts'

// The values of a run. Floats are written as whole numbers if up to MOST_DIGITS decimals reproduce all of them exactly.

/** The kinds of values as in KINDS. */
const [INTEGER, BOOLEAN, TEXT] = [1, 2, 3]

/** The form of values is the number of decimals of floats, 0 for other kinds, or this: eight bytes per value. */
const PLAIN_FORM = 7
const MOST_DIGITS = 6
const FACTORS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

/** Chooses the form of the values of a run. A single one gets a decimal or more, so that many share one form. */
export function formOf({ kinds, values, others }: PointRuns, run: number, start: number, end: number): number {
  const kind = kinds[run]
  if (kind === INTEGER) return areWhole(values, others, start, end) ? 0 : PLAIN_FORM
  if (kind === BOOLEAN || kind === TEXT) return 0
  let digits = end - start === 1 ? 1 : 0
  for (let index = start; index < end; index++) {
    while (!isExact(values[index] ?? 0, FACTORS[digits] ?? 1)) if (++digits > MOST_DIGITS) return PLAIN_FORM
  }
  return end - start === 1 || areExact(values, FACTORS[digits] ?? 1, start, end) ? digits : PLAIN_FORM
}

function areWhole(values: Float64Array, others: PointRuns['others'], start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    if (Math.abs(values[index] ?? 0) >= MOST_SIGNED / 2 || others.has(index)) return false
  }
  return true
}

function areExact(values: Float64Array, factor: number, start: number, end: number): boolean {
  for (let index = start; index < end; index++) if (!isExact(values[index] ?? 0, factor)) return false
  return true
}

/** Tells whether a whole number divided by the factor gives exactly this value. It does not for -0 and NaN. */
function isExact(value: number, factor: number): boolean {
  const whole = Math.round(value * factor)
  return whole / factor === value && Math.abs(whole) < MOST_SIGNED / 2 && (value !== 0 || 1 / value > 0)
}

export function writeRunValues(
  writer: VarintWriter,
  { kinds, values, others }: PointRuns,
  run: number,
  form: number,
  start: number,
  end: number,
): void {
  const kind = kinds[run]
  if (kind === TEXT) for (let index = start; index < end; index++) writer.text(String(others.get(index) ?? ''))
  else if (kind === BOOLEAN) writeBits(writer, values, start, end)
  else if (form !== PLAIN_FORM) writeDifferences(writer, values, FACTORS[form] ?? 1, start, end)
  else if (kind === INTEGER)
    for (let index = start; index < end; index++) writer.wide(BigInt(others.get(index) ?? values[index] ?? 0))
  else for (let index = start; index < end; index++) writer.double(values[index] ?? 0)
}

function writeDifferences(
  writer: VarintWriter,
  values: Float64Array,
  factor: number,
  start: number,
  end: number,
): void {
  let last = 0
  for (let index = start; index < end; index++) {
    const value = values[index] ?? 0
    const whole = factor === 1 ? value : Math.round(value * factor)
    writer.signed(whole - last)
    last = whole
  }
}

function writeBits(writer: VarintWriter, values: Float64Array, start: number, end: number): void {
  for (let first = start; first < end; first += 8) {
    let byte = 0
    for (let bit = 0; bit < 8 && first + bit < end; bit++) if (values[first + bit] === 1) byte |= 1 << bit
    writer.byte(byte)
  }
}

export function readRunValues(
  reader: VarintReader,
  kind: number,
  form: number,
  count: number,
  memory: PointMemory,
): ChunkValues {
  if (kind === TEXT) return Array.from({ length: count }, () => reader.text())
  if (kind === BOOLEAN) return readBits(reader, count)
  if (kind === INTEGER) return readIntegers(reader, form, memory.takeWide(count))
  const values = memory.take(count)
  if (form === PLAIN_FORM) for (let index = 0; index < count; index++) values[index] = reader.double()
  else readDifferences(reader, values, FACTORS[form] ?? 1)
  return values
}

function readDifferences(reader: VarintReader, values: Float64Array, factor: number): void {
  let whole = 0
  for (let index = 0; index < values.length; index++) {
    whole += reader.signed()
    values[index] = whole / factor
  }
}

/** Stores each small number as two halves of 32 bits, because converting it to a bigint takes ten times as long. */
function readIntegers(reader: VarintReader, form: number, wide: BigInt64Array): BigInt64Array {
  if (form === PLAIN_FORM) {
    for (let index = 0; index < wide.length; index++) wide[index] = reader.wide()
    return wide
  }
  const halves = new Int32Array(wide.buffer, wide.byteOffset, wide.length * 2)
  let whole = 0
  for (let index = 0; index < wide.length; index++) {
    whole += reader.signed()
    halves[index * 2] = whole
    halves[index * 2 + 1] = Math.floor(whole / 2 ** 32)
  }
  return wide
}

function readBits(reader: VarintReader, count: number): Uint8Array {
  const bits = reader.bytes((count + 7) >> 3)
  return Uint8Array.from({ length: count }, (_, index) => ((bits[index >> 3] ?? 0) >> (index & 7)) & 1)
}

/** Skips the values of a run without decoding them. */
export function skipRunValues(reader: VarintReader, kind: number, form: number, count: number): void {
  if (kind === BOOLEAN) reader.skip((count + 7) >> 3)
  else if (kind === TEXT) for (let index = 0; index < count; index++) reader.skip(reader.unsigned())
  else if (form === PLAIN_FORM) reader.skip(count * 8)
  else for (let index = 0; index < count; index++) reader.unsigned()
}

/** The time, generation and value of each point. */
const NUMBERS_OF_POINT = 3

/**
 * Memory for all points that are decoded from a segment. One allocation costs less than three allocations for each of a
 * thousand series, and so does freeing it.
 */
export class PointMemory {
  readonly #bytes: ArrayBuffer
  #taken = 0

  constructor({ series, counts }: Directory, wanted?: Pick<ReadonlySet<number>, 'has'>) {
    let points = 0
    for (let run = 0; run < series.length; run++)
      if (wanted === undefined || wanted.has(series[run] ?? 0)) points += counts[run] ?? 0
    this.#bytes = new ArrayBuffer(points * NUMBERS_OF_POINT * Float64Array.BYTES_PER_ELEMENT)
  }

  take(count: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#bytes, this.#advance(count), count)
  }

  takeWide(count: number): BigInt64Array<ArrayBuffer> {
    return new BigInt64Array(this.#bytes, this.#advance(count), count)
  }

  #advance(count: number): number {
    const place = this.#taken
    this.#taken += count * Float64Array.BYTES_PER_ELEMENT
    return place
  }
}
