import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { putMigratedPglite } from './migrated-pglite.ts'
import { startServerProcess, type ServerProcess } from './server-process.ts'

const PROGRAM = fileURLToPath(new URL('../server/serve-program.ts', import.meta.url))
const WATCH = new URL('./loop-watch.ts', import.meta.url).href

export interface WatchedCall {
  readonly method?: string
  readonly path: string
  readonly token?: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string | Uint8Array
}

export interface WatchedAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The longest time in which the server did one thing while it answered, in milliseconds. */
  readonly stall: number
}

export interface WatchedServer extends Pick<ServerProcess, 'url' | 'written'> {
  call(call: WatchedCall): Promise<WatchedAnswer>
  stop(): Promise<void>
}

/** Starts a server in a separate process and watches its event loop from inside. */
export async function startWatchedServer(env: NodeJS.ProcessEnv): Promise<WatchedServer> {
  const cwd = mkdtempSync(join(tmpdir(), 'holdfast-watched-'))
  if ((env['DATABASE_URL'] ?? env['HOLDFAST_DATA_DIR']) === undefined) putMigratedPglite(join(cwd, 'data'))
  const place = { cwd, env: { PATH: process.env['PATH'], PORT: '0', HOLDFAST_DATA_DIR: join(cwd, 'data'), ...env } }
  const server = await startServerProcess(['--import', WATCH, PROGRAM], place)
  const [, port] = /watched at (\d+)/.exec(server.written()) ?? []
  const longest = async () =>
    Number(await (await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } })).text())
  return {
    url: server.url,
    written: server.written,
    async call(call) {
      await longest()
      const answer = await send(server.url, call)
      return { ...answer, stall: await longest() }
    },
    async stop() {
      await server.stop()
      rmSync(cwd, { recursive: true, force: true })
    },
  }
}

/** Sends a request. A server that refuses a body may close the connection before the whole body is sent. */
function send(url: string, call: WatchedCall): Promise<Omit<WatchedAnswer, 'stall'>> {
  const { method = 'POST', path, token, headers = {}, body } = call
  const signed = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const json = body === undefined ? {} : { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    let isAnswered = false
    const request = httpRequest(new URL(path, url), {
      method,
      agent: false,
      headers: { ...json, ...signed, ...headers },
    })
    request.on('response', (response) => {
      isAnswered = true
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      const end = (): void =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() })
      response.on('end', end).on('error', end)
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (!['EPIPE', 'ECONNRESET'].includes(error.code ?? '')) reject(error)
    })
    request.on('close', () => {
      if (!isAnswered) resolve({ status: 0, headers: {}, text: '' })
    })
    request.end(body)
  })
}
