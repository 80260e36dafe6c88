import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { RequestError } from '@hono/node-server'
import { underWay } from './answer.ts'
import { HttpError, problemResponse } from './error-response.ts'
import { SECURITY_HEADERS } from './security-headers.ts'
import { traceIdOf } from './trace.ts'

// Requests that are too broken to reach the app are answered like all others.

const REASONS: { readonly [code: string]: readonly [status: number, title: string] } = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
}

export function unreadableRequest(code = '', error?: unknown): Response {
  const [status, title] = (Object.hasOwn(REASONS, code) ? REASONS[code] : undefined) ?? [400, 'Bad Request']
  // The host name determines the domain of a request.
  const lacksHost = error instanceof RequestError && error.message === 'Missing host header'
  const why = lacksHost ? ': it has no Host header' : ''
  return refused(status, title, `this is not a request that a server could read${why}`)
}

function refused(status: number, title: string, message: string, own: { readonly [name: string]: string } = {}) {
  const traceId = traceIdOf(undefined)
  const headers = { ...SECURITY_HEADERS, 'cache-control': 'no-store', 'x-trace-id': traceId, ...own }
  return problemResponse(new HttpError('BAD_USER_INPUT', status, title, message, headers), traceId)
}

type Read = Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>

/**
 * The refusal of a request that Node accepts, but that a proxy may understand differently. Such a request has two hosts
 * (RFC 9112, section 3.2), or a body in an unknown transfer coding (section 6.1). Null for all other requests.
 */
export function refuseAmbiguous({ headers, rawHeaders, httpVersion }: Read): Response | null {
  const close = { connection: 'close' }
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host')
  if (hosts.length > 1) return refused(400, 'Bad Request', 'the request has more than one Host header', close)
  const coding = headers['transfer-encoding']?.toLowerCase()
  if (coding === undefined) return null
  if (httpVersion === '1.0') return refused(400, 'Bad Request', 'HTTP/1.0 has no Transfer-Encoding', close)
  if (coding === 'chunked') return null
  return refused(
    501,
    'Not Implemented',
    'the body has a Transfer-Encoding other than chunked; send it in chunks',
    close,
  )
}

/** Connections that first finish an earlier answer. Node reports each further unreadable piece again. */
const waiting = new WeakSet<Duplex>()

/** Writes to the connection, as there is no response object yet. An earlier answer that is under way goes first. */
export function writeUnreadable({ code }: Pick<NodeJS.ErrnoException, 'code'>, socket: Duplex): void {
  const answer = underWay.get(socket)
  if (waiting.has(socket)) return
  if (socket.writable && answer?.req.complete === true) {
    waiting.add(socket)
    // Only the code of the error is kept, because its message contains a part of the request.
    answer.once('close', () => {
      waiting.delete(socket)
      writeUnreadable(code === undefined ? {} : { code }, socket)
    })
    return
  }
  // The parser has failed in the body of the request that is being answered.
  if (!socket.writable || code === 'ECONNRESET' || answer?.headersSent === true) {
    socket.destroy()
    return
  }
  void writeResponse(socket, unreadableRequest(code))
}

async function writeResponse(socket: Duplex, response: Response): Promise<void> {
  const body = await response.text()
  const headers = [...response.headers, ['content-length', String(Buffer.byteLength(body))], ['connection', 'close']]
  const lines = [
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ]
  socket.end(lines.join('\r\n'))
}
