import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { inTurns } from '../../db/breather.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { AppEnv } from '../app-env.ts'
import { askForBody, waitsToBeAsked } from './ask-for-body.ts'
import { HttpError } from './error-response.ts'
import type { Hold } from './held-bytes.ts'
import { sizeText } from './limits.ts'

export interface BodyLimit {
  readonly bytes: number
  /** The limited thing, in words: `an import document`. */
  readonly what: string
}

/** Reads the body of a request. From a socket, Node's stream reads it: web streams cost as much as parsing. */
export async function readBody(context: Context<AppEnv>, limit: BodyLimit, hold?: Hold): Promise<Uint8Array> {
  refuseEncoded(context)
  const pieces = await readPieces(context, limit, hold)
  const [first] = pieces
  return first !== undefined && pieces.length === 1 ? first : inTurns(join(pieces))
}

/** Other requests run between two pieces, because touching new memory may take milliseconds for each megabyte. */
function* join(pieces: readonly Uint8Array[]): Generator<undefined, Uint8Array> {
  const joined = Buffer.allocUnsafe(pieces.reduce((size, piece) => size + piece.length, 0))
  let end = 0
  for (const piece of pieces) {
    joined.set(piece, end)
    end += piece.length
    yield
  }
  return joined
}

/** Reads the body as it was sent, perhaps compressed, in pieces. */
export async function readPieces(
  context: Context<AppEnv>,
  limit: BodyLimit,
  hold?: Hold,
): Promise<readonly Uint8Array[]> {
  const incoming = context.env.incoming
  if (waitsToBeAsked(context) && Number(incoming?.headers['content-length'] ?? 0) > limit.bytes) throw tooLarge(limit)
  askForBody(context)
  if (incoming !== undefined) return collectBody(incoming, limit, hold)
  const body = new Uint8Array(await context.req.raw.arrayBuffer())
  if (body.length > limit.bytes) throw tooLarge(limit)
  hold?.(body.length)
  return [body]
}

function refuseEncoded(context: Context<AppEnv>): void {
  const encoding = context.req.header('content-encoding') ?? 'identity'
  if (encoding.trim().toLowerCase() === 'identity') return
  throw new HttpError(
    'BAD_USER_INPUT',
    415,
    'Unsupported media type',
    'the body must not be compressed here; send it without Content-Encoding',
    { 'accept-encoding': 'identity' },
  )
}

/**
 * If a body is too large, up to this amount is read and discarded, for at most this time. A client that is still
 * sending does not read the answer. It would see only a broken connection, and repeat the request for ever.
 */
export const MOST_DISCARDED = 67_108_864
export const DISCARDING_MS = 30_000

/** A piece takes this many bytes of memory in addition to its own bytes. A sender may send single bytes. */
const BYTES_OF_PIECE = 256

/** Reads a body from its socket. `hold` receives the memory that it takes, and may reject it. */
export function collectBody(incoming: IncomingMessage, limit: BodyLimit, hold?: Hold): Promise<readonly Uint8Array[]> {
  const isLarge = Number(incoming.headers['content-length'] ?? 0) > limit.bytes
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let size = 0
    let timer: NodeJS.Timeout | undefined
    const memory = (): number => size + chunks.length * BYTES_OF_PIECE
    const settle = (): void => {
      clearTimeout(timer)
      // The request object stays in memory. Its listeners would keep the chunks, and also the body, because they refer
      // to its promise.
      incoming.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff)
    }
    const stop = (error: unknown): void => {
      settle()
      reject(error)
    }
    const refuse = (): void => stop(tooLarge(limit))
    const keep = (chunk: Buffer): void => {
      try {
        chunks.push(chunk)
        hold?.(memory(), { arrived: size, breakOff: stop })
      } catch (error) {
        stop(error)
      }
    }
    const take = (chunk: Buffer): void => {
      size += chunk.length
      if (size > limit.bytes + MOST_DISCARDED) refuse()
      else if (isLarge || size > limit.bytes) {
        chunks = []
        hold?.(0)
        timer ??= setTimeout(refuse, DISCARDING_MS).unref()
      } else keep(chunk)
    }
    const end = (): void => {
      if (size > limit.bytes) return refuse()
      settle()
      hold?.(memory())
      resolve(chunks)
    }
    const breakOff = (): void => stop(brokenOff())
    // A destroyed request emits no more events.
    if (incoming.destroyed) return breakOff()
    incoming.on('data', take).once('end', end).once('error', breakOff).once('close', breakOff)
  })
}

/** The error for a body that is too large. The rest of it is not read, so the connection cannot be used afterwards. */
export function tooLarge({ bytes, what }: BodyLimit): HttpError {
  const message = `${what} may have at most ${sizeText(bytes)}; this one is larger`
  return new HttpError('LIMIT_EXCEEDED', 413, 'Too large', message, { connection: 'close' })
}

/** The error of a connection that broke. No client reads it. */
function brokenOff(): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', 'the connection broke before the request was complete')
}
