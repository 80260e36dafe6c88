import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { live, models } from '../reconcile/sample.ts'
import { workspace } from '../reconcile/workspace.ts'

const CLI = new URL('../../bin/holdfast.js', import.meta.url).pathname

/** Makes a process tell on standard error which modules it loads. */
const TELL_MODULES = `--import=data:text/javascript,${encodeURIComponent(`import { registerHooks } from 'node:module'
  const load = (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context))
  registerHooks({ load })
  const isFetch = (name) => name.endsWith('/undici')
  process.once('exit', () => process.moduleLoadList.some(isFetch) && process.stderr.write('node:fetch\\n'))`)}`

interface Started {
  readonly child: ChildProcess
  stdout(): Promise<string>
  stderr(): Promise<string>
  readonly code: Promise<number | null>
}

function start(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Started {
  const child = spawn(process.execPath, [CLI, ...words], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const code = once(child, 'exit').then(([code]) => code as number | null)
  return { child, stdout: () => text(child.stdout), stderr: () => text(child.stderr), code }
}

describe('the process', () => {
  it.each(['--version', '-v'])('says its version: %s', async (option) => {
    const { stdout, stderr, code } = start([option], workspace())
    expect(await Promise.all([code, stdout(), stderr()])).toEqual([0, '0.1.0\n', ''])
  })

  it.skipIf(process.platform === 'win32')('takes a plan from standard input', async () => {
    const plan = { formatVersion: 3 }
    const words = ['-c', `echo '${JSON.stringify(plan)}' | ${process.execPath} ${CLI} apply -`]
    const said = await text(spawn('sh', words, { cwd: workspace(), stdio: ['ignore', 'ignore', 'pipe'] }).stderr)
    expect(said).toBe('error: -: this plan has format version 3, and only 1 is known here; plan again\n')
  })

  it.runIf(process.platform === 'linux')('fails where what it writes cannot be stored', async () => {
    const child = spawn('sh', ['-c', `${process.execPath} ${CLI} --help > /dev/full`], { cwd: workspace() })
    const ended = once(child, 'exit')
    expect(await text(child.stderr)).toBe(
      'error: standard output cannot be written: ENOSPC: no space left on device, write\n',
    )
    expect(await ended).toStrictEqual([1, null])
  })

  it('exits with the code of its outcome, and writes all of a large result', async () => {
    const codes = Array.from({ length: 3_000 }, (_, index) => `c${index}`)
    const cwd = workspace({ 'models/a.json': models(...codes), 'live.json': JSON.stringify(live()) })
    const { stdout, code } = start(['plan', '--against', 'live.json', '--format', 'json', '--detailed-exitcode'], cwd)
    const plan = JSON.parse(await stdout()) as { summary: { create: number } }
    expect(plan.summary.create).toBe(3_000)
    expect(await code).toBe(2)
  })

  it('loads no server for settings that it refuses', async () => {
    const { code, stderr } = start(['serve'], workspace(), { NODE_OPTIONS: TELL_MODULES, WORKERS: '2' })
    const said = await stderr()
    expect(said).toContain('WORKERS must be 1 without DATABASE_URL')
    expect(said).toContain('/src/serve.ts\n')
    expect(said).not.toMatch(/src\/(console|platform|store)\//)
    expect(await code).toBe(1)
  })

  it.each([
    ['history', /src\/(?:documents|plan\/compare|server|platform)\/|registry\.ts|validators\.cjs/, 110],
    ['plan', /src\/(?:plan\/(?:compare|findings)|server|platform)\/|read-document\.ts/, 250],
    ['export', /src\/(?:plan\/(?:compare|findings)|server|platform)\/|read-document\.ts/, 240],
  ])('loads for %s what it needs, and nothing that only the platform needs', async (command, foreign, most) => {
    const cwd = workspace({ 'models/a.json': models('a') })
    const env = { NODE_OPTIONS: TELL_MODULES, HOLDFAST_TOKEN: 'token' }
    const { code, stderr } = start([command, '--url', 'http://127.0.0.1:1'], cwd, env)
    const loaded = (await stderr()).match(/^(?:file|node):.*$/gm) ?? []
    expect(await code).toBe(1)
    expect(loaded.filter((url) => foreign.test(url) || url === 'node:fetch')).toStrictEqual([])
    // A module costs a command a third of a millisecond. This is some more than there were when it was counted.
    expect(loaded.length).toBeLessThan(most)
  })

  it('does not mind when nobody reads on', async () => {
    const codes = Array.from({ length: 3_000 }, (_, index) => `c${index}`)
    const cwd = workspace({ 'models/a.json': models(...codes), 'live.json': JSON.stringify(live()) })
    const { child, stderr, code } = start(['plan', '--against', 'live.json', '--format', 'json'], cwd)
    child.stdout?.destroy()
    expect(await Promise.all([code, stderr()])).toEqual([0, ''])
  })

  it('ends with 130 on Ctrl-C, while it waits for a platform', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const asked = once(server, 'request')
    const started = start(['history', '--url', `http://127.0.0.1:${port}`], workspace(), { HOLDFAST_TOKEN: 'token' })
    await asked
    started.child.kill('SIGINT')
    expect(await Promise.all([started.code, started.stdout(), started.stderr()])).toEqual([
      130,
      '',
      'Interrupted: nothing was changed on the platform.\n',
    ])
    server.closeAllConnections()
    server.close()
  })

  it('does not ask where no terminal is', async () => {
    const cwd = workspace({ 'models/a.json': models('a') })
    const { stderr, code } = start(['apply'], cwd)
    expect(await stderr()).toContain('there is no terminal to ask for consent')
    expect(await code).toBe(1)
  })
})
