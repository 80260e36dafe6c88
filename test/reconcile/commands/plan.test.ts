import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Plan } from '../../../src/plan/plan.ts'
import { FakePlatform } from '../fake-platform.ts'
import { characteristic, live, models } from '../sample.ts'
import { holdfast } from '../run-command.ts'
import { workspace } from '../workspace.ts'

async function planOf(line: string, cwd: string, platform?: FakePlatform): Promise<Plan> {
  const outcome = await holdfast(`${line} --format json`, { cwd, ...(platform && { platform }) })
  return JSON.parse(outcome.stdout) as Plan
}

describe('plan fills in what only the files can tell', () => {
  const FILES = {
    'models/a.yaml':
      'characteristics:\n  - code: a\n    name: A\n    characteristicType: MEASUREMENT\n    dataType: FLOAT\n',
    'models/deeper/b.json': `{"characteristics":\n  [${JSON.stringify(characteristic('b', { multiple: true }))}]}`,
  }

  it('the place of each change', async () => {
    const { changes } = await planOf(
      'plan',
      workspace(FILES),
      new FakePlatform({ characteristics: [characteristic('c')] }),
    )
    expect(changes.map(({ key, source }) => [key, source])).toEqual([
      ['a', { file: 'models/a.yaml', line: 2, column: 5 }],
      ['b', { file: 'models/deeper/b.json', line: 2, column: 4 }],
      ['c', undefined],
    ])
  })

  it('how many files hold each type', async () => {
    const { scope } = await planOf('plan', workspace(FILES), new FakePlatform())
    expect(scope.filter(({ files }) => files > 0)).toMatchObject([{ type: 'characteristics', files: 2 }])
  })

  it('the place of each finding of the platform', async () => {
    const { diagnostics } = await planOf('plan', workspace(FILES), new FakePlatform())
    expect(diagnostics).toMatchObject([{ code: 'ignored-field', file: 'models/deeper/b.json', line: 2 }])
  })
})

describe('plan reports all errors of one run', () => {
  it('those of the files and those of the records in them, each with its place', async () => {
    const cwd = workspace({
      'models/broken.json': '{"characteristics": [',
      'models/wrong.json': '{"characteristics": [{"code": "a"}]}',
    })
    const { code, stdout, stderr } = await holdfast('plan', { cwd, platform: new FakePlatform() })
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^models\/broken\.json:1:\d+: error /m)
    expect(stderr).toMatch(/^models\/wrong\.json:1:22: error missing-key: /m)
    expect(code).toBe(1)
  })

  it('errors that only the platform finds', async () => {
    const cwd = workspace({
      'models/a.json':
        '{"services": [{"code": "s", "name": "S", "characteristics": [{"code": "gone"}]}], "characteristics": []}',
    })
    const outcome = await holdfast('plan --format json', { cwd, platform: new FakePlatform() })
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      error: {
        code: 'BAD_USER_INPUT',
        message: 'the models have 1 error; nothing was planned',
        details: [{ code: 'dangling-reference', file: 'models/a.json', line: 1 }],
      },
    })
  })

  it('what refers to a record of a broken file is not wrong itself', async () => {
    const cwd = workspace({
      'models/broken.json': '{"characteristics": [{"code": "a"}',
      'models/rest.json':
        '{"services": [{"code": "s", "name": "S", "characteristics": [{"code": "a"}]}], "characteristics": []}',
    })
    expect((await holdfast('plan', { cwd, platform: new FakePlatform() })).stderr).not.toContain('dangling-reference')
  })
})

function user(password: string, status: string): string {
  return JSON.stringify({ machineUsers: [{ username: 'u', password, status }] })
}

describe('plan --against FILE', () => {
  it('plans against an export, and opens no platform', async () => {
    const cwd = workspace({ 'models/a.json': models('a', 'b'), 'live.json': JSON.stringify(live('a', 'c')) })
    const plan = await planOf('plan --against live.json', cwd)
    expect(plan.domain).toBe('offline')
    expect(plan.changes.map(({ action, key }) => `${action} ${key}`)).toEqual(['create b', 'delete c'])
  })

  it('offers no apply', async () => {
    const cwd = workspace({ 'models/a.json': models('a', 'b'), 'live.json': JSON.stringify(live('a')) })
    expect((await holdfast('plan --against live.json', { cwd })).stdout).not.toContain('holdfast apply')
  })

  it('compares no secret', async () => {
    const cwd = workspace({
      'models/a.json': user('${env:U}', 'DEACTIVATED'),
      'same/a.json': user('a literal one', 'ACTIVATED'),
      'live.json': user('${env:U_PASSWORD}', 'ACTIVATED'),
    })
    expect((await planOf('plan --against live.json', cwd)).changes).toMatchObject([
      { action: 'update', secret: 'not compared' },
    ])
    expect((await planOf('plan --models same --against live.json', cwd)).outcome).toBe('no-changes')
  })

  it('refuses a file that is no export, and says where it is wrong', async () => {
    const cwd = workspace({ 'models/a.json': models('a'), 'live.json': '{"characteristics": [{"code": "a"}]}' })
    const { code, stderr } = await holdfast('plan --against live.json', { cwd })
    expect(stderr).toMatch(/^live\.json:1:22: error missing-key: /)
    expect(stderr).toContain('error: --against live.json: it is not an export of a platform')
    expect(code).toBe(1)
  })
})

describe('the last line of a plan is the command that comes next', () => {
  it.each([
    [{}, 'plan', 'holdfast apply'],
    [{}, 'plan --out p.json', 'holdfast apply p.json'],
    [{}, 'plan --models models', 'holdfast apply'],
    [{}, 'plan --data-dir data', 'holdfast apply --data-dir data'],
    [{ npm_lifecycle_event: 'plan', npm_command: 'run-script' }, 'plan', 'npm run apply'],
    [{ npm_lifecycle_event: 'plan', npm_command: 'run-script' }, 'plan --out p.json', 'npm run apply -- p.json'],
  ])('%j %s', async (env, line, next) => {
    const platform = new FakePlatform()
    const { stdout } = await holdfast(line, { cwd: workspace({ 'models/a.json': models('a') }), platform, env })
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(`Apply it: ${next}`)
  })
})

it('a job gets no command to go on with, since its files are gone by then', async () => {
  const cwd = workspace({ 'models/a.json': models('a') })
  const { stdout } = await holdfast('plan --out p.json', { cwd, platform: new FakePlatform(), env: { CI: 'true' } })
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^digest sha256:/)
})

describe('--out', () => {
  it('replaces an older plan and says so, and touches no other file', async () => {
    const cwd = workspace({ 'models/a.json': models('a'), 'notes.md': 'my notes' })
    const run = (file: string) => holdfast(`plan --out ${file}`, { cwd, platform: new FakePlatform() })
    expect((await run('p.json')).stderr).toContain('The plan is in p.json.')
    expect((await run('p.json')).stderr).toContain('The plan is in p.json, in place of an older one.')
    const refused = await run('notes.md')
    expect(refused.stderr).toContain('--out notes.md exists and is no plan; name another file, or remove it')
    expect(refused.code).toBe(1)
    expect(readFileSync(join(cwd, 'notes.md'), 'utf8')).toBe('my notes')
  })
})

describe('colour and progress', () => {
  it('a pipe gets neither', async () => {
    const { stdout, stderr } = await holdfast('plan', {
      cwd: workspace({ 'models/a.json': models('a') }),
      platform: new FakePlatform(),
    })
    expect(stdout).not.toContain('\x1b')
    expect(stderr).toBe('')
  })

  it('a terminal gets both, and no progress stays there', async () => {
    const { stdout, stderr } = await holdfast('plan', {
      cwd: workspace({ 'models/a.json': models('a') }),
      platform: new FakePlatform(),
      isTerminal: true,
    })
    expect(stdout).toContain('\x1b[')
    expect(stderr).toContain('Comparing 1 record …')
    expect(stderr.endsWith('\r\x1b[2K')).toBe(true)
  })

  it('a dumb terminal gets plain lines', async () => {
    const outcome = await holdfast('plan', {
      cwd: workspace({ 'models/a.json': models('a') }),
      platform: new FakePlatform(),
      isTerminal: true,
      env: { TERM: 'dumb' },
    })
    expect(outcome.stdout + outcome.stderr).not.toContain('\x1b')
    expect(outcome.stderr).toBe('Reading models …\nOpening the platform …\nComparing 1 record …\n')
  })
})
