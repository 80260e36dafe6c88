import { beforeEach, describe, expect, it } from 'vitest'
import { workspace, writeFiles } from '../reconcile/workspace.ts'
import { applied, BEFORE, characteristics, errorCode, json, runnerOn } from './commands.ts'
import { platform, usePlatform } from './real-platform.ts'

// For every command and each way it can end: exit code, text and JSON say the same. Against the platform itself.

const FORMATS = ['text', 'json', 'markdown'] as const

usePlatform()
beforeEach(() => platform.empty())
const run = runnerOn(() => platform)

describe('validate', () => {
  const literal = { name: 'P', slug: 'p', secret: 'd2JmL4TqZ8nXw0Rv7Ks1Py5U', grantTypes: ['PASSWORD'] }
  it.each([
    ['valid models', BEFORE, 0, 'The models are valid.', []],
    [
      'warnings',
      JSON.stringify({ applicationConsumers: [literal] }),
      0,
      'The models are valid, with 1 warning.',
      ['warning'],
    ],
    [
      'errors',
      '{"characteristics": [{"code": "a"}]}',
      1,
      'The models are not valid: 3 errors',
      ['error', 'error', 'error'],
    ],
  ])('%s', async (_, models, code, verdict, severities) => {
    const cwd = workspace({ 'models/a.json': models })
    const [text, asJson, markdown] = await Promise.all(FORMATS.map((format) => run(`validate --format ${format}`, cwd)))
    expect([text?.code, asJson?.code, markdown?.code]).toEqual([code, code, code])
    expect(text?.stdout).toContain(verdict)
    expect(text?.stderr).toBe('')
    expect(markdown?.stdout).toContain(verdict)
    const found = JSON.parse(asJson?.stdout ?? '') as { diagnostics: { severity: string }[] }
    expect(found.diagnostics.map(({ severity }) => severity)).toEqual(severities)
  })
})

describe('plan', () => {
  it.each([
    ['no-changes', BEFORE, 'No changes on ', 0],
    ['changes', characteristics('a', 'b', 'c'), 'Plan: 1 to create', 2],
    ['blocked', '{"characteristics": []}', 'Plan is blocked: 1 guard needs acknowledgement', 3],
  ])('%s', async (outcome, models, verdict, detailed) => {
    const cwd = await applied(run)
    writeFiles(cwd, { 'models/a.json': models })
    for (const format of FORMATS) {
      const plain = await run(`plan --format ${format}`, cwd)
      const detail = await run(`plan --detailed-exitcode --format ${format}`, cwd)
      expect([plain.code, detail.code]).toEqual([0, detailed])
      expect(detail.stdout).toBe(plain.stdout)
      expect(plain.stdout).toContain(format === 'json' ? `"outcome": "${outcome}"` : verdict)
    }
  })

  it.each([
    ['wrong models', 'plan', '{"characteristics": [{}]}', {}, 'BAD_USER_INPUT', 'nothing was planned'],
    [
      'unreachable',
      'plan --url http://127.0.0.1:1',
      BEFORE,
      { HOLDFAST_TOKEN: 't' },
      'UNAVAILABLE',
      'nothing listens there',
    ],
    ['no credential', 'plan --url http://127.0.0.1:1', BEFORE, {}, 'UNAUTHENTICATED', 'set HOLDFAST_TOKEN'],
  ])('error: %s', async (_, line, models, env, code, message) => {
    const cwd = workspace({ 'models/a.json': models })
    for (const flag of ['', ' --detailed-exitcode']) {
      const [text, asJson, markdown] = await Promise.all(
        FORMATS.map((format) => run(`${line}${flag} --format ${format}`, cwd, { env })),
      )
      expect([text?.code, asJson?.code, markdown?.code]).toEqual([1, 1, 1])
      expect(text).toMatchObject({ stdout: '', stderr: expect.stringContaining(message) })
      const failure = expect.stringMatching(/^### ❌ Not planned/)
      expect(markdown).toMatchObject({ stdout: failure, stderr: expect.stringContaining(message) })
      expect(asJson === undefined ? undefined : errorCode(asJson)).toBe(code)
    }
  })

  it('an error that only the platform can find is in the plan, with its place', async () => {
    const dangling = '{"characteristicServiceLinks": [{"characteristicCode": "x", "serviceCode": "y"}]}'
    const cwd = workspace({ 'models/a.json': dangling })
    for (const flag of ['', '--detailed-exitcode ']) {
      const text = await run(`plan ${flag}`, cwd)
      expect(text.stdout).toMatch(/^Plan is blocked: 2 errors /)
      expect(text.stdout).toContain('models/a.json:1:34: error dangling-reference: ')
      const asJson = await run(`plan ${flag}--format json`, cwd)
      expect(json(asJson)['outcome']).toBe('blocked')
      expect([text.code, asJson.code]).toEqual([1, 1])
    }
  })

  it('a refused credential', async () => {
    const wrong = { ...platform.parts, openEmbedded: wrongToken }
    const cwd = workspace({ 'models/a.json': BEFORE })
    const text = await run('plan', cwd, { parts: wrong })
    expect(text).toMatchObject({ code: 1, stdout: '' })
    expect(errorCode(await run('plan --format json', cwd, { parts: wrong }))).toBe('UNAUTHENTICATED')
  })
})

async function wrongToken(options: { dataDir: string; env: object }) {
  const embedded = await platform.parts.openEmbedded?.({ ...options, env: {} })
  if (embedded === undefined) throw new Error('there is no embedded platform')
  return { ...embedded, token: 'another-token-than-the-right-one' }
}

describe('rollback', () => {
  it('done', async () => {
    const cwd = await applied(run)
    writeFiles(cwd, { 'models/a.json': characteristics('a', 'b', 'c') })
    await run('apply --yes', cwd)
    const outcome = await run('rollback --yes --format json', cwd)
    expect(json(outcome)['outcome']).toBe('applied')
    expect(outcome.code).toBe(0)
    const plan = json(await run('plan --format json', cwd))
    expect(plan['summary']).toMatchObject({ create: 1, delete: 0, update: 0 })
  })

  it.each([
    [
      'an apply that nobody knows',
      'rollback 00000000-0000-4000-8000-000000000000 --yes',
      'NOT_FOUND',
      'there is no apply 0000',
    ],
    ['no uuid', 'rollback yesterday --yes', 'BAD_USER_INPUT', '"yesterday" names no apply; give the UUID'],
    ['nothing was ever applied', 'rollback --yes', 'NOT_FOUND', 'nothing was ever applied here'],
    ['nobody is asked', 'rollback', 'BAD_USER_INPUT', 'there is no terminal to ask'],
  ])('%s', async (_, line, code, message) => {
    const text = await run(line, workspace())
    expect(text).toMatchObject({ code: 1, stdout: '' })
    expect(text.stderr).toContain(message)
    expect(errorCode(await run(`${line} --format json`, workspace()))).toBe(code)
  })

  it('blocked where it would delete many', async () => {
    const codes = Array.from({ length: 10 }, (_, index) => `c${index}`)
    const cwd = await applied(run, characteristics(...codes))
    const text = await run('rollback --yes', cwd)
    expect(text.stdout).toContain('Plan is blocked')
    expect(text.stderr).toContain('mass-delete:characteristics: ')
    const asJson = await run('rollback --yes --format json', cwd)
    expect([text.code, asJson.code]).toEqual([1, 1])
    expect(errorCode(asJson)).toBe('BLOCKED')
    expect(await run('rollback --yes --allow mass-delete:characteristics', cwd)).toMatchObject({ code: 0 })
  })
})

describe('export', () => {
  it('to standard output, in two formats of one document', async () => {
    const cwd = await applied(run)
    const asJson = json(await run('export --format json', cwd)) as { characteristics: { code: string }[] }
    expect(asJson.characteristics.map(({ code }) => code)).toEqual(['a', 'b'])
    const yaml = await run('export', cwd)
    expect(yaml).toMatchObject({ code: 0, stderr: '' })
    writeFiles(cwd, { 'models/a.json': '{}', 'models/b.yaml': yaml.stdout })
    expect(await run('plan --detailed-exitcode', cwd)).toMatchObject({ code: 0 })
  })

  it('into a directory, but not among files of somebody else', async () => {
    const cwd = await applied(run)
    expect(await run('export --out exported', cwd)).toMatchObject({ code: 0 })
    expect(await run('plan --detailed-exitcode --models exported', cwd)).toMatchObject({ code: 0 })
    const refused = await run('export --out models', cwd)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('model files that no export wrote: a.json')
  })
})

describe('history', () => {
  it('is empty, has one, does not know one', async () => {
    const cwd = workspace({ 'models/a.json': BEFORE })
    expect(await run('history', cwd)).toMatchObject({ code: 0 })
    expect(json(await run('history --format json', cwd))).toEqual({ applies: [] })
    await run('apply --yes', cwd)
    const [apply] = json(await run('history --format json', cwd))['applies'] as { uuid: string }[]
    for (const format of FORMATS) {
      const list = await run(`history --format ${format}`, cwd)
      const one = await run(`history ${apply?.uuid} --format ${format}`, cwd)
      expect([list.code, one.code]).toEqual([0, 0])
      expect(list.stdout).toContain(apply?.uuid)
      expect(one.stdout).toContain('a')
    }
    const unknown = 'history 00000000-0000-4000-8000-000000000000'
    expect((await run(unknown, cwd)).stderr).toContain('"history" lists them')
    expect(errorCode(await run(`${unknown} --format json`, cwd))).toBe('NOT_FOUND')
  })
})

describe('doctor', () => {
  it.each([
    ['all is well', 'doctor', BEFORE, 0, true],
    ['wrong models', 'doctor', '{', 1, false],
    ['a data directory that is a file', 'doctor --data-dir models/a.json', BEFORE, 1, false],
    ['no platform', 'doctor --url http://127.0.0.1:1', BEFORE, 1, false],
  ])('%s', async (_, line, models, code, isWell) => {
    const cwd = workspace({ 'models/a.json': models })
    const text = await run(line, cwd)
    expect(/^problem /m.test(text.stdout)).toBe(!isWell)
    const asJson = await run(`${line} --format json`, cwd)
    const { checks } = json(asJson) as unknown as { checks: { ok: boolean }[] }
    expect(checks.every(({ ok }) => ok)).toBe(isWell)
    expect([text.code, asJson.code]).toEqual([code, code])
  })
})

describe('a command line that is none', () => {
  it.each([
    ['frobnicate', 'frobnicate'],
    ['plan --formt', 'Did you mean --format?'],
    ['plan --format xml', 'text, json, markdown'],
    ['plan now', 'now'],
    ['apply --allow deletes:characteristics/a --yes', 'The guards are deletes-data, '],
  ])('%s', async (line, message) => {
    const outcome = await run(line, workspace({ 'models/a.json': BEFORE }))
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(outcome.stderr).toContain(message)
  })
})
