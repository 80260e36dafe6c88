import { loadedOnce } from '../lib/loaded-once.ts'
import { ApiError } from './api-error.ts'

/** The largest batch that the platform takes. */
export const MOST_IN_BATCH = { points: 10_000, bytes: 16 * 1_048_576 } as const

/** A format in which batches are sent. */
export interface Format {
  readonly mediaType: string
  encode(element: object): Uint8Array
  /** Joins encoded elements to the body of a batch. */
  join(elements: readonly Uint8Array[]): Uint8Array<ArrayBuffer>
}

const UTF8 = new TextEncoder()
const OPEN = 0x5b
const COMMA = 0x2c
const CLOSE = 0x5d

const JSON_FORMAT: Format = {
  mediaType: 'application/json',
  encode: (element) => UTF8.encode(JSON.stringify(element)),
  join: (elements) => {
    const comma = Uint8Array.of(COMMA)
    const pieces = elements.flatMap((element, index) => (index === 0 ? [element] : [comma, element]))
    return concatenated([Uint8Array.of(OPEN), ...pieces, Uint8Array.of(CLOSE)])
  },
}

/** The head of a list with a length of 32 bits. */
const LIST_HEAD = 0xdd

const messagePack = loadedOnce(async (): Promise<Format> => {
  const { encode } = await import('@msgpack/msgpack')
  return {
    mediaType: 'application/vnd.msgpack',
    encode: (element) => encode(element, { ignoreUndefined: true }),
    join: (elements) => {
      const head = new DataView(new ArrayBuffer(5))
      head.setUint8(0, LIST_HEAD)
      head.setUint32(1, elements.length)
      return concatenated([new Uint8Array(head.buffer), ...elements])
    },
  }
})

export async function formatOf(name: 'json' | 'msgpack'): Promise<Format> {
  return name === 'msgpack' ? messagePack() : JSON_FORMAT
}

/**
 * Encodes elements until the batch is full, so that no more than one batch is in memory. `place` is the index of the
 * first one in the list of the caller.
 */
export function fillBatch(
  { encode, join }: Format,
  elements: Iterable<object>,
  place: number,
): { readonly body: Uint8Array<ArrayBuffer>; readonly count: number } {
  const encoded: Uint8Array[] = []
  let bytes = 2
  for (const element of elements) {
    const next = encode(element)
    // A comma follows each element.
    bytes += next.length + 1
    if (bytes > MOST_IN_BATCH.bytes && encoded.length === 0) throw tooLarge(next, place)
    if (bytes > MOST_IN_BATCH.bytes) break
    encoded.push(next)
    if (encoded.length === MOST_IN_BATCH.points) break
  }
  return { body: join(encoded), count: encoded.length }
}

function tooLarge({ length }: Uint8Array, place: number): ApiError {
  const size = `${length.toLocaleString('en-US')} bytes`
  return new ApiError(
    'LIMIT_EXCEEDED',
    `the datapoint ${place} has ${size}, but a batch may have at most 16 MiB; it was not sent`,
  )
}

function concatenated(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
