import type { Context } from 'hono'
import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  checkJson,
  checkKeys,
  decodeJson,
  decodeMessagePack,
  parseJson,
  type BatchLimits,
} from '../../datapoints/wire/wire.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { IngestOptions } from '../../platform/datapoints/ingest/sent-batch.ts'
import type { AppEnv } from '../app-env.ts'
import { parameter } from '../openapi/operation.ts'
import { ref, UUID_EXAMPLES } from '../openapi/schemas.ts'
import { HttpError } from '../requests/error-response.ts'
import type { Limits } from '../requests/limits.ts'
import { readMediaType } from '../requests/media-type.ts'
import { readEncodedBody } from '../requests/read-encoded-body.ts'
import type { RestServices } from './rest-route.ts'

// Reads requests of the routes that take a batch.

export const JSON_TYPE = 'application/json'
export const MESSAGE_PACK_TYPES = ['application/vnd.msgpack', 'application/msgpack', 'application/x-msgpack'] as const

/** The key is printable, and short enough to be stored (draft-ietf-httpapi-idempotency-key-header). */
const KEY = /^[\x20-\x7e]{1,255}$/

export const PREFER_LENIENT = parameter(
  'header',
  'Prefer',
  '`handling=lenient` stores the correct elements even if others are wrong (RFC 7240).',
  { type: 'string' },
)

export const PREFER_HANDLING = parameter(
  'header',
  'Prefer',
  '`handling=lenient` stores the correct elements even if other elements are wrong; `handling=strict` refuses a batch with two points of one series and time, where otherwise the last one wins (RFC 7240).',
  { type: 'string' },
)

export const IDEMPOTENCY_KEY = parameter(
  'header',
  'Idempotency-Key',
  'Stores the batch once. A retry with the same key within a day gets the first answer, and nothing is stored or sent to subscribers again, whatever has changed since. Each sender has its own keys. A batch that is refused leaves its key free.',
  { type: 'string', pattern: KEY.source },
)

export const CONTENT_ENCODING = parameter('header', 'Content-Encoding', 'Of the body.', {
  enum: ['gzip', 'deflate', 'br', 'zstd', 'identity'],
})

export const POINT_EXAMPLE = { ...UUID_EXAMPLES, value: 21.5 }

export function batchOf(schema: string, examples: JsonObject): JsonObject {
  const types = [JSON_TYPE, ...MESSAGE_PACK_TYPES]
  return {
    required: true,
    content: Object.fromEntries(
      types.map((type) => [type, { schema: ref(schema), ...(type === JSON_TYPE && { examples }) }]),
    ),
  }
}

export interface Batch {
  readonly body: Uint8Array
  readonly elements: unknown[]
  readonly lenient: boolean
}

/** Reads a batch and processes it. `what` names its elements in messages. */
export async function withBatch<T>(
  context: Context<AppEnv>,
  { limits, held }: Pick<RestServices, 'limits' | 'held'>,
  what: string,
  work: (batch: Batch) => Promise<T>,
): Promise<T> {
  const decode = decoderOf(context.req.header('content-type'))
  return held.batches.during(context.get('caller'), async (hold) => {
    const body = await readEncodedBody(context, { bytes: limits.batchBytes, what: `a batch of ${what}` }, hold)
    const elements = await decodeInTurns(decode, body, what, limits)
    return work({ body, elements, lenient: handlingOf(context.req.header('prefer')).lenient === true })
  })
}

function batchLimits({ batchPoints, batchValues }: Limits): BatchLimits {
  return { elements: batchPoints, values: batchValues }
}

/** A larger body is decoded in several turns. */
const ONE_TURN = 262_144

/** Decodes a body in several passes. If the body is large, other requests run between them. */
export async function decodeInTurns(
  decode: Decode,
  body: Uint8Array,
  what: string,
  limits: Limits,
): Promise<unknown[]> {
  const most = batchLimits(limits)
  if (body.length <= ONE_TURN || decode !== decodeJson) return decode(body, what, most)
  await nextTurn()
  checkJson(body, what, most)
  await nextTurn()
  const elements = parseJson(body, what)
  await nextTurn()
  checkKeys(body, elements)
  await nextTurn()
  return elements
}

type Decode = (body: Uint8Array, what: string, limits: BatchLimits) => unknown[]

/**
 * Returns the decoder of a media type. It accepts only types that browsers do not send to other sites without consent
 * (CORS). Any website could send a form or plain text.
 */
export function decoderOf(header: string | undefined): Decode {
  const { type, isUtf8 } = readMediaType(header)
  if (type === JSON_TYPE && isUtf8) return decodeJson
  if (MESSAGE_PACK_TYPES.some((one) => one === type)) return decodeMessagePack
  const message = `the body must be ${JSON_TYPE} in UTF-8, or ${MESSAGE_PACK_TYPES[0]}`
  throw new HttpError('BAD_USER_INPUT', 415, 'Unsupported media type', message, {
    'accept-post': [JSON_TYPE, ...MESSAGE_PACK_TYPES].join(', '),
  })
}

/** Reads the preference. If there are two, the first one counts (RFC 7240, section 4.4). */
export function handlingOf(prefer: string | undefined): Pick<IngestOptions, 'lenient' | 'strict'> {
  if (prefer === undefined) return {}
  const handling = /(?:^|[,;])\s*handling\s*=\s*"?(lenient|strict)"?\s*(?:[,;]|$)/i.exec(prefer)?.[1]?.toLowerCase()
  return { lenient: handling === 'lenient', strict: handling === 'strict' }
}

export function idempotency(key: string | undefined, body: Uint8Array): Pick<IngestOptions, 'idempotency'> {
  if (key === undefined) return {}
  if (!KEY.test(key))
    throw new HoldfastError('BAD_USER_INPUT', 'the Idempotency-Key must have 1 to 255 printable characters')
  return { idempotency: { key, digest: hash('sha256', body, 'buffer') } }
}
