import { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest } from 'node:http2'
import { Socket } from 'node:net'
import type { Context } from 'hono'
import type Provider from 'oidc-provider'
import type { AppEnv } from '../app-env.ts'
import { askForBody } from '../requests/ask-for-body.ts'
import { HttpError } from '../requests/error-response.ts'
import { keepState, type RequestState } from './request-state.ts'

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>

const handles = new WeakMap<Provider, Handle>()

/** The content security policy. The library adds the hash of its script, which submits a form (`form_post`). */
const POLICY = `default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'`

/** The paths whose answers are the same for everybody. */
const PUBLIC = /^\/(?:\.well-known\/|authenticate\/keys(?:\?|$))/

/**
 * Passes the request to oidc-provider. It reads the body from Node's own stream, so nothing may read the body before.
 * Its answer gets the headers that every answer has.
 */
export async function mount(context: Context<AppEnv>, provider: Provider, state: RequestState): Promise<Response> {
  const incoming = incomingOf(context)
  const { pathname, search } = new URL(context.req.url)
  // A request line may contain a whole address (RFC 9112, section 3.2.2), and its host must not appear in an answer.
  incoming.url = pathname + search
  askForBody(context)
  return answerOf(provider, incoming, state)
}

/** Sends a form to a path of the provider without a connection, and returns the answer. */
export function askProvider(
  provider: Provider,
  path: string,
  form: { readonly [field: string]: string },
  state: RequestState,
): Promise<Response> {
  const body = new URLSearchParams(form).toString()
  const incoming = new IncomingMessage(new Socket())
  incoming.method = 'POST'
  incoming.url = path
  incoming.headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(Buffer.byteLength(body)),
  }
  incoming.push(body)
  incoming.push(null)
  return answerOf(provider, incoming, state)
}

async function answerOf(provider: Provider, incoming: IncomingMessage, state: RequestState): Promise<Response> {
  speakAs(incoming, provider.issuer)
  keepState(incoming, state)
  const answer = new Answer(incoming)
  answer.setHeader('content-security-policy', POLICY)
  await handleOf(provider)(incoming, answer)
  // Answers with tokens are never compressed, here or by a proxy.
  if (!PUBLIC.test(incoming.url ?? '')) answer.setHeader('cache-control', 'no-store, no-transform')
  return answer.toResponse()
}

/**
 * Sets the headers that tell a provider behind a proxy its address. So every address in an answer is the issuer's, even
 * if the request names another host or protocol.
 */
function speakAs({ headers }: IncomingMessage, issuer: string): void {
  const { protocol, host } = new URL(issuer)
  headers.host = host
  headers['x-forwarded-host'] = host
  headers['x-forwarded-proto'] = protocol.slice(0, -1)
}

/** Collects the answer instead of sending it. The library writes everything at once, with `end`. */
class Answer extends ServerResponse {
  #body: string | Uint8Array<ArrayBuffer> | null = null

  override end(body?: unknown): this {
    if (typeof body === 'string') this.#body = body
    if (Buffer.isBuffer(body)) this.#body = new Uint8Array(body)
    return this
  }

  toResponse(): Response {
    const headers = new Headers()
    for (const [name, value] of Object.entries(this.getHeaders()))
      for (const line of [value].flat()) if (line !== undefined) headers.append(name, String(line))
    return new Response(this.#body === '' ? null : this.#body, { status: this.statusCode, headers })
  }
}

function handleOf(provider: Provider): Handle {
  const known = handles.get(provider)
  if (known !== undefined) return known
  const handle = provider.callback() as Handle
  handles.set(provider, handle)
  return handle
}

function incomingOf({ env: { incoming } }: Context<AppEnv>): IncomingMessage {
  if (isHttp1(incoming)) return incoming
  throw new HttpError(
    'UNAVAILABLE',
    501,
    'Not implemented',
    'an embedded platform has no sign-in; start it as a server',
  )
}

function isHttp1(incoming: IncomingMessage | Http2ServerRequest | undefined): incoming is IncomingMessage {
  return incoming !== undefined && incoming.httpVersionMajor === 1
}
