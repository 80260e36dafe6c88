import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { readTimes, writeTimes } from './chunk-times.ts'
import { readValues, writeValues, type ChunkValues } from './chunk-values.ts'
import { PackedReader, PackedWriter } from './packed-bytes.ts'
import type { ValueKind } from '../rules/value.ts'

// The form in which points are kept: some of one series, as one text of bytes. What was written once is read for ever,
// so another form gets another first byte.

/**
 * Of one series. A generation is that of the write: of two points with the same time the higher one is true. One number
 * where all have the same.
 */
export interface GeneratedColumns<Values = ChunkValues> {
  /** Microseconds since 1970. */
  readonly at: Float64Array
  readonly generation: Float64Array | number
  readonly values: Values
}

const PLAIN = 1
const DEFLATED = 2

/** Used again and again: to make memory for each chunk takes longer than to fill it. */
const writer = new PackedWriter(65_536)

/** Less than this gains nothing that would be worth the time. */
const SMALLEST_TO_COMPRESS = 128

export interface ChunkOptions {
  /** Smaller, at ten times the cost. */
  readonly compress: boolean
}

/**
 * `integer` and `boolean` may also come as doubles, as long as those are exact. The times must ascend: a chunk holds one
 * point for each.
 */
export function encodeChunk(
  { at, generation, values }: GeneratedColumns,
  kind: ValueKind,
  { compress }: ChunkOptions,
): Uint8Array {
  writer.reset()
  writer.byte(PLAIN)
  writer.unsigned(at.length)
  writeTimes(writer, at)
  writeGenerations(writer, generation)
  writeValues(writer, values, kind)
  const plain = writer.finish()
  return compress && plain.length >= SMALLEST_TO_COMPRESS ? compressed(plain) : plain
}

function compressed(plain: Uint8Array): Uint8Array {
  const packed = deflateRawSync(plain.subarray(1), { level: 1 })
  if (packed.length + 1 >= plain.length) return plain
  const bytes = new Uint8Array(packed.length + 1)
  bytes[0] = DEFLATED
  bytes.set(packed, 1)
  return bytes
}

export function decodeChunk(bytes: Uint8Array, kind: ValueKind): GeneratedColumns {
  const reader = new PackedReader(contentOf(bytes))
  const count = reader.unsigned()
  const at = readTimes(reader, count)
  return { at, generation: readGenerations(reader, count), values: readValues(reader, count, kind) }
}

function contentOf(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === PLAIN) return bytes.subarray(1)
  if (bytes[0] === DEFLATED) return inflateRawSync(bytes.subarray(1))
  throw new RangeError(`a chunk of the form ${bytes[0]} is unknown to this version`)
}

const SAME = 0
const EACH = 1

function writeGenerations(writer: PackedWriter, generation: Float64Array | number): void {
  const first = typeof generation === 'number' ? generation : (generation[0] ?? 0)
  if (typeof generation === 'number' || areSame(generation, first)) {
    writer.byte(SAME)
    writer.unsigned(first)
    return
  }
  writer.byte(EACH)
  writer.unsigned(first)
  for (let index = 1; index < generation.length; index++)
    writer.signed((generation[index] ?? 0) - (generation[index - 1] ?? 0))
}

function areSame(generation: Float64Array, first: number): boolean {
  for (let index = 0; index < generation.length; index++) if (generation[index] !== first) return false
  return true
}

function readGenerations(reader: PackedReader, count: number): Float64Array | number {
  const form = reader.byte()
  let last = reader.unsigned()
  if (form === SAME) return last
  const generation = new Float64Array(count)
  generation[0] = last
  for (let index = 1; index < count; index++) generation[index] = last += reader.signed()
  return generation
}

export function generationAt({ generation }: Pick<GeneratedColumns, 'generation'>, index: number): number {
  return typeof generation === 'number' ? generation : (generation[index] ?? 0)
}
