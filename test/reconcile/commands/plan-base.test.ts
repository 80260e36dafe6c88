import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FakePlatform } from '../fake-platform.ts'
import { holdfast } from '../run-command.ts'
import { characteristic, models } from '../sample.ts'
import { workspace } from '../workspace.ts'

// The models of another commit, which are read elsewhere.

const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }

function committed(files: { readonly [path: string]: string }): string {
  const cwd = workspace(files)
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd, env, stdio: 'pipe' })
  git('init', '--quiet', '--initial-branch=main')
  git('add', 'models')
  git('-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', 'commit', '--quiet', '-m', 'Models')
  return cwd
}

it('the models of a base have the variables of .env, too', async () => {
  const described = characteristic('a', { description: '${env:SITE}' })
  const cwd = committed({ 'models/a.json': JSON.stringify({ characteristics: [described] }) })
  writeFileSync(join(cwd, '.env'), 'SITE=Lindenhof\n')
  const platform = new FakePlatform()
  const { code, stdout, stderr } = await holdfast('plan --base HEAD', { cwd, env, platform })
  expect(stdout + stderr).not.toContain('are wrong themselves')
  expect(code).toBe(0)
  expect(platform.calls[0]?.variables['base']).toHaveProperty('document', {})
})

it('a repository that Git does not read because of its owner is no unknown commit', async () => {
  const cwd = committed({ 'models/a.json': models('a') })
  const others = { ...env, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }
  const { stderr } = await holdfast('plan --base HEAD', { cwd, env: others, platform: new FakePlatform() })
  expect(stderr).toContain('--base HEAD: Git does not read the repository, because it belongs to another user;')
})
