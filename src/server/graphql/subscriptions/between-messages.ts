import { breather } from '../../../db/breather.ts'

const breathe = breather()

/**
 * Lets other work run before each message is made. A change reaches all its subscribers at once, and graphql-js would
 * make all their messages in one turn of the event loop.
 */
export function betweenMessages<View>(views: AsyncIterable<View>): AsyncIterableIterator<View> {
  const iterator = views[Symbol.asyncIterator]()
  return {
    async next() {
      const next = await iterator.next()
      await breathe()
      return next
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
