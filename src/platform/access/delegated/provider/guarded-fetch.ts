import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './public-address.ts'

export interface GuardedFetchOptions {
  /** Origins that are allowed in any network, even by http: for tests, and for providers on the premises. */
  readonly allowedOrigins: readonly string[]
  /** Resolves host names. The default is the operating system's resolver. */
  readonly resolve?: (hostName: string) => Promise<LookupAddress[]>
  readonly isReachable?: (address: string) => boolean
}

/** The part of `fetch` that OpenID providers need. */
export type GuardedFetch = (url: string | URL, init?: GuardedInit) => Promise<Response>

export interface GuardedInit {
  readonly method?: string
  readonly headers?: ConstructorParameters<typeof Headers>[0]
  readonly body?: unknown
  readonly signal?: AbortSignal | null | undefined
  /** Ignored: redirects are never followed. */
  readonly redirect?: unknown
}

/** The reason why a request failed. The message may be shown to the user who caused the request. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

const LIMIT_BYTES = 128 * 1024
const LIMIT_MS = 3_000

/**
 * Fetches from addresses that another person chose: only https, no redirects, at most 3 seconds and 128 kB, and never
 * from this machine or its network. It connects to the very address that it checked, so that a name cannot lead
 * elsewhere in the meantime (DNS rebinding).
 */
export function guardedFetch({
  allowedOrigins,
  resolve = (hostName) => lookup(hostName, { all: true }),
  isReachable = isPublicAddress,
}: GuardedFetchOptions): GuardedFetch {
  return async (address, init = {}) => {
    const url = new URL(address)
    const isAllowed = allowedOrigins.includes(url.origin)
    if (url.protocol !== 'https:' && !isAllowed) throw new UnreachableError('it is no https address')
    return limited(init.signal, async (signal) => {
      const addresses = await unlessAborted(addressesOf(url, resolve), signal)
      if (!isAllowed && !addresses.every((one) => isReachable(one.address))) throw new UnreachableError(NOT_PUBLIC)
      return readAnswer(await ask(url, init, pinnedLookup(addresses), signal))
    })
  }
}

const NOT_PUBLIC = 'its name resolves to an address that is not on the internet'

/** The addresses of a host name. All of them must be public, because a name with both kinds is an attack. */
async function addressesOf(
  { hostname }: URL,
  resolve: (hostName: string) => Promise<LookupAddress[]>,
): Promise<LookupAddress[]> {
  const literal = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(literal)
  if (family !== 0) return [{ address: literal, family }]
  try {
    const addresses = await resolve(hostname)
    if (addresses.length > 0) return addresses
  } catch (cause) {
    throw new UnreachableError('its name is not known', { cause })
  }
  throw new UnreachableError('its name has no address')
}

/** Returns the checked addresses, even if the name resolves to others now. */
function pinnedLookup(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostName, { all }, callback) => {
    const [first] = addresses
    if (all === true || first === undefined) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}

async function limited<T>(
  given: AbortSignal | null | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(LIMIT_MS)
  try {
    return await work(given ? AbortSignal.any([timeout, given]) : timeout)
  } catch (cause) {
    if (timeout.aborted) throw new UnreachableError(`it did not answer within ${LIMIT_MS / 1_000} seconds`, { cause })
    if (given?.aborted === true || cause instanceof UnreachableError) throw cause
    throw new UnreachableError('no connection could be made', { cause })
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted', { cause: signal.reason })), { once: true })
  })
  return Promise.race([work, aborted])
}

function ask(url: URL, init: GuardedInit, lookUp: LookupFunction, signal: AbortSignal): Promise<IncomingMessage> {
  const headers = new Headers(init.headers)
  const body = bodyOf(init.body)
  if (init.body instanceof URLSearchParams && !headers.has('content-type')) {
    headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8')
  }
  headers.set('accept-encoding', 'identity')
  const options = { method: init.method ?? 'GET', headers: Object.fromEntries(headers), lookup: lookUp, signal }
  const start = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    // Without an agent, no connection is reused. An open connection was checked for another request.
    const request = start(url, { ...options, agent: false }, resolve)
    request.on('error', reject)
    request.end(body)
  })
}

function bodyOf(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('a guarded request is sent with a text, bytes or a form')
}

async function readAnswer(answer: IncomingMessage): Promise<Response> {
  const status = answer.statusCode ?? 0
  try {
    if (status >= 300 && status < 400) throw new UnreachableError('it redirects, which is not followed')
    const encoding = answer.headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') throw new UnreachableError('its answer is compressed, which was not asked for')
    const body = await readBytes(answer)
    return new Response(status === 204 || body.length === 0 ? null : body, { status, headers: headersOf(answer) })
  } finally {
    answer.destroy()
  }
}

async function readBytes(answer: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > LIMIT_BYTES) throw new UnreachableError(`its answer is larger than ${LIMIT_BYTES / 1024} kB`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks, size))
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  return headers
}
