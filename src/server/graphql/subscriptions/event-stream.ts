import type { ExecutionResult } from 'graphql'

/** The interval of comments. They keep the stream open, because proxies close idle connections. */
const COMMENT_EVERY_MS = 12_000

const COMMENT = ':\n\n'
const COMPLETE = 'event: complete\ndata:\n\n'

/** Writes results as server-sent events, in the distinct connections mode of GraphQL over SSE. */
export function eventStream(
  results: AsyncIterator<ExecutionResult> | Iterator<ExecutionResult>,
  commentEveryMs = COMMENT_EVERY_MS,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let comments: NodeJS.Timeout | undefined
  return new ReadableStream({
    start(controller) {
      // Some clients count a connection as open only after its first bytes.
      controller.enqueue(encoder.encode(COMMENT))
      comments = setInterval(() => {
        // If the client does not read, messages are already waiting, so a comment is not needed.
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(COMMENT))
      }, commentEveryMs)
    },
    async pull(controller) {
      try {
        const next = await results.next()
        if (next.done !== true)
          return controller.enqueue(encoder.encode(`event: next\ndata: ${JSON.stringify(next.value)}\n\n`))
        clearInterval(comments)
        controller.enqueue(encoder.encode(COMPLETE))
        controller.close()
      } catch (error) {
        clearInterval(comments)
        controller.error(error)
      }
    },
    async cancel() {
      clearInterval(comments)
      await results.return?.()
    },
  })
}

/** Makes a stream whose only event is a result that was already written. */
export function onlyEvent(json: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(`${COMMENT}event: next\ndata: `))
      controller.enqueue(json)
      controller.enqueue(Buffer.from(`\n\n${COMPLETE}`))
      controller.close()
    },
  })
}

/** The connection closes with the stream. Proxies must not buffer, compress or store the stream. */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close',
}
