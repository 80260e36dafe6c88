import { isObject } from '../lib/json.ts'
import { untilAborted } from '../lib/until-aborted.ts'
import { sendWith, type Bearer } from './bearer.ts'
import { LostAnswerError } from './platform-error.ts'
import { refusedRequest } from './refused-request.ts'
import { requestBody } from './request-body.ts'
import { sendBy, type Sender } from './send.ts'
import type { Transfer } from './transfer.ts'
import type { Answer } from '../shell/io.ts'

export interface Endpoint extends Sender {
  /** The base address, which ends with `/`. */
  readonly url: string
  readonly bearer: Bearer
  readonly signal: AbortSignal
  readonly now: () => number
  /** Receives the progress of requests and answers; left out for an embedded platform, which has no network. */
  readonly transfer?: Transfer
}

export type GraphqlClient = <Data>(query: string, variables: { readonly [name: string]: unknown }) => Promise<Data>

/**
 * A minimal client of GraphQL over HTTP, with what the commands need. An answer with an error fails as a whole, also if
 * other fields have results, so a field of the result is null only if the platform has nothing to show.
 */
export function graphqlClient(endpoint: Endpoint): GraphqlClient {
  return async <Data>(query: string, variables: { readonly [name: string]: unknown }): Promise<Data> => {
    const response = await sendWith(endpoint.bearer, (token) =>
      send(endpoint, token, requestBody(query, variables, endpoint.transfer)),
    )
    const body = await readBody(endpoint, response)
    if (!response.ok || body?.['errors'] !== undefined || !isObject(body?.['data'])) {
      throw refusedRequest(endpoint.url, { response, body: body ?? {} }, endpoint.bearer.advice, endpoint.now())
    }
    return body['data'] as Data
  }
}

async function send(endpoint: Endpoint, token: string, body: Iterable<Uint8Array>): Promise<Answer> {
  const { url, signal } = endpoint
  const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` }
  signal.throwIfAborted()
  try {
    const answer = sendBy(endpoint)(new URL('graphql', url), { method: 'POST', headers, body, signal })
    // An embedded platform does not watch the signal of a request.
    return await untilAborted(answer, signal)
  } catch (error) {
    throw signal.aborted ? error : new LostAnswerError(url, error)
  }
}

/** Returns the parsed answer; null if it is not a JSON object, for example if a proxy or a login page has sent it. */
async function readBody(endpoint: Endpoint, response: Answer): Promise<{ [key: string]: unknown } | null> {
  let text: string
  try {
    text = await answerText(response, endpoint.transfer)
  } catch (error) {
    throw endpoint.signal.aborted ? error : new LostAnswerError(endpoint.url, error)
  }
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? body : null
  } catch {
    return null
  }
}

/** Decodes the answer while it arrives. `response.text()` would need twice as much memory for its bytes as well. */
async function answerText({ body }: Answer, transfer: Transfer | undefined): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let received = 0
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    received += chunk.length
    transfer?.received(received)
  }
  return text + decoder.decode()
}
