import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../src/db/sql.ts'
import { operatorToken } from '../test/support/password-token.ts'
import type { PostgresServer } from '../test/support/postgres-server.ts'

/** A place for one platform's data, on one of the two databases. */
export interface Store {
  /** For the environment of the server. */
  readonly env: { readonly HOLDFAST_DATA_DIR: string; readonly [name: string]: string }
  /** Only while no server runs on it. */
  open(): Promise<Database>
  remove(): Promise<void>
}

export interface StoreKind {
  readonly name: 'PostgreSQL' | 'PGlite'
  /** Processor time of the database where it is a process of its own, in milliseconds. */
  processorTime(): number
  create(): Promise<Store>
}

export function pgliteStores(): StoreKind {
  return {
    name: 'PGlite',
    processorTime: () => 0,
    async create() {
      const directory = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
      return {
        env: { HOLDFAST_DATA_DIR: directory },
        open: async () => (await import('../src/db/pglite/pglite.ts')).openPglite(join(directory, 'pglite')),
        remove: async () => rmSync(directory, { recursive: true, force: true }),
      }
    },
  }
}

export function postgresStores({ url }: PostgresServer, processorTime: () => number): StoreKind {
  let count = 0
  return {
    name: 'PostgreSQL',
    processorTime,
    async create() {
      const directory = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
      const name = `bench_${++count}`
      const { openPostgres } = await import('../src/db/postgres/postgres.ts')
      const administer = async (statement: string) => {
        const admin = await openPostgres(`${url}/postgres`, { maxConnections: 1 })
        await admin.script(statement).finally(() => admin.close())
      }
      await administer(`CREATE DATABASE ${name}`)
      return {
        env: { HOLDFAST_DATA_DIR: directory, DATABASE_URL: `${url}/${name}`, HOLDFAST_KEY: 'ab'.repeat(32) },
        open: () => openPostgres(`${url}/${name}`, { maxConnections: 1 }),
        remove: async () => {
          await administer(`DROP DATABASE ${name} WITH (FORCE)`)
          rmSync(directory, { recursive: true, force: true })
        },
      }
    },
  }
}

/** A process that answers HTTP. */
export interface Program {
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

export interface Server extends Program {
  /** A new access token of its operator: each is good for some minutes. */
  token(): Promise<string>
}

const CLI = new URL('../bin/holdfast.js', import.meta.url).pathname

/** As `npm start` has them: without, V8 keeps a young generation of 134 MB where there is much memory. */
const OPTIONS = ['--max-semi-space-size=16']

/** A server as it is run in earnest: a process of its own. */
export async function startServer({ env }: Store): Promise<Server> {
  const program = await startProgram([...OPTIONS, CLI, 'serve'], env)
  return { ...program, token: () => operatorToken(program.url, env.HOLDFAST_DATA_DIR) }
}

/** Runs Node with these words, until it says on standard error where it is listening. */
export async function startProgram(words: readonly string[], env: Store['env'] | object = {}): Promise<Program> {
  const child = spawn(process.execPath, words, {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  return { url: await listening(child), pid: child.pid ?? 0, stop: () => stop(child) }
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)))
    child.stderr?.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-4000)
      const url = /listening on (\S+)/.exec(said)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  if (child.exitCode === null && child.kill('SIGTERM')) await ended
}
