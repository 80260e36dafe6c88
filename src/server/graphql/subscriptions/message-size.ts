import { GraphQLError, type ExecutionResult, type GraphQLResolveInfo } from 'graphql'
import { HoldfastError } from '../../../lib/errors.ts'
import { textLength } from '../../../lib/text-length.ts'
import type { PartSize } from '../../../platform/changes/feed.ts'
import type { HoldMessage } from '../../app-env.ts'
import { failed } from '../requests/answer-errors.ts'
import { valuesOfItem } from '../requests/query-weight.ts'

/** The usual limit of one message. */
export const PART: PartSize = { items: 1_000, text: 1_000_000 }

/** No item of a message has more fields. */
const MOST_FIELDS = 20

/** The limit of one message. If a query selects fields again and again by aliases, a message has fewer items. */
export function partFor(info: GraphQLResolveInfo): PartSize {
  const share = Math.min(1, MOST_FIELDS / valuesOfItem(info))
  return { items: Math.ceil(PART.items * share), text: PART.text * share }
}

/**
 * The maximum number of characters of all texts in one message of a stream. A message is one string. V8 allows 2^29
 * characters in a string, and JSON can need six for one.
 */
const MOST_TEXT = 67_108_864

/** Returns the error that replaces a message that is too long, for example if 400 aliases select the same long text. */
function refusalOfLong({ data }: ExecutionResult): ExecutionResult | null {
  if (textLength(data, MOST_TEXT) <= MOST_TEXT) return null
  const message = `a message of this stream would have more than ${MOST_TEXT.toLocaleString('en-US')} characters; ask for fewer fields, and for each of them once`
  return { errors: [new GraphQLError(message, { originalError: new HoldfastError('LIMIT_EXCEEDED', message) })] }
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }

/**
 * Returns the messages of a subscription: `write` is applied to each result. A message that is too long, or for which
 * too much is unread, ends the stream. This is not a generator, because a generator would notice only at the next event
 * that the client has left.
 */
export function messagesOf(
  results: AsyncIterable<ExecutionResult>,
  write: (result: ExecutionResult) => Uint8Array,
  hold: HoldMessage,
): AsyncIterableIterator<Uint8Array> {
  const iterator = results[Symbol.asyncIterator]()
  let isRefused = false
  const end = async () => {
    await iterator.return?.()
    return DONE
  }
  return {
    async next() {
      if (isRefused) return end()
      const next = await iterator.next().catch((error: unknown) => ({ done: false, value: failed(error) }) as const)
      if (next.done === true) return next
      const refusal = refusalOfLong(next.value)
      const message = write(refusal ?? next.value)
      const unread = hold(message.length)
      isRefused = refusal !== null || unread !== null
      return { done: false, value: unread === null ? message : write(failed(unread)) }
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
