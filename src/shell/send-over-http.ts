import type { ClientRequest, IncomingMessage } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Answer, Sent } from './io.ts'

/** The longest time to connect, and the longest time in which nothing is sent or received. */
const LIMITS = { connectMs: 10_000, idleMs: 300_000 }

/**
 * Sends a request with `node:http`, with the time limits and the error codes of `fetch`. Before its first
 * `Request`, a process must load another HTTP client, HTTP/2 and WebAssembly. An `import` of `node:http` loads them as
 * well, because it reads all exports.
 */
export function sendOverHttp(
  address: URL,
  { method, headers, body = '', signal }: Sent,
  limits = LIMITS,
): Promise<Answer> {
  const isEncrypted = address.protocol === 'https:'
  const { request } = process.getBuiltinModule(isEncrypted ? 'node:https' : 'node:http')
  return new Promise((resolve, reject) => {
    const all = { accept: '*/*', 'accept-encoding': 'zstd, gzip', 'user-agent': 'node', ...headers }
    const sending = request(address, { method: method ?? 'GET', headers: all, signal }, (message) => {
      // An answer can come before the whole body was sent, to a server that reads no further.
      message.once('end', () => sending.writableFinished || sending.destroy())
      resolve(answerOf(message))
    })
    sending.on('error', (error) => reject(withReason(error)))
    limitTime(sending, isEncrypted ? 'secureConnect' : 'connect', limits)
    if (typeof body === 'string') sending.end(body)
    else pipeline(Readable.from(body), sending, ignore)
  })
}

/** Names the reason as `fetch` does. If a request waits for TLS, the failure of its write comes first, as EPROTO. */
function withReason(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'EPROTO' || !error.message.includes('wrong version number')) return error
  return Object.assign(error, { code: 'ERR_SSL_WRONG_VERSION_NUMBER' })
}

function limitTime(sending: ClientRequest, connected: string, { connectMs, idleMs }: typeof LIMITS): void {
  const timer = setTimeout(() => sending.destroy(timeout('UND_ERR_CONNECT_TIMEOUT')), connectMs)
  const stop = () => clearTimeout(timer)
  sending.once('close', stop)
  sending.once('socket', (socket) => (socket.connecting ? socket.once(connected, stop) : stop()))
  // After the headers of an answer have arrived, the reader gets only errors of the answer itself.
  let read: ClientRequest | IncomingMessage = sending
  sending.once('response', (answer) => (read = answer))
  sending.setTimeout(idleMs, () => read.destroy(timeout('UND_ERR_HEADERS_TIMEOUT')))
}

function timeout(code: string): Error {
  return Object.assign(new Error('it took too long'), { code })
}

function answerOf(message: IncomingMessage): Answer {
  const status = message.statusCode ?? 0
  const body = decoded(message)
  const cancel = () => Promise.resolve(void message.destroy())
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => message.headers[name]?.toString() ?? null },
    body: { [Symbol.asyncIterator]: () => body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>, cancel },
    text: () => text(body),
  }
}

function decoded(message: IncomingMessage): Readable {
  const coding = message.headers['content-encoding']
  if (coding !== 'gzip' && coding !== 'zstd') return message
  const { createGunzip, createZstdDecompress } = process.getBuiltinModule('node:zlib')
  return pipeline(message, coding === 'gzip' ? createGunzip() : createZstdDecompress(), ignore)
}

/** Ignores the error of a pipeline, because its last stream reports the same error. */
function ignore(): void {}
