import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { readTimes, writeTimes } from './chunk-times.ts'
import { readValues, writeValues, type ChunkValues } from './chunk-values.ts'
import { PackedReader, PackedWriter } from './packed-bytes.ts'
import type { ValueKind } from '../rules/value.ts'

// A chunk holds points of one series as bytes. Chunks are kept for years, so every change of the form gets another
// first byte.

/**
 * Points of one series. Each has the generation of its write: of two points with the same time, the one with the
 * higher generation counts. `generation` is a single number where all points have the same.
 */
export interface GeneratedColumns<Values = ChunkValues> {
  /** Microseconds since 1970. */
  readonly at: Float64Array
  readonly generation: Float64Array | number
  readonly values: Values
}

const PLAIN = 1
const DEFLATED = 2

/** The writer is used again for every chunk, because allocating memory takes longer than filling it. */
const writer = new PackedWriter(65_536)

/** Compressing fewer bytes gains too little for the time it takes. */
const SMALLEST_TO_COMPRESS = 128

export interface ChunkOptions {
  /** Makes the chunk smaller, at ten times the cost. */
  readonly compress: boolean
}

/**
 * Encodes points whose times ascend, because a chunk holds one point for each time. `integer` and `boolean` values
 * may come as doubles as long as those are exact.
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
