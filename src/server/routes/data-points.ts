import type { Context, Hono } from 'hono'
import { hash } from 'node:crypto'
import { decodeJson, decodeMessagePack } from '../../datapoints/wire.ts'
import { HoldfastError } from '../../lib/errors.ts'
import type { IngestOptions, IngestResult } from '../../platform/datapoints/ingest.ts'
import type { AppEnv } from '../app-env.ts'
import { HttpError } from '../error-response.ts'
import type { Limits } from '../limits.ts'
import type { Platform } from '../platform.ts'
import { readEncodedBody } from '../read-encoded-body.ts'
import { restRoute } from './rest-route.ts'

export interface DataPointRouteOptions {
  readonly platform: () => Platform
  readonly limits: Limits
}

/** Specification, section 4; contract, section 4. */
export function dataPointRoutes(app: Hono<AppEnv>, { platform, limits }: DataPointRouteOptions): void {
  const limit = { bytes: limits.batchBytes, what: 'a batch of datapoints' }
  restRoute(app, 'POST /rest/v1/data-points/add', async (context) => {
    const decode = decoderOf(context.req.header('content-type'))
    const body = await readEncodedBody(context, limit)
    const lenient = /(?:^|[,;])\s*handling\s*=\s*"?lenient"?/i.test(context.req.header('prefer') ?? '')
    const { name, account, systemUuid } = context.get('actor')
    const result = await platform().datapoints.ingest.add(
      { domainId: context.get('domain').id, actor: account?.uuid ?? name, systemUuid },
      () => checkCount(decode(body), limits.batchPoints),
      { lenient, ...idempotency(context, body) },
    )
    return answer(context, result, lenient)
  })
}

const JSON_TYPE = 'application/json'
const MESSAGE_PACK_TYPES = ['application/vnd.msgpack', 'application/msgpack', 'application/x-msgpack']

/** A form or plain text could be sent by any page that a browser has open; these cannot without the server's consent. */
function decoderOf(header: string | undefined): (body: Uint8Array) => unknown[] {
  const [type = '', ...parameters] = (header ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.replaceAll('"', '')
  if (type === JSON_TYPE && (charset === undefined || charset === 'charset=utf-8')) return decodeJson
  if (MESSAGE_PACK_TYPES.includes(type)) return decodeMessagePack
  const message = `the body must be ${JSON_TYPE} in UTF-8, or ${MESSAGE_PACK_TYPES[0]}`
  throw new HttpError('BAD_USER_INPUT', 415, 'Unsupported media type', message, {
    'accept-post': [JSON_TYPE, ...MESSAGE_PACK_TYPES].join(', '),
  })
}

function checkCount(elements: unknown[], most: number): unknown[] {
  if (elements.length <= most) return elements
  const counts = `at most ${most.toLocaleString('en-US')}; this one has ${elements.length.toLocaleString('en-US')}`
  throw new HoldfastError('LIMIT_EXCEEDED', `a batch of datapoints may have ${counts}`)
}

/** Printable, and short enough to be kept (draft-ietf-httpapi-idempotency-key-header). */
const KEY = /^[\x20-\x7e]{1,255}$/

function idempotency(context: Context<AppEnv>, body: Uint8Array): Pick<IngestOptions, 'idempotency'> {
  const key = context.req.header('idempotency-key')
  if (key === undefined) return {}
  if (!KEY.test(key))
    throw new HoldfastError('BAD_USER_INPUT', 'the Idempotency-Key must have 1 to 255 printable characters')
  return { idempotency: { key, digest: hash('sha256', body, 'buffer') } }
}

function answer(context: Context<AppEnv>, result: IngestResult, lenient: boolean): Response {
  const { cursor, errors, errorCount, stored } = result
  if (errorCount === 0)
    return new Response(null, { status: 201, headers: { 'content-length': '0', 'x-service-change': cursor } })
  const traceId = context.get('traceId')
  if (lenient) return context.json({ stored, errorCount, errors, traceId }, 207, { 'x-service-change': cursor })
  const isForbidden = errors.some(({ code }) => code === 'not-allowed')
  const status = isForbidden ? 403 : 422
  const problem = {
    type: 'about:blank',
    title: isForbidden ? 'Not allowed' : 'Unprocessable content',
    status,
    detail: `${errorCount === 1 ? 'one datapoint is' : `${errorCount} datapoints are`} wrong; nothing was stored`,
    code: isForbidden ? 'FORBIDDEN' : 'BAD_USER_INPUT',
    traceId,
    errorCount,
    errors,
  }
  return new Response(JSON.stringify(problem), { status, headers: { 'content-type': 'application/problem+json' } })
}
