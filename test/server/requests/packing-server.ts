import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, constants, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterEach } from 'vitest'
import { listen } from '../../../src/server/process/listen.ts'

// A server that answers as a test says, and a socket that shows every byte.

export const CODINGS = ['zstd', 'br', 'gzip'] as const

export const UNPACK: { readonly [coding in (typeof CODINGS)[number]]: (bytes: Buffer) => Buffer } = {
  zstd: zstdDecompressSync,
  br: brotliDecompressSync,
  gzip: gunzipSync,
}

/** Reads what has come of a stream. */
export const UNPACK_PARTLY: typeof UNPACK = {
  zstd: (bytes) => zstdDecompressSync(bytes, { finishFlush: constants.ZSTD_e_flush }),
  br: (bytes) => brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  gzip: (bytes) => gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }),
}

export const JSON_TYPE = { 'content-type': 'application/json' }
export let server: Server

/** Stops the server after each test. */
export function usePackingServer(): void {
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })
}

export async function serve(
  answer: (request: Request) => Response | Promise<Response>,
  compresses = true,
): Promise<void> {
  server = await listen(answer, { host: '127.0.0.1', port: 0, compresses })
}

export async function open(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

interface Asked {
  readonly accept?: string
  readonly method?: string
  readonly version?: string
  readonly more?: string
}

export function requestText({ accept = 'gzip', method = 'GET', version = '1.1', more = '' }: Asked): string {
  return `${method} / HTTP/${version}\r\nHost: x\r\nAccept-Encoding: ${accept}\r\n${more}\r\n`
}

interface Received {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: Buffer
}

export function parse(bytes: Buffer): Received {
  const end = bytes.indexOf('\r\n\r\n')
  const [first = '', ...lines] = bytes.subarray(0, end).toString().split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  const body = bytes.subarray(end + 4)
  return { status: Number(first.split(' ')[1]), headers, body: headers['transfer-encoding'] ? dechunked(body) : body }
}

function dechunked(body: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; ;) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.subarray(at, end).toString(), 16)
    if (!(size > 0)) return Buffer.concat(pieces)
    pieces.push(body.subarray(end + 2, end + 2 + size))
    at = end + 4 + size
  }
}

export async function ask(asked: Asked = {}): Promise<Received> {
  const socket = await open()
  socket.write(requestText({ ...asked, more: `${asked.more ?? ''}Connection: close\r\n` }))
  return parse(await buffer(socket))
}
