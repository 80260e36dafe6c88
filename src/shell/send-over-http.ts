import type { ClientRequest, IncomingMessage } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Answer, Sent } from './io.ts'

const CONNECT_TIMEOUT_MS = 10_000
const IDLE_TIMEOUT_MS = 300_000

/**
 * Sends a request with `node:http`, with the time limits and the error codes of `fetch`. Before its first
 * `Request`, a process must load another HTTP client, HTTP/2 and WebAssembly. An `import` of `node:http` loads them as
 * well, because it reads all exports.
 */
export function sendOverHttp(address: URL, { method, headers, body = '', signal }: Sent): Promise<Answer> {
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
    limitTime(sending, isEncrypted ? 'secureConnect' : 'connect')
    if (typeof body === 'string') sending.end(body)
    else pipeline(Readable.from(body), sending, ignore)
  })
}

/** Names the reason as `fetch` does. If a request waits for TLS, the failure of its write comes first, as EPROTO. */
function withReason(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'EPROTO' || !error.message.includes('wrong version number')) return error
  return Object.assign(error, { code: 'ERR_SSL_WRONG_VERSION_NUMBER' })
}

function limitTime(sending: ClientRequest, connected: string): void {
  const timer = setTimeout(() => sending.destroy(timeout('UND_ERR_CONNECT_TIMEOUT')), CONNECT_TIMEOUT_MS)
  const stop = () => clearTimeout(timer)
  sending.once('close', stop)
  sending.once('socket', (socket) => (socket.connecting ? socket.once(connected, stop) : stop()))
  sending.setTimeout(IDLE_TIMEOUT_MS, () => sending.destroy(timeout('UND_ERR_HEADERS_TIMEOUT')))
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

/** Takes the error of a pipeline, which its last stream has as well. */
function ignore(): void {}
