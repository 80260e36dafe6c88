import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http'

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[]

/**
 * A response on a socket, which adds the headers that every answer has where they are written. As an object of headers
 * they would cost a small request more than its routing, because that checks and sorts each of them.
 */
export class Answer<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  /** Makes all headers of the answer out of its own ones. */
  complete: (own: OutgoingHttpHeaders) => OutgoingHttpHeaders = (own) => own

  override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    const own = typeof reason === 'object' ? reason : headers
    // Nothing that answers here writes headers as a list, or says a reason of its own.
    if (Array.isArray(own)) throw new TypeError('headers are written as an object')
    return super.writeHead(status, this.complete(own ?? {}))
  }
}
