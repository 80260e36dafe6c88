import type { Context } from 'hono'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import type { AppEnv } from '../app-env.ts'
import { HttpError } from './error-response.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import { BodyMemory } from './body-memory.ts'
import type { Hold } from './held-bytes.ts'
import { readPieces, tooLarge, type BodyLimit } from './read-body.ts'

type Decode = (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>

const LARGE = 4_194_304

/** The content codings (RFC 9110, section 8.4.1). `deflate` is the format of RFC 1950. */
const CODINGS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
])

/** Reads a body that may be compressed. The limit applies to the decompressed body. */
export function readEncodedBody(context: Context<AppEnv>, limit: BodyLimit, hold: Hold): Promise<Uint8Array> {
  const read = (): Promise<readonly Uint8Array[]> => readPieces(context, limit, hold)
  return decodeBody(context.req.header('content-encoding'), read, limit, new BodyMemory())
}

/**
 * The same for a body in pieces, to be given back to `memory`. Where its coding is not known the pieces are not read.
 */
export async function decodeBody(
  encoding: string | undefined,
  read: () => Promise<readonly Uint8Array[]>,
  limit: BodyLimit,
  memory: BodyMemory,
): Promise<Uint8Array> {
  const coding = (encoding ?? 'identity').trim().toLowerCase()
  const decode = CODINGS.get(coding)
  if (decode === undefined && coding !== 'identity') throw unknownCoding()
  const body = memory.join(await read())
  // To join a large body and to read it are long steps: others have their turn in between.
  if (body.length > LARGE) await setImmediate()
  if (decode === undefined) return body
  return decode(body, { maxOutputLength: limit.bytes })
    .catch((error: unknown) => {
      if (isObject(error) && error['code'] === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit)
      const format = coding === 'deflate' ? ', which is the format of zlib (RFC 1950) and not the bare one' : ''
      throw new HoldfastError('BAD_USER_INPUT', `the body cannot be decompressed: it is not valid ${coding}${format}`)
    })
    .finally(() => memory.giveBack(body))
}

function unknownCoding(): HttpError {
  const known = 'gzip, deflate, br, zstd'
  const message = `the body has a Content-Encoding that is not known here; use one of ${known}, or none`
  return new HttpError('BAD_USER_INPUT', 415, 'Unsupported media type', message, { 'accept-encoding': known })
}
