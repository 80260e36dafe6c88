import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import type { Io } from '../../../src/shell/io.ts'
import { cloneOf } from '../../../src/reconcile/revert/clone.ts'
import { workspace } from '../workspace.ts'

it.each([
  ['gh:acme/models', 'https://github.com/acme/models'],
  // Such a rule may lead to a mirror, which is not the forge.
  ['https://git.example/acme/models', 'https://git.example/acme/models'],
  ['company:acme/models', 'company:acme/models'],
])('the remote %s is %s', async (written, url) => {
  const cwd = workspace({ 'models/a.yaml': '' })
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd, env })
  git('init', '--quiet')
  git('config', 'url.https://github.com/.insteadOf', 'gh:')
  git('config', 'url.https://mirror.example/.insteadOf', 'https://git.example/')
  git('remote', 'add', 'origin', written)
  const clone = await cloneOf({ repository: null, folder: null }, 'models', { cwd, env } as unknown as Io)
  expect(clone.remote).toEqual({ name: 'origin', url })
})
