import type { ExecutionResult } from 'graphql'
import { failed } from '../requests/answer-errors.ts'
import { refusalOfLong } from './message-size.ts'

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined }

/**
 * The answers of a subscription, as `answer` makes each of its results. A message that is too long ends it. Not a
 * generator, because a client that goes away while nothing happens would be noticed only at the next event.
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
