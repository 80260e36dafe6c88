import { isObject, jsonOrNull } from '../lib/json.ts'
import type { Io } from '../shell/io.ts'
import { LostAnswerError } from './platform-error.ts'

export interface JsonAnswer {
  readonly response: Response
  /** Empty if the answer is not a JSON object. */
  readonly body: { readonly [key: string]: unknown }
}

/**
 * Sends a request. It follows no redirect, because the content is meant for this address only. Errors show the address
 * as `shown`.
 */
export async function requestJson(
  request: Request,
  shown: string,
  io: Pick<Io, 'fetch' | 'signal'>,
): Promise<JsonAnswer> {
  let response: Response
  let text: string
  try {
    response = await io.fetch(new Request(request, { redirect: 'manual', signal: io.signal }))
    text = await response.text()
  } catch (error) {
    throw io.signal.aborted ? error : new LostAnswerError(shown, error)
  }
  const body = jsonOrNull(text)
  return { response, body: isObject(body) ? body : {} }
}
