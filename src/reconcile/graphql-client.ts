import type { ErrorCode, HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'
import { LostAnswerError, PlatformError } from './platform-error.ts'

export interface Endpoint {
  /** The base address, ending in `/`. */
  readonly url: string
  readonly token: string
  readonly fetch: (request: Request) => Promise<Response>
  readonly signal: AbortSignal
}

/** A variable that is JSON text in UTF-8 already. */
export class WrittenJson {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

export type GraphqlClient = <Data>(query: string, variables: { readonly [name: string]: unknown }) => Promise<Data>

/** The few lines of GraphQL over HTTP that the commands need. */
export function graphqlClient(endpoint: Endpoint): GraphqlClient {
  return async <Data>(query: string, variables: { readonly [name: string]: unknown }): Promise<Data> => {
    const response = await send(endpoint, requestBody(query, variables))
    const body = await readBody(endpoint, response)
    const [error] = Array.isArray(body['errors']) ? (body['errors'] as readonly unknown[]) : []
    if (error !== undefined) throw platformError(error, response)
    if (!response.ok || !isObject(body['data'])) throw unexpectedAnswer(endpoint, response)
    return body['data'] as Data
  }
}

/** In parts, so that a large one is not copied. */
function requestBody(query: string, variables: { readonly [name: string]: unknown }): ReadableStream<Uint8Array> {
  const members = Object.entries(variables)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value], index) => [
      Buffer.from(`${index === 0 ? '' : ','}${JSON.stringify(name)}:`),
      value instanceof WrittenJson ? value.bytes : Buffer.from(JSON.stringify(value)),
    ])
  const [start, end] = [Buffer.from(`{"query":${JSON.stringify(query)},"variables":{`), Buffer.from('}}')]
  const parts = [start, ...members, end]
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

async function send({ url, token, fetch, signal }: Endpoint, body: ReadableStream<Uint8Array>): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` }
  // A body that is a stream must say that it is sent before the answer begins.
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
    redirect: 'manual',
    signal,
  }
  const request = new Request(new URL('graphql', url), init)
  signal.throwIfAborted()
  try {
    return await untilAborted(fetch(request), signal)
  } catch (error) {
    throw signal.aborted ? error : new LostAnswerError(url, error)
  }
}

/** An embedded platform does not look at the signal of a request; the person who pressed Ctrl-C waits all the same. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

async function readBody(endpoint: Endpoint, response: Response): Promise<{ [key: string]: unknown }> {
  let text: string
  try {
    text = await response.text()
  } catch (error) {
    throw endpoint.signal.aborted ? error : new LostAnswerError(endpoint.url, error)
  }
  try {
    const body: unknown = JSON.parse(text)
    if (isObject(body)) return body
  } catch {
    // Not JSON: the answer of something else than the platform, which is what the error below says.
  }
  throw unexpectedAnswer(endpoint, response)
}

const CODES: readonly ErrorCode[] = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'STALE_PLAN',
  'BLOCKED',
  'BAD_USER_INPUT',
  'LIMIT_EXCEEDED',
  'UNAVAILABLE',
]

function platformError(error: unknown, response: Response): PlatformError {
  const { message, extensions } = isObject(error) ? error : {}
  const { code, details, traceId } = isObject(extensions) ? extensions : {}
  const text = typeof message === 'string' ? message : 'the platform reports an error without a message'
  return new PlatformError(CODES.find((known) => known === code) ?? 'INTERNAL', text, {
    details: Array.isArray(details) ? (details as readonly unknown[]) : [],
    traceId: typeof traceId === 'string' ? traceId : response.headers.get('x-trace-id'),
  })
}

/** A proxy, a login page, another program: the status says most of what can be said. */
function unexpectedAnswer({ url }: Endpoint, response: Response): HoldfastError {
  const traceId = response.headers.get('x-trace-id')
  const location = response.headers.get('location')
  const refuse = (code: ErrorCode, message: string) => new PlatformError(code, message, { traceId })
  if (location !== null) return refuse('BAD_USER_INPUT', `${url} redirects to ${location}; give that address as --url`)
  if (response.status === 401) return refuse('UNAUTHENTICATED', `${url} does not accept the credential`)
  if (response.status === 403) return refuse('FORBIDDEN', `${url} does not allow this`)
  if (response.status === 413) return refuse('LIMIT_EXCEEDED', `the import document is larger than ${url} accepts`)
  if ([429, 502, 503, 504].includes(response.status)) {
    return refuse('UNAVAILABLE', `${url} is not able to answer now (status ${response.status}); try again later`)
  }
  return refuse(
    'BAD_USER_INPUT',
    `${url} does not answer like a Holdfast platform (status ${response.status}); check --url`,
  )
}
