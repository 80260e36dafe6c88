import type { Transfer } from './transfer.ts'

/** A variable that is already JSON text in UTF-8, or that is written while it is sent. It can be written repeatedly. */
export class WrittenJson {
  readonly pieces: () => Iterable<Uint8Array>

  constructor(pieces: () => Iterable<Uint8Array>) {
    this.pieces = pieces
  }
}

export interface Variables {
  readonly [name: string]: unknown
}

/**
 * Returns the body of a GraphQL request in parts that are made when they are needed, so that the whole body, which can
 * have tens of megabytes, is never in memory.
 */
export function requestBody(query: string, variables: Variables, transfer?: Transfer): Iterable<Uint8Array> {
  return transfer === undefined ? inChunks(bodyPieces(query, variables)) : counted(query, variables, transfer)
}

/** The number of bytes between two reports of progress. */
const COUNTED_CHUNK = 64 * 1024

/** Splits the chunks into parts. A part is reported as sent when the next one is requested. */
function* counted(query: string, variables: Variables, transfer: Transfer): Generator<Uint8Array, void> {
  let total = 0
  for (const piece of bodyPieces(query, variables)) total += piece.length
  let sent = 0
  for (const chunk of inChunks(bodyPieces(query, variables))) {
    for (let at = 0; at < chunk.length; at += COUNTED_CHUNK) {
      const part = chunk.subarray(at, at + COUNTED_CHUNK)
      yield part
      sent += part.length
      transfer.sent(sent, total)
    }
  }
}

function* bodyPieces(query: string, variables: Variables): Generator<Uint8Array> {
  yield Buffer.from(`{"query":${JSON.stringify(query)},"variables":{`)
  const given = Object.entries(variables).filter(([, value]) => value !== undefined)
  for (const [index, [name, value]] of given.entries()) {
    yield Buffer.from(`${index === 0 ? '' : ','}${JSON.stringify(name)}:`)
    if (value instanceof WrittenJson) yield* value.pieces()
    else yield Buffer.from(JSON.stringify(value))
  }
  yield Buffer.from('}}')
}

/** The cost of a stream depends on the number of chunks, so small pieces are joined. */
const SMALLEST_CHUNK = 256 * 1024

function* inChunks(pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  let waiting: Uint8Array[] = []
  let size = 0
  for (const piece of pieces) {
    const isLarge = piece.length >= SMALLEST_CHUNK
    if (size > 0 && (isLarge || size + piece.length > SMALLEST_CHUNK)) {
      yield Buffer.concat(waiting)
      waiting = []
      size = 0
    }
    if (isLarge) yield piece
    else {
      waiting.push(piece)
      size += piece.length
    }
  }
  yield Buffer.concat(waiting)
}
