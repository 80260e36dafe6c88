import { execFileSync, fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isDirectoryLocked, lockDirectory, readHolder } from '../../src/db/pglite/directory-lock.ts'
import type { Holder } from '../../src/db/pglite/directory-lock.ts'

const HOLDER: Holder = { pid: process.pid, url: null, startedAt: '2026-01-02T03:04:05Z' }
const PROGRAM = new URL('../support/hold-lock.ts', import.meta.url)

let directory: string
const children: ChildProcess[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'holdfast-lock-'))
})
afterEach(async () => {
  await Promise.all(children.splice(0).map(kill))
  rmSync(directory, { recursive: true })
})

interface OtherProcess {
  readonly child: ChildProcess
  /** `locked`, or why not. */
  readonly said: unknown
}

async function lockInAnotherProcess(...options: string[]): Promise<OtherProcess> {
  const child = fork(PROGRAM, [directory, ...options], { execArgv: [] })
  children.push(child)
  const [said] = (await once(child, 'message')) as unknown[]
  return { child, said }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

it('gives a directory to one process only, and names it to the others', async () => {
  const { child, said } = await lockInAnotherProcess('http://localhost:3000')
  expect(said).toBe('locked')
  expect(isDirectoryLocked(directory)).toBe(true)
  expect(readHolder(directory)).toStrictEqual({ ...HOLDER, pid: child.pid, url: 'http://localhost:3000' })
  expect(() => lockDirectory(directory, { holder: HOLDER })).toThrow(
    `The data directory ${directory} is in use by process ${child.pid}, which serves http://localhost:3000. ` +
      'Stop it, or use another directory',
  )
})

it('hides a data directory in a repository from Git', () => {
  execFileSync('git', ['init', '--quiet'], { cwd: directory })
  const data = join(directory, '.holdfast')
  lockDirectory(data, { holder: HOLDER }).release()
  writeFileSync(join(data, 'key'), 'secret')
  expect(
    execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], { cwd: directory, encoding: 'utf8' }),
  ).toBe('')
})

// Nothing is denied to root.
it.skipIf(process.getuid?.() === 0)('refuses a directory that it may not write to', () => {
  chmodSync(directory, 0o500)
  expect(() => lockDirectory(directory, { holder: HOLDER })).toThrow(
    `the data directory ${directory} cannot be used: permission is denied; let this user read and write the data directory, or name another one by HOLDFAST_DATA_DIR`,
  )
})

it('is free after the owner was killed, whatever the owner left behind', async () => {
  const { child } = await lockInAnotherProcess()
  await kill(child)
  expect(existsSync(join(directory, 'holder.json'))).toBe(true)
  expect(isDirectoryLocked(directory)).toBe(false)
  expect(readHolder(directory)).toBeNull()
  const { said } = await lockInAnotherProcess()
  expect(said).toBe('locked')
})

it('is free after the owner released it', async () => {
  const { child } = await lockInAnotherProcess()
  const ended = once(child, 'exit')
  child.send('stop')
  await ended
  expect(existsSync(join(directory, 'holder.json'))).toBe(false)
  const lock = lockDirectory(directory, { holder: HOLDER })
  expect((await lockInAnotherProcess()).said).toContain(`in use by process ${process.pid}.`)
  lock.release()
})

it('goes to one of several processes that want it at once', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => lockInAnotherProcess()))
  expect(all.filter(({ said }) => said === 'locked')).toHaveLength(1)
})

it('holds within one process too, and asking about it does not loosen it', async () => {
  const lock = lockDirectory(directory, { holder: HOLDER })
  expect(() => lockDirectory(directory, { holder: HOLDER })).toThrow('is in use')
  expect(isDirectoryLocked(directory)).toBe(true)
  expect((await lockInAnotherProcess()).said).toContain('is in use')
  lock.release()
  lock.release()
  expect(isDirectoryLocked(directory)).toBe(false)
})

it('tells the address once the owner knows it, to its user only', () => {
  const lock = lockDirectory(directory, { holder: HOLDER })
  lock.update({ ...HOLDER, url: 'http://localhost:3000' })
  expect(readHolder(directory)?.url).toBe('http://localhost:3000')
  expect(statSync(join(directory, 'holder.json')).mode & 0o777).toBe(0o600)
  lock.release()
})

it('is not locked where nothing is, and asking creates nothing', () => {
  const nowhere = join(directory, 'nowhere')
  expect(isDirectoryLocked(nowhere)).toBe(false)
  expect(readHolder(nowhere)).toBeNull()
  expect(existsSync(nowhere)).toBe(false)
})
