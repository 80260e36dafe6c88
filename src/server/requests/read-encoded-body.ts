import type { Context } from 'hono'
import { setImmediate } from 'node:timers/promises'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import type { AppEnv } from '../app-env.ts'
import { HttpError } from './error-response.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { Semaphore } from '../../platform/semaphore.ts'
import { BodyMemory } from './body-memory.ts'
import type { Hold } from './held-bytes.ts'
import { readPieces, tooLarge, type BodyLimit } from './read-body.ts'

/** A body in pieces, perhaps compressed. */
interface EncodedBody {
  header(name: 'content-encoding'): string | undefined
  read(limit: BodyLimit, hold: Hold): Promise<readonly Uint8Array[]>
}

const LARGE = 4_194_304

/** The content codings (RFC 9110, section 8.4.1). `deflate` is the format of RFC 1950. */
const CODINGS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
])

/**
 * Node has this many threads for such work. Before it yields the first bytes, a decoder may take as much memory as the
 * whole body, which nothing counts.
 */
const decoding = new Semaphore(4)

/** Reads a body that may be compressed. The limit applies to the decompressed body. */
export function readEncodedBody(context: Context<AppEnv>, limit: BodyLimit, hold: Hold): Promise<Uint8Array> {
  const header = (name: string): string | undefined => context.req.header(name)
  return decodeBody({ header, read: () => readPieces(context, limit, hold) }, limit, hold, new BodyMemory())
}

/**
 * Reads a body that may be compressed as pieces, which the caller gives back to `memory`. If the coding is unknown, the
 * pieces are not read. The decompressed bytes count as held.
 */
export async function decodeBody(
  encoded: EncodedBody,
  limit: BodyLimit,
  hold: Hold,
  memory: BodyMemory,
): Promise<Uint8Array> {
  const coding = (encoded.header('content-encoding') ?? 'identity').trim().toLowerCase()
  const create = CODINGS.get(coding)
  if (create === undefined && coding !== 'identity') throw unknownCoding()
  const body = memory.join(await encoded.read(limit, hold))
  hold(body.length)
  // Joining a large body takes long, and so does reading it. Other requests run in between.
  if (body.length > LARGE) await setImmediate()
  if (create === undefined) return body
  const pieces = await decoding
    .run(() => decompress(body, create(), limit, hold))
    .catch((error: unknown) => {
      if (error instanceof HoldfastError) throw error
      const format = coding === 'deflate' ? ', which is the format of zlib (RFC 1950) and not the bare one' : ''
      throw new HoldfastError('BAD_USER_INPUT', `the body cannot be decompressed: it is not valid ${coding}${format}`)
    })
  // After a failure, a thread may still read the piece.
  memory.giveBack(body)
  return memory.join(pieces)
}

async function decompress(body: Uint8Array, decoder: Transform, limit: BodyLimit, hold: Hold): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of decoder.end(body) as AsyncIterable<Uint8Array>) {
    size += piece.length
    if (size > limit.bytes) throw tooLarge(limit)
    hold(body.length + size)
    pieces.push(piece)
  }
  hold(size)
  return pieces
}

function unknownCoding(): HttpError {
  const known = 'gzip, deflate, br, zstd'
  const message = `the body has a Content-Encoding that is not known here; use one of ${known}, or none`
  return new HttpError('BAD_USER_INPUT', 415, 'Unsupported media type', message, { 'accept-encoding': known })
}
