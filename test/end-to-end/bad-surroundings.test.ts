import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { lockDirectory } from '../../src/db/pglite/directory-lock.ts'
import { models } from '../reconcile/sample.ts'
import { holdfast as inProcess } from '../reconcile/run-command.ts'
import { workspace } from '../reconcile/workspace.ts'
import { createPostgresDatabase } from '../support/databases.ts'
import { putMigratedPglite } from '../support/migrated-pglite.ts'
import { isLong } from '../support/runs.ts'
import { ended, plainEnvironment, type Ended } from './fresh-clone.ts'
import { startServer } from './server-process.ts'

// What is around the program is not as it should be. Each message says what, and what to do; none is a stack.

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** A PGlite is made anew. */
const SLOW = { timeout: 180_000 }
const NOBODY = 65_534
/** In `npm test`, the data directory that is a file refuses a plan. */
const COMMANDS = isLong ? ['plan', 'serve'] : ['serve']
const KEY = Buffer.alloc(32, 5).toString('base64')

function holdfast(line: string, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const words = [join(ROOT, 'bin/holdfast.js'), ...line.split(' ')]
  return ended(spawn(process.execPath, words, { cwd, env: { ...plainEnvironment(), ...env } }))
}

/** That nothing was done, and what was said about it. */
function refusalOf({ code, stdout, stderr }: Omit<Ended, 'all'>): string {
  expect(stderr).not.toMatch(/^ +at |node:internal|something went wrong/m)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  return stderr
}

describe('models', () => {
  it.each([
    [
      'no directory',
      {},
      /no models in models: it does not exist; name the directory .* by --models, or begin one with "holdfast init"/,
    ],
    ['no file in it', { 'models/readme.md': '' }, 'there is no *.yaml, *.yml or *.json file in it'],
    [
      'YAML that is none',
      { 'models/a.yaml': 'services:\n  - code: a\n   name: b\n' },
      /^models\/a\.yaml:3:4: error syntax: /,
    ],
  ])('%s', async (_, files: { [path: string]: string }, message) => {
    expect(refusalOf(await inProcess('plan', { cwd: workspace(files) }))).toMatch(message)
  })

  it('a wrong key', async () => {
    const cwd = workspace({ 'models/a.yaml': 'services: [{ code: a, nmae: b }]\n' })
    const { code, stdout } = await inProcess('validate', { cwd })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^models\/a\.yaml:1:23: error unknown-key: .*Did you mean "name"\?/m)
  })

  it('a file that cannot be read is not taken for one that is not there', async () => {
    const cwd = workspace({ 'models/a.json': models('a') })
    symlinkSync('/nowhere/b.yaml', join(cwd, 'models/b.yaml'))
    expect(refusalOf(await inProcess('plan', { cwd }))).toMatch(
      /^models\/b\.yaml:1:1: error unreadable-file: .*records would be missing/m,
    )
  })
})

it('a plan comes from standard input, also where that is a socket, which nobody can open by its path', async () => {
  const words = [join(ROOT, 'bin/holdfast.js'), 'apply', '-']
  const child = spawn(process.execPath, words, { cwd: workspace(), env: plainEnvironment() })
  child.stdin.end('{}')
  expect(refusalOf(await ended(child))).toContain('- is no plan, because it has no formatVersion')
})

describe('the data directory', () => {
  it('is a file', async () => {
    const cwd = workspace({ 'models/a.json': models('a'), data: '' })
    expect(refusalOf(await holdfast('plan --data-dir data', cwd))).toMatch(
      /data cannot be used: .* is a file; .*--data-dir or HOLDFAST_DATA_DIR/,
    )
  })

  it.runIf(process.platform === 'linux')('is where nothing can be made', async () => {
    const cwd = workspace({ 'models/a.json': models('a') })
    for (const command of COMMANDS)
      expect(refusalOf(await holdfast(command, cwd, { HOLDFAST_DATA_DIR: '/proc/x/y', PORT: '0' }))).toBe(
        'error: the data directory /proc/x/y cannot be used: the directory does not exist and cannot be created; ' +
          'let this user read and write the data directory, or name another one by HOLDFAST_DATA_DIR\n',
      )
  })

  it('belongs to another process, which is named', async () => {
    const cwd = workspace({ 'models/a.json': models('a') })
    const holder = { pid: process.pid, url: null, startedAt: '2026-01-01T00:00:00Z' }
    const lock = lockDirectory(join(cwd, '.holdfast'), { holder })
    try {
      const message = `in use by process ${process.pid}. Stop it, or use another directory`
      for (const command of COMMANDS)
        expect(refusalOf(await holdfast(command, cwd, { PORT: '0' }))).toMatch(new RegExp(`^error: .*${message}\n$`))
    } finally {
      lock.release()
    }
  })

  it.runIf(process.getuid?.() === 0)(
    'has a file of another user, which is named, and nothing is called damaged',
    async () => {
      const cwd = workspace()
      const file = 'pg_logical/replorigin_checkpoint'
      putMigratedPglite(join(cwd, '.holdfast'))
      execFileSync('chown', ['-R', String(NOBODY), cwd])
      chownSync(join(cwd, '.holdfast/pglite', file), 0, 0)
      const env = { ...plainEnvironment(), HOLDFAST_DATA_DIR: join(cwd, '.holdfast'), PORT: '0' }
      const words = [join(ROOT, 'bin/holdfast.js'), 'serve']
      const said = refusalOf(await ended(spawn(process.execPath, words, { cwd, env, uid: NOBODY })))
      expect(said).toMatch(`could not open file "${file}": Permission denied. Another user has made a file in it`)
      expect(said).not.toMatch('damaged')
    },
  )

  it.skipIf(process.platform === 'win32')('cannot be opened where too few files may be open', async () => {
    const cwd = workspace()
    putMigratedPglite(join(cwd, '.holdfast'))
    const words = ['-c', `ulimit -n 100; exec "${process.execPath}" "${join(ROOT, 'bin/holdfast.js')}" serve`]
    const env = { ...plainEnvironment(), HOLDFAST_DATA_DIR: join(cwd, '.holdfast'), PORT: '0' }
    expect(refusalOf(await ended(spawn('sh', words, { cwd, env })))).toMatch(
      'too many files are open; raise the limit (ulimit -n, LimitNOFILE)',
    )
  })

  it('is deleted while the server runs: the server ends in peace, and one can start over', SLOW, async () => {
    const cwd = workspace({ 'models/a.json': models('a') })
    putMigratedPglite(join(cwd, '.holdfast'))
    const server = await startServer(ROOT, { HOLDFAST_DATA_DIR: join(cwd, '.holdfast') })
    rmSync(join(cwd, '.holdfast'), { recursive: true })
    await server.stop()
    expect(server.written()).not.toMatch(/^ +at /m)
    expect(existsSync(join(cwd, '.holdfast/pglite'))).toBe(false)
    // To make one takes longer than all else here.
    if (!isLong) putMigratedPglite(join(cwd, '.holdfast'))
    const again = await holdfast('plan', cwd)
    expect(again.stdout).toMatch(/^Plan: 1 to create /)
    expect(again.code).toBe(0)
  })
})

describe('the environment of a server', () => {
  it('has several problems: each on a line of its own, none with its value', async () => {
    const env = { PORT: 'x', DATABASE_URL: 'mysql://user:hidden@host/db', HOLDFAST_BOOTSTRAP_SECRET: 'hidden' }
    const refused = await holdfast('serve', workspace(), env)
    const said = refusalOf(refused)
    expect(said).toMatch(/^error: The environment cannot be used:\n  PORT /)
    expect(said).toMatch(/^ {2}DATABASE_URL /m)
    expect(said).toMatch(/^ {2}HOLDFAST_KEY /m)
    expect(refused.stderr.split('\n').filter((line) => line !== '')).toHaveLength(5)
    expect(refused.all).not.toContain('hidden')
  })

  it('has no key for a database', async () => {
    const env = { DATABASE_URL: 'postgres://user:hidden@127.0.0.1:1/db' }
    const said = refusalOf(await holdfast('serve', workspace(), env))
    expect(said).toMatch('HOLDFAST_KEY is needed with DATABASE_URL')
    expect(said).toMatch('openssl rand -base64 32')
  })
})

describe('PostgreSQL', () => {
  it('does not answer', async () => {
    const env = { DATABASE_URL: 'postgres://user:hidden@127.0.0.1:1/db', HOLDFAST_KEY: KEY }
    const refused = await holdfast('serve', workspace(), { ...env, PORT: '0' })
    const said = refusalOf(refused)
    expect(said).toMatch('The PostgreSQL server cannot be used')
    expect(said).toMatch('127.0.0.1:1. Check host and port in DATABASE_URL')
    expect(refused.all).not.toContain('hidden')
  })

  it('refuses the user, or has no such database', async () => {
    const { url, drop } = await createPostgresDatabase()
    try {
      const stranger = Object.assign(new URL(url), { username: 'nobody', password: 'hidden-password' }).href
      const elsewhere = `${url}_of_somebody_else`
      for (const DATABASE_URL of [stranger, elsewhere]) {
        const refused = await holdfast('serve', workspace(), { DATABASE_URL, HOLDFAST_KEY: KEY, PORT: '0' })
        expect(refusalOf(refused)).toMatch('The PostgreSQL server cannot be used')
        expect(refused.all).not.toContain('hidden-password')
      }
    } finally {
      await drop()
    }
  })
})
