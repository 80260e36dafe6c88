import type { ExecutionResult } from 'graphql'

/** A comment is sent so often, because proxies end connections on which nothing happens. */
const COMMENT_EVERY_MS = 12_000

const COMMENT = ':\n\n'
const COMPLETE = 'event: complete\ndata:\n\n'

/** Results as server-sent events, in the distinct connections mode of GraphQL over SSE. */
export function eventStream(
  results: AsyncIterator<ExecutionResult> | Iterator<ExecutionResult>,
  commentEveryMs = COMMENT_EVERY_MS,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let comments: NodeJS.Timeout | undefined
  return new ReadableStream({
    start(controller) {
      // Some clients wait for the first bytes before they call a connection open.
      controller.enqueue(encoder.encode(COMMENT))
      comments = setInterval(() => {
        // Where somebody does not read, messages are waiting, and a comment has no use.
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

/** A result that was written already, as the only event. */
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

/** Ends with its connection. Nobody on its way may keep it back, pack it or store it. */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close',
}
