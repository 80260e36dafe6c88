import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPglite } from '../src/db/pglite/pglite.ts'
import { openPostgres } from '../src/db/postgres/postgres.ts'
import type { Database } from '../src/db/sql.ts'
import { applyAll, makeDomain } from '../test/support/domain.ts'
import { operatorToken } from '../test/support/password-token.ts'
import type { PostgresServer } from '../test/support/postgres-server.ts'
import { makeSystem, type SentPoint } from '../test/support/site.ts'
import { familyProcessorTime } from './measure.ts'

// Servers as they are run in earnest, places for their data, and a model with series. What is started here ends with the
// bench, also if the bench fails.

const leftovers: (() => void)[] = []
process.once('exit', () => leftovers.toReversed().forEach((remove) => remove()))

export function atExit(remove: () => void): void {
  leftovers.push(remove)
}

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  atExit(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A place for the data of one platform. */
export interface Store {
  /** For the environment of the server. */
  readonly env: { readonly HOLDFAST_DATA_DIR: string; readonly [name: string]: string }
  /** PGlite opens only while no server runs on it. */
  open(connections?: number): Promise<Database>
  /** Processor time of the database, in milliseconds; 0 for PGlite, which is part of the server. */
  databaseCpu(): number
  remove(): Promise<void>
}

export async function pgliteStore(): Promise<Store> {
  const directory = temporaryDirectory()
  return {
    env: { HOLDFAST_DATA_DIR: directory },
    open: () => openPglite(join(directory, 'pglite')),
    databaseCpu: () => 0,
    remove: async () => rmSync(directory, { recursive: true, force: true }),
  }
}

let stores = 0

export async function postgresStore({ url, pid }: PostgresServer): Promise<Store> {
  const name = `bench_${++stores}`
  const administer = async (statement: string) => {
    const admin = await openPostgres(`${url}/postgres`, { maxConnections: 1 })
    await admin.script(statement).finally(() => admin.close())
  }
  await administer(`CREATE DATABASE ${name}`)
  return {
    env: { HOLDFAST_DATA_DIR: temporaryDirectory(), DATABASE_URL: `${url}/${name}`, HOLDFAST_KEY: 'ab'.repeat(32) },
    open: (connections = 4) => openPostgres(`${url}/${name}`, { maxConnections: connections }),
    databaseCpu: () => familyProcessorTime(pid),
    remove: () => administer(`DROP DATABASE ${name} WITH (FORCE)`),
  }
}

/** A process that answers HTTP. */
export interface Program {
  readonly url: string
  readonly pid: number
  readonly child: ChildProcess
  stop(): Promise<void>
}

export interface Server extends Program {
  /** A new access token of the operator: each is good for some minutes. */
  token(): Promise<string>
}

const CLI = new URL('../bin/holdfast.js', import.meta.url).pathname

/** As `npm start` has it: without, V8 keeps a young generation of 134 MB where there is much memory. */
const OPTIONS = ['--max-semi-space-size=16']

/** A server in a process of its own. `options`: more options of Node. */
export async function startServer({ env }: Store, options: readonly string[] = []): Promise<Server> {
  const program = await startProgram([...OPTIONS, ...options, CLI, 'serve'], env)
  return { ...program, token: () => operatorToken(program.url, env.HOLDFAST_DATA_DIR) }
}

/** Runs Node with these words until it says on standard error where it listens. File descriptor 3 is a pipe to here. */
export async function startProgram(words: readonly string[], env: object = {}): Promise<Program> {
  const child = spawn(process.execPath, words, {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  atExit(() => child.kill('SIGKILL'))
  return { url: await listening(child), pid: child.pid ?? 0, child, stop: () => stop(child) }
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
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

const CODES = Array.from({ length: 10 }, (_, index) => `measure-${index}`)

/** Meters with ten characteristics each. */
const MODEL = {
  characteristics: CODES.map((code) => ({
    code,
    name: code,
    characteristicType: 'MEASUREMENT',
    dataType: 'FLOAT',
  })),
  services: [{ code: 'measuring', name: 'Measuring', characteristics: CODES.map((code) => ({ code })) }],
  componentModels: [{ code: 'meter', name: 'Meter', componentType: 'DEVICE', services: [{ code: 'measuring' }] }],
}

export interface Site {
  readonly domainId: number
  /**
   * Makes so many series, in systems of `perSystem` series. Each is the JSON of a datapoint up to its value. Nobody has
   * written to them before.
   */
  add(count: number, perSystem?: number): Promise<string[]>
}

/** Gives the domain of a server its model. */
export async function openSite(database: Database): Promise<Site> {
  const context = await makeDomain(database, 'local', 'bench')
  await applyAll(context, MODEL)
  const addSystem = async (count: number): Promise<string[]> => {
    const system = await makeSystem<string>(context, { model: 'meter', name: 'Meter' }, Math.ceil(count / CODES.length))
    return system.componentUuids
      .flatMap((_, component) => CODES.map((code) => upToValue(system.point(code, 0, undefined, component))))
      .slice(0, count)
  }
  return {
    domainId: context.domain.id,
    async add(count, perSystem = count) {
      const series: string[] = []
      while (series.length < count)
        for (const one of await addSystem(Math.min(perSystem, count - series.length))) series.push(one)
      return series
    },
  }
}

function upToValue({ characteristic_uuid, component_uuid, service_uuid, system_uuid }: SentPoint): string {
  return JSON.stringify({ characteristic_uuid, component_uuid, service_uuid, system_uuid, value: 0 }).slice(0, -2)
}

/** The uuids of a series, by the names that a query has for them. */
export function namesOf(series: string): { readonly [field: string]: string } {
  const { value: _, ...names } = JSON.parse(`${series}""}`) as { [field: string]: string }
  return names
}
