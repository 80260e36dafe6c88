/** The interval of comments. They keep the stream open, because proxies close idle connections. */
const COMMENT_EVERY_MS = 12_000

const COMMENT = ':\n\n'
const COMPLETE = 'event: complete\ndata:\n\n'

const encoder = new TextEncoder()

/** Writes a result as a server-sent event. */
export function eventOf(result: unknown): Uint8Array {
  return encoder.encode(`event: next\ndata: ${JSON.stringify(result)}\n\n`)
}

/** Streams events, in the distinct connections mode of GraphQL over SSE. */
export function eventStream(
  events: AsyncIterator<Uint8Array>,
  commentEveryMs = COMMENT_EVERY_MS,
): ReadableStream<Uint8Array> {
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
        const next = await events.next()
        if (next.done !== true) return controller.enqueue(next.value)
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
      await events.return?.()
    },
  })
}

/** Answers with a stream whose only event is a result that was already written. */
export function onlyEvent(json: Uint8Array): Response {
  const pieces = [Buffer.from(`${COMMENT}event: next\ndata: `), json, Buffer.from(`\n\n${COMPLETE}`)]
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
  return new Response(body, { headers: { ...EVENT_STREAM_HEADERS, 'content-length': String(length) } })
}

/** The connection closes with the stream. Proxies must not buffer, compress or store the stream. */
export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close',
}
