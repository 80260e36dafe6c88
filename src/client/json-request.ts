import { isObject, jsonOrNull } from '../lib/json.ts'
import type { Answer, Io, Sent } from '../shell/io.ts'
import { LostAnswerError } from './platform-error.ts'
import { sendBy, type Sender } from './send.ts'

export interface JsonAnswer {
  readonly response: Answer
  /** Empty if the answer is not a JSON object. */
  readonly body: { readonly [key: string]: unknown }
}

/** Sends a request. It follows no redirect: the content is for this address only. Errors show `shown`. */
export async function requestJson(
  address: URL,
  shown: string,
  io: Sender & Pick<Io, 'signal'>,
  sent: Omit<Sent, 'signal'> = {},
): Promise<JsonAnswer> {
  let response: Answer
  let text: string
  try {
    response = await sendBy(io)(address, { ...sent, signal: io.signal })
    text = await response.text()
  } catch (error) {
    throw io.signal.aborted ? error : new LostAnswerError(shown, error)
  }
  const body = jsonOrNull(text)
  return { response, body: isObject(body) ? body : {} }
}
