import type { Io, Send } from '../shell/io.ts'

export type Sender = Pick<Io, 'fetch' | 'send'>

/** Returns the function that sends requests to the platform. */
export function sendBy({ send, fetch }: Sender): Send {
  if (send !== undefined) return send
  return (address, { body, ...sent }) => {
    if (typeof body !== 'object')
      return fetch(new Request(address, { ...sent, body: body ?? null, redirect: 'manual' }))
    // A request whose body is a stream must declare that it is sent before the answer begins.
    const init: RequestInit & { duplex: 'half' } = { ...sent, body: streamOf(body), duplex: 'half' }
    return fetch(new Request(address, { ...init, redirect: 'manual' }))
  }
}

function streamOf(chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.iterator]()
  return new ReadableStream({
    pull(controller) {
      const { done, value } = iterator.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
  })
}
