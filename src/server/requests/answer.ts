import type { Socket } from 'node:net'
import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http'

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[]

/** The answer that a connection is writing. Of several requests in one packet it is that to the first. */
export const underWay = new WeakMap<object, ServerResponse>()

/**
 * A response on a socket, which adds the headers that every answer has where they are written. As an object of headers
 * they would cost a small request more than its routing, because that checks and sorts each of them.
 */
export class Answer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Makes all headers of the answer out of its own ones. */
  complete: (own: OutgoingHttpHeaders) => OutgoingHttpHeaders = (own) => own

  override assignSocket(socket: Socket): void {
    super.assignSocket(socket)
    underWay.set(socket, this)
  }

  override detachSocket(socket: Socket): void {
    super.detachSocket(socket)
    underWay.delete(socket)
  }

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    // Nothing that answers here says a reason of its own.
    const own = typeof reason === 'object' ? reason : headers
    return this.begin(status, this.complete(Array.isArray(own) ? asObject(own) : (own ?? {})))
  }

  protected begin(status: number, headers: OutgoingHttpHeaders): this {
    return super.writeHead(status, headers)
  }
}

/** Node itself writes headers as a list of names and values in turn. */
function asObject(list: readonly OutgoingHttpHeader[]): OutgoingHttpHeaders {
  const pairs = list.flatMap((name, index) => (index % 2 === 0 ? [[String(name), list[index + 1]] as const] : []))
  return Object.fromEntries(pairs)
}
