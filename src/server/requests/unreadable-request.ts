import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { HttpError, problemResponse } from './error-response.ts'
import { SECURITY_HEADERS } from '../middleware/security-headers.ts'
import { traceIdOf } from '../middleware/trace.ts'

// Requests that are too broken to reach the app are answered like all others.

const REASONS: { readonly [code: string]: readonly [status: number, title: string] } = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
}

export function unreadableRequest(code = ''): Response {
  const [status, title] = REASONS[code] ?? [400, 'Bad Request']
  const traceId = traceIdOf(undefined)
  const headers = { ...SECURITY_HEADERS, 'cache-control': 'no-store', 'x-trace-id': traceId }
  return problemResponse(
    new HttpError('BAD_USER_INPUT', status, title, 'this is not a request that a server could read', headers),
    traceId,
  )
}

/** Writes to the connection, because there is no response object yet. */
export function writeUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  void writeResponse(socket, unreadableRequest(error.code))
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
