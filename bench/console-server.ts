import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { readCredentials } from '../src/server/requests/credentials.ts'
import { CookieClient } from '../test/support/cookie-client.ts'
import type { Store } from './platform.ts'

// A server whose statements and processor time can be asked for, and somebody who has signed in to its console.

export interface Used {
  readonly statements: number
  /** Milliseconds. */
  readonly cpu: number
}

export interface ConsoleServer {
  readonly url: string
  used(): Promise<Used>
  stop(): Promise<void>
}

const CLI = new URL('../bin/holdfast.js', import.meta.url).pathname
const COUNTER = new URL('./count-statements.js', import.meta.url).pathname

export async function startCountedServer({ env }: Store): Promise<ConsoleServer> {
  const words = ['--max-semi-space-size=16', '--import', COUNTER, CLI, 'serve']
  const child = spawn(process.execPath, words, {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const url = await listening(child.stderr)
  const told = createInterface({ input: child.stdio[3] as Readable })
  return {
    url,
    async used() {
      const line = once(told, 'line')
      child.kill('SIGUSR2')
      return JSON.parse(String((await line)[0])) as Used
    },
    async stop() {
      process.off('exit', kill)
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function listening(errors: Readable | null): Promise<string> {
  if (errors === null) throw new Error('the server has no standard error')
  let said = ''
  for await (const chunk of errors.iterator({ destroyOnReturn: false })) {
    said = `${said}${String(chunk)}`.slice(-4000)
    const url = /listening on (\S+)/.exec(said)?.[1]
    if (url === undefined) continue
    errors.resume()
    return url
  }
  throw new Error(`the server ended: ${said}`)
}

/** A browser of the operator, who has signed in. */
export async function signedIn(url: string, { env }: Store): Promise<CookieClient> {
  const credentials = readCredentials(env.HOLDFAST_DATA_DIR)
  if (credentials === null) throw new Error('the server made no credentials')
  const { username, password } = credentials
  const client = new CookieClient()
  const form = await client.open(`${url}/systems`)
  const reply = await client.submit(form, { username, password, decision: 'sign-in' })
  if (reply.status !== 200) throw new Error(`nobody could sign in: ${reply.status} ${reply.url}`)
  return client
}
