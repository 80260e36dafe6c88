import type { ServerResponse } from 'node:http'

/** An answer before it is written, for requests with and without the routes. */
export interface Reply {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string | null
}

export function responseOf({ status, headers, body }: Reply): Response {
  return new Response(body, { status, headers })
}

/** Writes the same answer to the socket that Hono would write for `responseOf`. */
export function writeReply(outgoing: ServerResponse, { status, headers, body }: Reply): void {
  if (body === null) outgoing.writeHead(status, headers).end()
  else outgoing.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) }).end(body)
}
