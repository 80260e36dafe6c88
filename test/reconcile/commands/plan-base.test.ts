import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
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

it('in a hook, the base is still that of the models alone', async () => {
  const cwd = committed({ 'models/a.json': models('a'), 'other/b.json': models('b') })
  git(cwd, 'add', 'other')
  git(cwd, '-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', 'commit', '--quiet', '-m', 'Other models')
  const platform = new FakePlatform()
  await holdfast('plan --base HEAD', { cwd, env: { ...env, GIT_DIR: join(cwd, '.git') }, platform })
  expect(platform.calls[0]?.variables['base']).toHaveProperty('document', {})
})

it('runs no program that the repository names', async () => {
  const cwd = committed({ 'models/a.json': models('a') })
  const program = join(cwd, '.git/hooks/post-index-change')
  writeFileSync(program, '#!/bin/sh\ntouch "$0.ran"\n', { mode: 0o755 })
  git(cwd, 'config', 'log.showSignature', 'true')
  git(cwd, 'config', 'gpg.program', program)
  const read = (words: readonly string[], input = '') =>
    execFileSync('git', words, { cwd, env, input, encoding: 'utf8' })
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n'
  const signed = read(['cat-file', 'commit', 'HEAD']).replace('\n\n', `\n${signature}`)
  git(cwd, 'update-ref', 'HEAD', read(['hash-object', '-t', 'commit', '-w', '--stdin'], signed).trim())
  const platform = new FakePlatform()
  expect(await holdfast('apply --yes --base HEAD', { cwd, env, platform })).toMatchObject({ code: 0 })
  expect(existsSync(`${program}.ran`)).toBe(false)
})

it.each([['smudge'], ['clean'], ['process']])('runs no %s filter that the repository names', async (kind) => {
  const cwd = committed({ 'models/a.json': models('a') })
  const program = join(cwd, 'program')
  writeFileSync(program, '#!/bin/sh\ntouch "$0.ran"\ncat\n', { mode: 0o755 })
  writeFileSync(join(cwd, '.git/info/attributes'), '*.json filter=own=er\n')
  git(cwd, 'config', `filter.own=er.${kind}`, program)
  git(cwd, 'config', 'filter.own=er.required', 'true')
  // Git compares the contents of a file whose time is another one.
  utimesSync(join(cwd, 'models/a.json'), 1, 1)
  expect(await holdfast('plan --base HEAD', { cwd, env, platform: new FakePlatform() })).toMatchObject({ code: 0 })
  expect(existsSync(`${program}.ran`)).toBe(false)
})

it('filters of the person run, and a pointer of Git LFS without a filter is named', async () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'
  const cwd = committed({ 'models/a.json': pointer, '.gitattributes': '*.json filter=lfs\n' })
  writeFileSync(join(cwd, 'models/a.json'), models('a'))
  const plain = await holdfast('plan --base HEAD', { cwd, env, platform: new FakePlatform() })
  expect(plain.stdout).toMatch(
    /the models of HEAD have errors .*a\.json: it cannot be read: it is a pointer of Git LFS/s,
  )
  const config = join(cwd, 'gitconfig')
  writeFileSync(config, `[filter "lfs"]\n\tsmudge = "echo '${models('b').replaceAll('"', String.raw`\"`)}'"\n`)
  const platform = new FakePlatform()
  await holdfast('plan --base HEAD', { cwd, env: { ...env, GIT_CONFIG_GLOBAL: config }, platform })
  expect(platform.calls[0]?.variables).toHaveProperty('base.document')
})

it('a base with a submodule, whose models nobody can read, is no base', async () => {
  const files = { 'models/a.json': models('a'), 'models/shared/b.json': models('b'), '.gitmodules': '' }
  const cwd = workspace(files)
  git(cwd, 'init', '--quiet', '--initial-branch=main')
  git(cwd, 'add', '.gitmodules', 'models/a.json')
  git(cwd, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},models/shared`)
  git(cwd, '-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', 'commit', '--quiet', '-m', 'Models')
  const platform = new FakePlatform()
  const { code, stdout } = await holdfast('plan --base HEAD', { cwd, env, platform })
  expect([code, stdout]).toEqual([0, expect.stringContaining('the models of HEAD have errors')])
  expect(platform.calls[0]?.variables).not.toHaveProperty('base.document')
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
