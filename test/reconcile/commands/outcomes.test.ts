import { describe, expect, it } from 'vitest'
import { FakePlatform, failure } from '../fake-platform.ts'
import { live, models } from '../sample.ts'
import { holdfast } from '../run-command.ts'
import { workspace } from '../workspace.ts'

// For every command and outcome: the exit code, what the text says and what the JSON says must agree.

const ONE_MORE = models('a', 'b')
const SAME = models('a')
const INVALID = '{"characteristics": [{"code": "a"}]}'
/** Six deletes of six are more than anybody does by accident. */
const MANY = ['a', 'b', 'c', 'd', 'e', 'f']
const EMPTIED = '{"characteristics": []}'
const BROKEN = '{"characteristics": ['
/** The organization goes, and a user who stays belongs to it. */
const UNDELETABLE = `{${SAME.slice(1, -1)}, "organizations": []}`

/** Nothing but characteristics was ever managed here. */
function platformWith(codes: readonly string[]): FakePlatform {
  const organizations = [{ name: 'Lindenhof', alias: 'lindenhof' }]
  const users = [{ email: 'ada@example.org', organization: { alias: 'lindenhof' } }]
  const platform = new FakePlatform({ ...live(...codes), organizations, users })
  platform.neverManaged = ['organizations', 'users']
  return platform
}

function jsonVerdict(stdout: string): string {
  const result = JSON.parse(stdout) as {
    error?: { code: string }
    outcome?: string
    diagnostics?: { severity: string }[]
  }
  if (result.error !== undefined) return result.error.code
  return result.outcome ?? (result.diagnostics?.some(({ severity }) => severity === 'error') ? 'errors' : 'valid')
}

function refusingPlatform(): FakePlatform {
  const platform = new FakePlatform()
  for (const operation of ['planImport', 'importDocument', 'applies']) {
    platform.next(operation, () => failure('FORBIDDEN', 'operator may not do this'))
  }
  return platform
}

describe.each([
  ['validate', 'valid models', SAME, ['a'], 0, 'The models are valid.', 'valid'],
  ['validate', 'models with errors', INVALID, ['a'], 1, 'The models are not valid: ', 'errors'],
  ['validate', 'a file that cannot be read as JSON', BROKEN, ['a'], 1, '1 error', 'errors'],
  ['plan', 'no changes', SAME, ['a'], 0, 'No changes', 'no-changes'],
  ['plan', 'changes', ONE_MORE, ['a'], 0, '1 to create', 'changes'],
  ['plan', 'blocked', EMPTIED, MANY, 0, 'empties-type', 'blocked'],
  ['plan', 'wrong models', INVALID, ['a'], 1, 'nothing was planned', 'BAD_USER_INPUT'],
  ['plan --detailed-exitcode', 'no changes', SAME, ['a'], 0, 'No changes', 'no-changes'],
  ['plan --detailed-exitcode', 'changes', ONE_MORE, ['a'], 2, '1 to create', 'changes'],
  ['plan --detailed-exitcode', 'blocked', EMPTIED, MANY, 3, 'empties-type', 'blocked'],
  ['plan --detailed-exitcode', 'wrong models', INVALID, ['a'], 1, 'nothing was planned', 'BAD_USER_INPUT'],
  [
    'plan --detailed-exitcode',
    'a deletion that others stand against',
    UNDELETABLE,
    ['a'],
    1,
    'still-referenced',
    'blocked',
  ],
  ['apply --yes', 'no changes', SAME, ['a'], 0, 'No changes', 'no-changes'],
  ['apply --yes', 'changes', ONE_MORE, ['a'], 0, 'Applied: 1 record created', 'applied'],
  ['apply --yes', 'blocked', EMPTIED, MANY, 1, 'nothing was applied', 'BLOCKED'],
  ['apply --yes', 'wrong models', INVALID, ['a'], 1, 'nothing was planned', 'BAD_USER_INPUT'],
  ['apply --yes', 'a deletion that others stand against', UNDELETABLE, ['a'], 1, 'still-referenced', 'BAD_USER_INPUT'],
] as const)('%s: %s', (command, _, model, codes, code, text, json) => {
  const session = () => ({
    cwd: workspace({ 'models/a.json': model }),
    platform: platformWith(codes),
  })

  it('in text', async () => {
    const outcome = await holdfast(command, session())
    expect(outcome.stdout + outcome.stderr).toContain(text)
    expect(outcome.code).toBe(code)
  })

  it('in JSON', async () => {
    const outcome = await holdfast(`${command} --format json`, session())
    expect(jsonVerdict(outcome.stdout)).toBe(json)
    expect(outcome.code).toBe(code)
  })
})

describe('in Markdown, for the comment on a pull request', () => {
  it.each([
    ['validate', INVALID, 1, 'The models are not valid: '],
    ['plan', ONE_MORE, 0, '1 to create'],
    ['apply --yes', ONE_MORE, 0, 'Applied: 1 record created'],
  ])('%s', async (command, model, code, text) => {
    const session = { cwd: workspace({ 'models/a.json': model }), platform: platformWith(['a']) }
    const outcome = await holdfast(`${command} --format markdown`, session)
    expect(outcome.stdout).toContain(text)
    expect(outcome.code).toBe(code)
  })

  it('plan, where there is none', async () => {
    const invalid = await holdfast('plan --format markdown', { cwd: workspace({ 'models/a.json': '[' }) })
    expect(invalid.stdout).toMatch(
      /^### ❌ Not planned: \d+ errors?\n[^]*\n- \*\*error\*\* `[\w-]+` `models\/a\.json:1:\d+`: /,
    )
    expect(invalid.stderr).toContain('nothing was planned')
    const session = { cwd: workspace({ 'models/a.json': SAME }), platform: refusingPlatform() }
    const refused = await holdfast('plan --format markdown', session)
    expect(refused).toMatchObject({ code: 1, stdout: '### ❌ Not planned\n\n```text\noperator may not do this\n```\n' })
  })

  it('no text of a model can end the block that the findings stand in', async () => {
    const model = JSON.stringify({ characteristics: [{ '```\n# forged': 1 }] })
    const { stdout } = await holdfast('validate --format markdown', { cwd: workspace({ 'models/a.json': model }) })
    expect(stdout.match(/^`+/gm)).toEqual(['````', '````'])
    expect(stdout).not.toMatch(/^# forged/m)
  })
})

describe('errors of the platform', () => {
  it.each(['plan', 'apply --yes', 'export', 'history', 'rollback --yes'])(
    '%s: exit 1, message and trace-id',
    async (command) => {
      const files = { 'models/a.json': SAME }
      const text = await holdfast(command, { cwd: workspace(files), platform: refusingPlatform() })
      expect(text).toMatchObject({
        code: 1,
        stdout: '',
        stderr: 'error: operator may not do this\n  trace-id 4bf92f3577b34da6a3ce929d0e0e4736\n',
      })
      const json = await holdfast(`${command} --format json`, { cwd: workspace(files), platform: refusingPlatform() })
      expect(json).toMatchObject({ code: 1, stderr: '' })
      expect(JSON.parse(json.stdout)).toEqual({
        error: {
          code: 'FORBIDDEN',
          message: 'operator may not do this',
          details: [],
          traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
        },
      })
    },
  )

  it.each(['plan', 'export', 'history', 'rollback --yes'])('%s: a platform that does not answer', async (command) => {
    const outcome = await holdfast(`${command} --url http://localhost:1`, {
      cwd: workspace({ 'models/a.json': SAME }),
      env: { HOLDFAST_TOKEN: 'token' },
    })
    expect(outcome.code).toBe(1)
    expect(outcome.stderr).toBe(
      'error: no answer from http://localhost:1/: nothing listens there; check the address and that the platform is running\n',
    )
  })
})
