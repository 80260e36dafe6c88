import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { damaged, type BitReader, type BitWriter } from './bits.ts'
import { readWholeNumbers, writeWholeNumbers } from './whole-numbers.ts'

// Each text is stored once. If a text repeats, the values are indexes into the list of texts.

/** Compressing fewer bytes gains too little for the time it takes. */
const LEAST_TO_COMPRESS = 128
/** The maximum number of bytes of all texts of a chunk. */
const MOST_BYTES = 2 ** 27

export function writeTexts(writer: BitWriter, texts: readonly string[], compress: boolean): void {
  const { list, indexes } = listTexts(texts)
  const isShorter = list.length < texts.length
  writer.bits(isShorter ? 1 : 0, 1)
  if (isShorter) {
    writer.unsigned(list.length)
    writeWholeNumbers(writer, indexes)
  }
  const encoded = list.map(encodeText)
  writeWholeNumbers(
    writer,
    Float64Array.from(encoded, ({ length }) => length),
  )
  writeBytes(writer, Buffer.concat(encoded), compress)
}

function listTexts(texts: readonly string[]): { readonly list: readonly string[]; readonly indexes: Float64Array } {
  const known = new Map<string, number>()
  const indexes = new Float64Array(texts.length)
  for (const [at, text] of texts.entries()) {
    const index = known.get(text) ?? known.size
    if (index === known.size) known.set(text, index)
    indexes[at] = index
  }
  return { list: [...known.keys()], indexes }
}

function encodeText(text: string): Buffer {
  if (!text.isWellFormed()) throw new RangeError('a text has half of a surrogate pair, which has no bytes in UTF-8')
  return Buffer.from(text, 'utf8')
}

function writeBytes(writer: BitWriter, plain: Uint8Array, compress: boolean): void {
  if (plain.length > MOST_BYTES)
    throw new RangeError(`the texts of a chunk take ${plain.length} bytes; at most ${MOST_BYTES} fit into one`)
  const deflated = compress && plain.length >= LEAST_TO_COMPRESS ? deflateRawSync(plain, { level: 1 }) : plain
  const isSmaller = deflated.length < plain.length
  writer.bits(isSmaller ? 1 : 0, 1)
  if (isSmaller) writer.unsigned(deflated.length)
  writer.bytes(isSmaller ? deflated : plain)
}

export function readTexts(reader: BitReader, count: number): string[] {
  const isShorter = reader.bits(1) === 1
  const listed = isShorter ? reader.unsigned() : count
  if (listed > count) throw damaged(`it lists ${listed} texts for ${count} points`)
  const indexes = isShorter ? readWholeNumbers(reader, count) : null
  const list = readList(reader, listed)
  if (indexes === null) return list
  return Array.from(indexes, (index) => {
    const text = list[index]
    if (text === undefined) throw damaged(`it has no text ${index}`)
    return text
  })
}

function readList(reader: BitReader, count: number): string[] {
  const lengths = readWholeNumbers(reader, count)
  let size = 0
  for (const length of lengths) {
    if (length < 0) throw damaged('a text has less than no bytes')
    size += length
  }
  const bytes = readBytes(reader, size)
  let start = 0
  return Array.from(lengths, (length) => bytes.toString('utf8', start, (start += length)))
}

function readBytes(reader: BitReader, size: number): Buffer {
  if (size > MOST_BYTES) throw damaged(`its texts take ${size} bytes`)
  const isDeflated = reader.bits(1) === 1
  const stored = reader.bytes(isDeflated ? reader.unsigned() : size)
  const bytes = isDeflated ? inflated(stored, size) : stored
  if (bytes.length !== size) throw damaged(`its texts take ${bytes.length} bytes instead of ${size}`)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

function inflated(stored: Uint8Array, size: number): Uint8Array {
  try {
    return inflateRawSync(stored, { maxOutputLength: Math.max(1, size) })
  } catch (error) {
    throw damaged(`its texts cannot be inflated (${error instanceof Error ? error.message : String(error)})`)
  }
}
