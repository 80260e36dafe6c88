import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openEmbedded, runningServer } from '../../../src/server/process/embedded.ts'
import { readCredentials } from '../../../src/server/process/credentials.ts'
import { createPostgresDatabase } from '../../support/databases.ts'
import { putMigratedPglite } from '../../support/migrated-pglite.ts'
import { operatorToken } from '../../support/password-token.ts'
import { MIGRATED_TEMPLATE } from '../../support/global-setup.ts'
import { COMPILED } from '../../support/server-process.ts'
import { probed, refuseUncaught } from '../../support/uncaught.ts'
import { networkTo } from '../../support/silent-network.ts'
import { PATIENCE } from '../../support/patience.ts'

const PROGRAM = fileURLToPath(new URL('../serve-program.ts', import.meta.url))
const KEY = 'k'.repeat(43)

let dataDir: string
const children: ChildProcess[] = []
const cleanups: (() => Promise<void>)[] = []
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'holdfast-serve-'))
})
afterEach(async () => {
  await Promise.all(children.splice(0).map(kill))
  for (const clean of cleanups.splice(0)) await clean()
  rmSync(dataDir, { recursive: true })
})

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

interface Started {
  readonly child: ChildProcess
  readonly url: string
  /** All of standard error so far. */
  readonly told: () => string
  readonly exit: Promise<number | null>
}

/** Starts a server; resolves when it listens, or fails with what it said when it ended instead. */
async function start(env: NodeJS.ProcessEnv, program = process.execPath, words = [PROGRAM]): Promise<Started> {
  let told = ''
  const child = spawn(program, words, {
    env: probed({
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: COMPILED,
      PORT: '0',
      HOLDFAST_DATA_DIR: dataDir,
      ...env,
    }),
  })
  children.push(child)
  cleanups.push(async () => refuseUncaught(told))
  // Both pipes are read to their end by then, which an exit does not wait for.
  const exit = once(child, 'close').then(([code]) => code as number | null)
  child.stdout.resume()
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      told += chunk.toString()
      const [, found] = /listening on (\S+)/.exec(told) ?? []
      if (found !== undefined) resolve(found)
    })
    child.once('close', () => reject(new Error(told)))
  })
  return { child, url, told: () => told, exit }
}

async function onPostgres(): Promise<NodeJS.ProcessEnv> {
  const database = await createPostgresDatabase(MIGRATED_TEMPLATE)
  cleanups.push(() => database.drop())
  return { DATABASE_URL: database.url, HOLDFAST_KEY: KEY }
}

function credentials(): { client_secret: string; password: string } {
  return JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as {
    client_secret: string
    password: string
  }
}

describe('a server', () => {
  it('makes credentials once, says once where they are and shows none to a log, answers to them, and takes no other key', async () => {
    const env = await onPostgres()
    const first = await start(env)
    const { client_secret: secret, password } = credentials()
    const path = join(dataDir, 'credentials.json')
    expect(first.told()).toContain(path)
    expect([secret, password].filter((text) => first.told().includes(text))).toStrictEqual([])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const second = await start(env)
    expect(second.told()).not.toContain(path)
    for (const { url } of [first, second]) {
      const headers = {
        authorization: `Bearer ${await operatorToken(url, dataDir)}`,
        'content-type': 'application/json',
      }
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers,
        body: '{"query":"{ currentDomain { name } }"}',
      })
      expect(await response.json()).toStrictEqual({ data: { currentDomain: { name: 'Local' } } })
    }
    const other = start({ ...env, HOLDFAST_KEY: 'j'.repeat(43) })
    await expect(other).rejects.toThrow(/HOLDFAST_KEY .* is not the key of this database.*restore that key/)
    expect(credentials().client_secret).toBe(secret)
  })

  it('takes its credentials from the environment and keeps them to itself', async () => {
    const secret = 'bootstrap-secret-of-the-test'
    const { url, told } = await start({
      ...(await onPostgres()),
      HOLDFAST_BOOTSTRAP_SECRET: secret,
      HOLDFAST_BOOTSTRAP_PASSWORD: 'bootstrap password of it',
    })
    expect(credentials()).toMatchObject({ client_secret: secret, password: 'bootstrap password of it' })
    expect(told()).not.toContain(secret)
    const query = async (token: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ query: '{ currentDomain { name } }' })
      return (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).status
    }
    expect(await query(await operatorToken(url, dataDir))).toBe(200)
    // The secret is what a token is asked for with; it is none itself.
    expect(await query(secret)).toBe(401)
  })

  it('finishes a request that has begun, takes no new one, and ends with 0', async () => {
    const { child, url, exit, told } = await start(await onPostgres())
    const body = '{"query":"{ currentDomain { name } }"}'
    const headers = {
      authorization: `Bearer ${await operatorToken(url, dataDir)}`,
      'content-type': 'application/json',
      'content-length': body.length,
    }
    const request = httpRequest(`${url}/graphql`, { method: 'POST', headers })
    const answered = once(request, 'response')
    // The server has seen the request when it answers `Expect: 100-continue`.
    request.setHeader('expect', '100-continue')
    request.flushHeaders()
    await once(request, 'continue')
    child.kill('SIGTERM')
    await refused(url)
    await vi.waitFor(() => expect(told()).toContain('finishing the requests'), PATIENCE)
    expect(child.exitCode).toBeNull()
    request.end(body)
    const [response] = (await answered) as [NodeJS.ReadableStream & { statusCode: number }]
    expect(response.statusCode).toBe(200)
    expect(await readText(response)).toBe('{"data":{"currentDomain":{"name":"Local"}}}')
    expect(await exit).toBe(0)
  })

  it('ends also where the database does not answer any more', async () => {
    const { DATABASE_URL = '', ...env } = await onPostgres()
    const network = await networkTo(Number(new URL(DATABASE_URL).port))
    cleanups.unshift(() => network.close())
    const url = Object.assign(new URL(DATABASE_URL), { port: String(network.port) })
    const { child, exit, told } = await start({ ...env, DATABASE_URL: url.href, LONGEST_STOP_MS: '3000' })
    network.goSilent()
    child.kill('SIGTERM')
    expect(await exit).toBe(1)
    expect(told()).toContain('could not finish in time')
  })

  it('ends at once with the second signal', async () => {
    const { child, url, exit } = await start(await onPostgres())
    const request = httpRequest(`${url}/graphql`, {
      method: 'POST',
      headers: {
        expect: '100-continue',
        'content-length': 2,
        'content-type': 'application/json',
        authorization: `Bearer ${await operatorToken(url, dataDir)}`,
      },
    })
    request.on('error', () => undefined)
    request.flushHeaders()
    await once(request, 'continue')
    child.kill('SIGINT')
    await refused(url)
    child.kill('SIGINT')
    expect(await exit).toBe(1)
  })

  it('finishes and ends where the shell of npm has ended, which passes no signal on', async () => {
    const { DATABASE_URL, HOLDFAST_KEY } = await onPostgres()
    const env = { DATABASE_URL, HOLDFAST_KEY, npm_lifecycle_event: 'start', SERVER: PROGRAM, NODE: process.execPath }
    const { child: shell, told, exit } = await start(env, 'sh', ['-c', '"$NODE" "$SERVER"; true'])
    shell.kill('SIGTERM')
    await exit
    expect(told()).toContain('finishing the requests')
  })

  it.runIf(process.platform === 'linux')('goes on without a log where the disk of the log is full', async () => {
    const env = { ...(await onPostgres()), SERVER: PROGRAM, NODE: process.execPath }
    const { child, url, told, exit } = await start(env, 'sh', ['-c', 'exec "$NODE" "$SERVER" > /dev/full'])
    for (const path of ['/healthz', '/', '/readyz']) expect((await fetch(url + path)).status).toBeLessThan(500)
    const message =
      'The log cannot be written (ENOSPC: no space left on device, write); the server continues without it'
    await vi.waitFor(() => expect(told().match(/The log .*/g)).toStrictEqual([message]), PATIENCE)
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
  })

  it('says where it listens, and for which address', async () => {
    const { url, told } = await start({
      ...(await onPostgres()),
      HOST: '0.0.0.0',
      HOLDFAST_BASE_URL: 'https://acme.example',
    })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(told()).toContain(`listening on ${url} and all other addresses of this machine for https://acme.example\n`)
  })

  it('says which port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    cleanups.push(async () => {
      other.close()
      await once(other, 'close')
    })
    const port = String((other.address() as { port: number }).port)
    await expect(start({ ...(await onPostgres()), PORT: port })).rejects.toThrow(
      `127.0.0.1 port ${port}: another program does. Stop that one, or set PORT`,
    )
  })

  it('names all problems of the environment together, without their values', async () => {
    const started = start({
      PORT: 'x',
      DATABASE_URL: 'mysql://user:hidden@host/db',
      HOLDFAST_BASE_URL: 'https://user:hidden@host/',
    })
    const error = await started.catch((reason: unknown) => reason as Error)
    const message = error instanceof Error ? error.message : ''
    for (const name of ['PORT', 'DATABASE_URL', 'HOLDFAST_KEY', 'HOLDFAST_BASE_URL'])
      expect(message).toMatch(new RegExp(`^  ${name} `, 'm'))
    expect(message).not.toContain('hidden')
  })

  it('owns its data directory, and tells where it is to those who may read it', async () => {
    putMigratedPglite(dataDir)
    const { child, url, exit } = await start({})
    expect(await runningServer(dataDir)).toStrictEqual({ url, credentials: readCredentials(dataDir) })
    await expect(start({})).rejects.toThrow(`${dataDir} is in use by process ${child.pid}, which serves ${url}`)
    await expect(openEmbedded({ dataDir, env: {} })).rejects.toMatchObject({ code: 'CONFLICT' })
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
    expect(await runningServer(dataDir)).toBeNull()
    const embedded = await openEmbedded({ dataDir, env: {} })
    cleanups.push(() => embedded.close())
    const headers = { authorization: `Bearer ${embedded.token}`, 'content-type': 'application/json' }
    const response = await embedded.fetch(
      new Request('http://localhost/graphql', {
        method: 'POST',
        headers,
        body: '{"query":"{ currentDomain { name } }"}',
      }),
    )
    expect(await response.json()).toStrictEqual({ data: { currentDomain: { name: 'Local' } } })
  })
})

/** Tries until nobody listens any more. */
async function refused(url: string): Promise<void> {
  const isOpen = await fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
    () => true,
    () => false,
  )
  if (isOpen) await refused(url)
}
