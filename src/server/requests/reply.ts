import type { ServerResponse } from 'node:http'

/** An answer before it is written, by whichever way its request came. */
export interface Reply {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string | null
}

export function responseOf({ status, headers, body }: Reply): Response {
  return new Response(body, { status, headers })
}

/** Writes to the socket what `responseOf` would have Hono write. */
export function writeReply(outgoing: ServerResponse, { status, headers, body }: Reply): void {
  if (body === null) outgoing.writeHead(status, headers).end()
  else outgoing.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) }).end(body)
}
