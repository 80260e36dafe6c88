import type { ErrorCode } from '../../../../lib/errors.ts'
import { isExpected, publicError } from '../../../../server/requests/error-response.ts'

/** A source of events. `next` gives the text of the next one, or an empty text if there is nothing to tell. */
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

/** A comment is sent so often, because proxies end connections on which nothing happens. */
const COMMENT_EVERY_MS = 12_000
const COMMENT = Buffer.from(':\n\n')

/**
 * Writes the items of several sources as server-sent events, in the order in which they come. If one source ends, or the
 * browser leaves, all of them end. Each source is asked for its next item once the last one was sent, so at most one item
 * of each waits for a browser that does not read.
 */
export function eventStream(
  sources: readonly Source[],
  begin = '',
  commentEveryMs = COMMENT_EVERY_MS,
): ReadableStream<Uint8Array> {
  const arrived: Arrived[] = []
  let wake: (() => void) | undefined
  let comments: NodeJS.Timeout | undefined
  const arrive = (one: Arrived): void => {
    // A browser that goes on gets what waited by its last cursor, if it still may. Only that there are events has no cursor.
    if ('error' in one) arrived.splice(0, arrived.length, ...arrived.filter(isAboutEvents))
    arrived.push(one)
    wake?.()
  }
  // An item that fails is handled here, also while nobody reads: an unhandled rejection would end the process.
  const ask = (source: Source): void =>
    void source.next().then(
      (text) => arrive({ source, text }),
      (error: unknown) => arrive({ source, error }),
    )
  const end = (): void => {
    clearInterval(comments)
    for (const source of sources) source.end()
  }
  const nextText = async (): Promise<string | null> => {
    for (;;) {
      const one = arrived.shift()
      if (one === undefined) await new Promise<void>((resolve) => (wake = resolve))
      else if ('error' in one) return lastWord(one.error)
      else {
        if (one.text !== null) ask(one.source)
        if (one.text !== '') return one.text
      }
    }
  }
  return new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(`retry: 2000\n\n${begin}`))
      comments = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(COMMENT)
      }, commentEveryMs)
      sources.forEach(ask)
    },
    async pull(controller) {
      try {
        const text = await nextText()
        if (text !== null) controller.enqueue(Buffer.from(text))
        if (text !== null && !text.startsWith(ENDED) && text !== LATER) return
        end()
        controller.close()
      } catch (error) {
        end()
        throw error
      }
    },
    cancel: end,
  })
}

type Arrived = { readonly source: Source } & ({ readonly text: string | null } | { readonly error: unknown })

/** Tells that there are events to be read, and not what they are. */
export const EVENTS = 'event: events\ndata: {}\n\n'

function isAboutEvents(one: Arrived): boolean {
  return 'text' in one && one.text === EVENTS
}

const ENDED = 'event: ended\n'
/** A browser that was too slow would be too slow again at once. The next stream that begins says another time. */
const LATER = 'retry: 30000\n\n'
/** Where another try may go on, or is told to begin anew, the stream ends without a word, and the browser tries again. */
const ASKED_AGAIN: readonly ErrorCode[] = ['UNAVAILABLE', 'CONFLICT']

/** The event that tells why the stream ends, or when to try again; null if the browser shall try again soon. */
function lastWord(error: unknown): string | null {
  if (!isExpected(error)) throw error
  if (error.code === 'LIMIT_EXCEEDED') return LATER
  if (ASKED_AGAIN.includes(error.code)) return null
  return `${ENDED}data: ${JSON.stringify(publicError(error).message)}\n\n`
}
