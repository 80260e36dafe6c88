import type { ExecutionResult } from 'graphql'

/**
 * What a subscription answers, as `answer` makes each of its results. Not a generator: a client that goes away while
 * nothing happens would not be noticed before something does.
 */
export function answerEach(
  results: AsyncIterable<ExecutionResult>,
  answer: (result: ExecutionResult) => ExecutionResult,
): AsyncIterableIterator<ExecutionResult> {
  const iterator = results[Symbol.asyncIterator]()
  return {
    async next() {
      const next = await iterator.next()
      return next.done === true ? next : { done: false, value: answer(next.value) }
    },
    async return() {
      await iterator.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
