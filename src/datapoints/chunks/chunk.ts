import type { ValueKind } from '../../records/values/value.ts'
import { BitReader, BitWriter, damaged } from '../codec/bits.ts'
import { readTimes, writeTimes } from '../codec/chunk-times.ts'
import { readValues, writeValues, type ChunkValues } from '../codec/chunk-values.ts'
import { readWholeNumbers, writeWholeNumbers } from '../codec/whole-numbers.ts'

// A chunk holds points of one series as bytes. Chunks are kept for years, so every new format needs another first byte.

/**
 * Points of one series. Each has the generation of its write: of two points with the same time, the one with the
 * higher generation counts. `generation` is a single number if all points have the same generation.
 */
export interface GeneratedColumns<Values = ChunkValues> {
  /** Microseconds since 1970. */
  readonly at: Float64Array
  readonly generation: Float64Array | number
  readonly values: Values
}

/** The first byte of all chunks of this format. Versions before the first release used 1 and 2. */
const FORM = 3

/** Chunks that claim more points are rejected. Without a limit, a few damaged bytes could take all memory. */
const MOST_NAMED_POINTS = 2 ** 20

/** The writer is used again for every chunk, because allocating memory takes longer than filling it. */
const writer = new BitWriter()

export interface ChunkOptions {
  /** Compresses texts, which takes ten times as long. Everything else is always packed. */
  readonly compress: boolean
}

/** Encodes points. Their times ascend, each once. `integer` and `boolean` values may be exact doubles. */
export function encodeChunk(
  { at, generation, values }: GeneratedColumns,
  kind: ValueKind,
  { compress }: ChunkOptions,
): Uint8Array {
  if (at.length > MOST_NAMED_POINTS)
    throw new RangeError(`a chunk of ${at.length} points is too large; it holds ${MOST_NAMED_POINTS} at most`)
  writer.reset()
  writer.bits(FORM, 8)
  writer.unsigned(at.length)
  writeTimes(writer, at)
  writeGenerations(writer, generation)
  writeValues(writer, values, kind, compress)
  return writer.finish()
}

export function decodeChunk(bytes: Uint8Array, kind: ValueKind): GeneratedColumns {
  const { reader, at } = beginChunk(bytes)
  const count = at.length
  const generation = readGenerations(reader, count)
  const values = readValues(reader, count, kind)
  reader.finish()
  return { at, generation, values }
}

/** Decodes only the times of a chunk, which are at its beginning. They are enough to count points. */
export function decodeChunkTimes(bytes: Uint8Array): Float64Array {
  return beginChunk(bytes).at
}

function beginChunk(bytes: Uint8Array): { readonly reader: BitReader; readonly at: Float64Array } {
  if (bytes[0] !== FORM) throw new RangeError(`a chunk of the form ${bytes[0]} is unknown to this version`)
  const reader = new BitReader(bytes)
  reader.bits(8)
  const count = reader.unsigned()
  if (count > MOST_NAMED_POINTS) throw damaged(`it names ${count} points, and ${MOST_NAMED_POINTS} are the most`)
  return { reader, at: readTimes(reader, count) }
}

const SAME = 0
const EACH = 1

function writeGenerations(writer: BitWriter, generation: Float64Array | number): void {
  const first = typeof generation === 'number' ? generation : (generation[0] ?? 0)
  const isSame = typeof generation === 'number' || areSame(generation, first)
  writer.bits(isSame ? SAME : EACH, 1)
  if (isSame) writer.unsigned(first)
  else writeWholeNumbers(writer, generation)
}

function areSame(generation: Float64Array, first: number): boolean {
  for (let index = 0; index < generation.length; index++) if (generation[index] !== first) return false
  return true
}

function readGenerations(reader: BitReader, count: number): Float64Array | number {
  return reader.bits(1) === SAME ? reader.unsigned() : readWholeNumbers(reader, count)
}

export function generationAt({ generation }: Pick<GeneratedColumns, 'generation'>, index: number): number {
  return typeof generation === 'number' ? generation : (generation[index] ?? 0)
}
