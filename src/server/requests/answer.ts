import type { Socket } from 'node:net'
import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http'

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[]

/** The answer that a connection is writing. If a packet has several requests, it is the answer to the first. */
export const underWay = new WeakMap<object, ServerResponse>()

/**
 * A response on a socket. It adds the common headers of all answers when it writes the headers. In an object of
 * headers, they would cost a small request more than its routing, because such an object checks and sorts each header.
 */
export class Answer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Adds the common headers to the answer's own headers. */
  complete: (own: OutgoingHttpHeaders) => OutgoingHttpHeaders = (own) => own

  override assignSocket(socket: Socket): void {
    // It may begin the answer.
    underWay.set(socket, this)
    super.assignSocket(socket)
  }

  override detachSocket(socket: Socket): void {
    super.detachSocket(socket)
    underWay.delete(socket)
  }

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    // No answer here has a reason phrase of its own.
    const own = typeof reason === 'object' ? reason : headers
    return this.begin(status, this.complete(Array.isArray(own) ? asObject(own) : (own ?? {})))
  }

  protected begin(status: number, headers: OutgoingHttpHeaders): this {
    return super.writeHead(status, headers)
  }
}

/** Node itself passes headers as a list in which names and values alternate. */
function asObject(list: readonly OutgoingHttpHeader[]): OutgoingHttpHeaders {
  const pairs = list.flatMap((name, index) => (index % 2 === 0 ? [[String(name), list[index + 1]] as const] : []))
  return Object.fromEntries(pairs)
}
