import { GraphQLError, type ExecutionResult } from 'graphql'
import { HoldfastError } from '../../../lib/errors.ts'
import { textLength } from '../../../lib/text-length.ts'
import { failed } from '../requests/answer-errors.ts'

/** The usual limit of one message. */
export const PART = { items: 1_000, text: 1_000_000 }

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
 * Returns the answers of a subscription: `answer` is applied to each result. A message that is too long ends the
 * stream. This is not a generator, because a generator would notice only at the next event that the client has left.
 */
export function answerEach(
  results: AsyncIterable<ExecutionResult>,
  answer: (result: ExecutionResult) => ExecutionResult,
): AsyncIterableIterator<ExecutionResult> {
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
      isRefused = refusal !== null
      return { done: false, value: answer(refusal ?? next.value) }
    },
    return: end,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
