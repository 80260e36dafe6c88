import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { HoldfastError } from '../lib/errors.ts'
import type { AppEnv } from './app-env.ts'
import { HttpError } from './error-response.ts'
import { sizeText } from './limits.ts'

export interface BodyLimit {
  readonly bytes: number
  /** What is limited: `an import document`. */
  readonly what: string
}

/**
 * The body of a request. From a socket it is read from Node's own stream: web streams would cost as much again as
 * parsing it does.
 */
export async function readBody(context: Context<AppEnv>, limit: BodyLimit): Promise<Uint8Array> {
  refuseEncoded(context)
  const pieces = await readPieces(context, limit)
  const [first] = pieces
  return first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces)
}

/** As it came, maybe compressed, and in pieces. */
export async function readPieces(context: Context<AppEnv>, limit: BodyLimit): Promise<readonly Uint8Array[]> {
  const announced = Number(context.req.header('content-length') ?? 0)
  if (announced > limit.bytes) throw tooLarge(limit)
  const incoming = context.env.incoming
  if (incoming !== undefined) return collect(incoming as IncomingMessage, limit)
  const body = new Uint8Array(await context.req.raw.arrayBuffer())
  if (body.length > limit.bytes) throw tooLarge(limit)
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

function collect(incoming: IncomingMessage, limit: BodyLimit): Promise<readonly Uint8Array[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const stop = (error: Error): void => {
      incoming.off('data', take)
      reject(error)
    }
    const take = (chunk: Buffer): void => {
      size += chunk.length
      if (size > limit.bytes) stop(tooLarge(limit))
      else chunks.push(chunk)
    }
    const breakOff = (): void => stop(brokenOff())
    incoming.on('data', take)
    incoming.once('error', breakOff)
    incoming.once('close', breakOff)
    incoming.once('end', () => {
      resolve(chunks)
      // The request lives on: its listeners would keep the chunks, and the body through the promise that they reject.
      incoming.off('data', take).off('error', breakOff).off('close', breakOff)
    })
  })
}

export function tooLarge({ bytes, what }: BodyLimit): HoldfastError {
  return new HoldfastError('LIMIT_EXCEEDED', `${what} may have at most ${sizeText(bytes)}; this one is larger`)
}

/** Nobody is there any more to read this. */
function brokenOff(): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', 'the connection broke before the request was complete')
}
