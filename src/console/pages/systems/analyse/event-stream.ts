import type { ErrorCode } from '../../../../lib/errors.ts'
import { isExpected, publicError } from '../../../../server/requests/error-response.ts'

/** A source of events. `next` returns the next event's text; an empty text is skipped, and null ends the source. */
export interface Source {
  next(): Promise<string | null>
  end(): void
}

/** Makes a source from an iterable. A generator would not work here, because it ends only after its next item. */
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

/** The interval of comments. Proxies close idle connections. */
const COMMENT_EVERY_MS = 12_000
const COMMENT = Buffer.from(':\n\n')

/**
 * Writes the items of several sources as server-sent events, in the order of their arrival. If one source ends, or the
 * browser disconnects, all sources end. Each source is asked for its next item after the previous one was sent. So at
 * most one item of each source waits for a slow browser.
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
    // On an error, waiting items are dropped: the browser may have lost the right to read them, and otherwise gets them
    // by its last cursor. Notices about events have no cursor and stay.
    if ('error' in one) arrived.splice(0, arrived.length, ...arrived.filter(isAboutEvents))
    arrived.push(one)
    wake?.()
  }
  // Errors are handled here even if nobody reads, because an unhandled rejection would end the process.
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

/** Tells the browser that there are new events, without their content. */
export const EVENTS = 'event: events\ndata: {}\n\n'

function isAboutEvents(one: Arrived): boolean {
  return 'text' in one && one.text === EVENTS
}

const ENDED = 'event: ended\n'
/** The retry delay for a browser that was too slow. The next stream sets it back. */
const LATER = 'retry: 30000\n\n'
/** After these errors the stream just ends, and the browser retries. It continues, or is told to start anew. */
const ASKED_AGAIN: readonly ErrorCode[] = ['UNAVAILABLE', 'CONFLICT']

/** The last event of a stream after an error: the message, or the retry delay; null if the browser shall retry soon. */
function lastWord(error: unknown): string | null {
  if (!isExpected(error)) throw error
  if (error.code === 'LIMIT_EXCEEDED') return LATER
  if (ASKED_AGAIN.includes(error.code)) return null
  return `${ENDED}data: ${JSON.stringify(publicError(error).message)}\n\n`
}
