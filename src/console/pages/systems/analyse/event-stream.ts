import type { ErrorCode } from '../../../../lib/errors.ts'
import { isExpected, publicError } from '../../../../server/requests/error-response.ts'

/** What is told as events: its next item as the text of one, which is empty where it says nothing. */
export interface Source {
  next(): Promise<string | null>
  end(): void
}

/** A generator would end only after its next item, so this is none. */
export function sourceOf<Item>(items: AsyncIterable<Item>, eventOf: (item: Item) => string): Source {
  const iterator = items[Symbol.asyncIterator]()
  return {
    async next() {
      const result = await iterator.next()
      return result.done === true ? null : eventOf(result.value)
    },
    end: () => void iterator.return?.().catch(() => undefined),
  }
}

/**
 * Server-sent events of several sources, each as it comes, after those that are there already. The end of one is the end
 * of all, and when the browser leaves, all of them end.
 */
export function eventStream(sources: readonly Source[], begin = ''): ReadableStream<Uint8Array> {
  const next = new Map(sources.map((source) => [source, nextOf(source)]))
  const end = () => sources.forEach((source) => source.end())
  return new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(`retry: 2000\n\n${begin}`))
    },
    async pull(controller) {
      const text = await nextText(next).catch((error: unknown) => {
        end()
        throw error
      })
      if (text !== null) controller.enqueue(Buffer.from(text))
      if (text === null || text.startsWith(ENDED)) {
        end()
        controller.close()
      }
    },
    cancel: end,
  })
}

const ENDED = 'event: ended\n'
/** Where another try may go on, or is told to begin anew, the stream ends without a word, and the browser tries again. */
const ASKED_AGAIN: readonly ErrorCode[] = ['UNAVAILABLE', 'CONFLICT']

type Next = Map<Source, Promise<readonly [source: Source, text: string | null]>>

async function nextOf(source: Source) {
  return [source, await source.next()] as const
}

async function nextText(next: Next): Promise<string | null> {
  try {
    for (;;) {
      const [source, text] = await Promise.race(next.values())
      if (text === null) return null
      next.set(source, nextOf(source))
      if (text !== '') return text
    }
  } catch (error) {
    if (!isExpected(error)) throw error
    if (ASKED_AGAIN.includes(error.code)) return null
    return `${ENDED}data: ${JSON.stringify(publicError(error).message)}\n\n`
  }
}
