import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FakePlatform } from '../fake-platform.ts'
import { holdfast } from '../run-command.ts'
import { characteristic, models } from '../sample.ts'
import { workspace } from '../workspace.ts'

// The models of another commit, which are read elsewhere.

const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }

function committed(files: { readonly [path: string]: string }): string {
  const cwd = workspace(files)
  git(cwd, 'init', '--quiet', '--initial-branch=main')
  git(cwd, 'add', 'models')
  git(cwd, '-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', 'commit', '--quiet', '-m', 'Models')
  return cwd
}

it('the models of a base have the variables of .env, too', async () => {
  const described = characteristic('a', { description: '${env:SITE}' })
  const cwd = committed({ 'models/a.json': JSON.stringify({ characteristics: [described] }) })
  writeFileSync(join(cwd, '.env'), 'SITE=Lindenhof\n')
  const platform = new FakePlatform()
  const { code, stdout, stderr } = await holdfast('plan --base HEAD', { cwd, env, platform })
  expect(stdout + stderr).not.toContain('have errors')
  expect(code).toBe(0)
  expect(platform.calls[0]?.variables['base']).toHaveProperty('document', {})
})

function git(cwd: string, ...words: readonly string[]): void {
  execFileSync('git', words, { cwd, env, stdio: 'pipe' })
}

/** How the base differs from the models, as the platform is told. */
async function baseOf(cwd: string, folder: string): Promise<unknown> {
  const platform = new FakePlatform()
  expect(await holdfast(`plan --base HEAD --models ${folder}`, { cwd, env, platform })).toMatchObject({ code: 0 })
  return platform.calls[0]?.variables['base']
}

describe('a folder of models that was renamed', () => {
  it('is compared with what it was under its former name', async () => {
    const cwd = committed({
      'models/a.json': models('a'),
      'models/deep/b.json': models('b'),
      'models/c.json': models('c'),
    })
    git(cwd, 'mv', 'models', 'site')
    expect(await baseOf(cwd, 'site')).toHaveProperty('document', {})
    git(cwd, 'rm', '--quiet', '-f', 'site/c.json')
    expect(await baseOf(cwd, 'site')).toMatchObject({
      document: { characteristics: { with: [{ code: 'c' }] } },
    })
  })

  it('is another one where only a part of the folder went there', async () => {
    const cwd = committed({ 'models/a.json': models('a'), 'models/b.json': models('b') })
    mkdirSync(join(cwd, 'site'))
    git(cwd, 'mv', 'models/a.json', 'site/a.json')
    expect(await baseOf(cwd, 'site')).toHaveProperty('document', { characteristics: null })
  })
})

it('a repository that Git does not read because of its owner is no unknown commit', async () => {
  const cwd = committed({ 'models/a.json': models('a') })
  const others = { ...env, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }
  const { stderr } = await holdfast('plan --base HEAD', { cwd, env: others, platform: new FakePlatform() })
  expect(stderr).toContain('--base HEAD: Git does not read the repository, because it belongs to another user;')
})

it('a failing Git is an error, and no base without models', async () => {
  const cwd = committed({ 'models/a.json': models('a'), 'models/.gitattributes': '*.json filter=lost' })
  const lost = { GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: 'filter.lost.smudge', GIT_CONFIG_VALUE_0: 'false' }
  const broken = { ...env, ...lost, GIT_CONFIG_KEY_1: 'filter.lost.required', GIT_CONFIG_VALUE_1: 'true' }
  const { code, stderr } = await holdfast('plan --base HEAD', { cwd, env: broken, platform: new FakePlatform() })
  expect([code, stderr]).toStrictEqual([1, expect.stringContaining('git checkout-index failed: ')])
})
