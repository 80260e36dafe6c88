import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { modelResolver } from '../../../src/reconcile/models/reference-resolver.ts'
import { workspace } from '../workspace.ts'

const FILES = {
  'repository/models/deep/text.txt': 'beside',
  'repository/shared/text.txt': 'in the repository',
  'repository/.env': 'TOKEN=1',
  'repository/.git/config': 'token',
  'repository/.holdfast/credentials.json': 'secret',
  'outside.txt': 'outside',
}

function resolverIn(env: { [name: string]: string } = {}) {
  const cwd = join(workspace(FILES), 'repository')
  return { cwd, resolver: modelResolver(join(cwd, 'models'), { env, cwd }) }
}

describe('${file:…}', () => {
  it.each([
    ['text.txt', 'beside'],
    ['../../shared/text.txt', 'in the repository'],
    ['gone.txt', undefined],
  ])('%s, as seen from models/deep/a.yaml', (path, text) => {
    const { resolver } = resolverIn()
    expect(resolver.file(path, 'models/deep/a.yaml')).toBe(text)
    expect(resolver.refused).toEqual([])
  })

  it.each([
    ['../../../outside.txt', 'only files inside the repository of the models are read'],
    ['//host/share/text.txt', 'only files inside the repository of the models are read'],
    [String.raw`\\host\share\text.txt`, 'only files inside the repository of the models are read'],
    ['/etc/hostname', 'only files inside the repository of the models are read'],
    ['../../.env', 'hidden files and directories are not read'],
    ['../../.git/config', 'hidden files and directories are not read'],
    ['../../.holdfast/credentials.json', 'hidden files and directories are not read'],
    ['link.txt', 'only files inside the repository of the models are read'],
  ])('%s is refused', (path, why) => {
    const { cwd, resolver } = resolverIn()
    symlinkSync('../../../outside.txt', join(cwd, 'models/deep/link.txt'))
    expect(resolver.file(path, 'models/deep/a.yaml')).toBeUndefined()
    expect(resolver.refused).toMatchObject([
      {
        severity: 'error',
        code: 'reference-refused',
        file: 'models/deep/a.yaml',
        message: `\${file:${path}} is not looked up: ${why}`,
      },
    ])
  })

  it('without a repository only the directory of the models is read', () => {
    const cwd = workspace({ 'models/a.txt': 'a', 'b.txt': 'b' })
    const resolver = modelResolver(join(cwd, 'models'), { env: {}, cwd })
    expect(resolver.file('a.txt', 'models/a.yaml')).toBe('a')
    expect(resolver.file('../b.txt', 'models/a.yaml')).toBeUndefined()
    mkdirSync(join(cwd, '.git'))
    expect(modelResolver(join(cwd, 'models'), { env: {}, cwd }).file('../b.txt', 'models/a.yaml')).toBe('b')
  })
})

describe('${env:…}', () => {
  it.each(['constructor', 'toString', '__proto__'])('%s is not set only because every object has it', (name) => {
    expect(resolverIn().resolver.env(name)).toBeUndefined()
    expect(resolverIn({ [`${name}_`]: 'set' }).resolver.env(`${name}_`)).toBe('set')
  })

  it('is a variable', () => {
    const { resolver } = resolverIn({ GATEWAY_PASSWORD: 'x' })
    expect(resolver.env('GATEWAY_PASSWORD')).toBe('x')
    expect(resolver.env('ANOTHER')).toBeUndefined()
    expect(resolver.refused).toEqual([])
  })

  it('is otherwise in .env of the working directory, but not in a job', () => {
    expect(resolverIn().resolver.env('TOKEN')).toBe('1')
    expect(resolverIn({ TOKEN: 'set' }).resolver.env('TOKEN')).toBe('set')
    expect(resolverIn({ TOKEN: '' }).resolver.env('TOKEN')).toBe('')
    expect(resolverIn({ CI: 'true' }).resolver.env('TOKEN')).toBeUndefined()
  })

  it('fails, and says why, where .env is there and cannot be read', () => {
    const cwd = workspace({ 'models/a.yaml': '' })
    symlinkSync('.env', join(cwd, '.env'))
    const resolver = modelResolver(join(cwd, 'models'), { env: { SET: 'x' }, cwd })
    expect(resolver.env('SET')).toBe('x')
    expect(() => resolver.env('TOKEN')).toThrow(
      `cannot read ${join(cwd, '.env')}, where \${env:TOKEN} is looked up: its symbolic links lead in a circle; make it readable, or set TOKEN`,
    )
  })

  it('is not set where .env is a directory, as an environment of Python is', () => {
    const cwd = workspace({ 'models/a.yaml': '', '.env/pyvenv.cfg': '' })
    expect(modelResolver(join(cwd, 'models'), { env: {}, cwd }).env('TOKEN')).toBeUndefined()
  })

  it.each([
    'HOLDFAST_TOKEN',
    'HOLDFAST_PASSWORD',
    'HOLDFAST_KEY',
    'GITHUB_TOKEN',
    'CI_JOB_TOKEN',
    'CI_JOB_JWT_V2',
    'CI_REGISTRY_PASSWORD',
    'CI_REPOSITORY_URL',
    'GITLAB_TOKEN',
    'GITEA_TOKEN',
    'BITBUCKET_STEP_OIDC_TOKEN',
    'SYSTEM_ACCESSTOKEN',
    'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
    'DATABASE_URL',
  ])('%s belongs to the command, and no model gets it', (name) => {
    const { resolver } = resolverIn({ [name]: 'secret' })
    expect(resolver.env(name)).toBeUndefined()
    expect(resolver.refused).toMatchObject([{ severity: 'error', code: 'reference-refused' }])
  })
})
