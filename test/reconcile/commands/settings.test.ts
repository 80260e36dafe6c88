import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Plan } from '../../../src/plan/plan.ts'
import { loadSettings } from '../../../src/reconcile/models/models.ts'
import { NO_SETTINGS } from '../../../src/records/settings.ts'
import { FakePlatform, failure } from '../fake-platform.ts'
import { characteristic, models } from '../sample.ts'
import { holdfast } from '../run-command.ts'
import { workspace } from '../workspace.ts'

// What holdfast.yaml says must hold for the records that are meant, or the plan says where it does not.

const ANNA = { email: 'anna@x.ch' }
const users = (...list: readonly object[]) => JSON.stringify({ users: list })

async function plan(live: object, model: string, settings: string, words = '') {
  const cwd = workspace({ 'models/a.json': model, 'models/holdfast.yaml': settings })
  const platform = new FakePlatform(live as FakePlatform['live'])
  const { stdout } = await holdfast(`plan --format json ${words}`, { cwd, platform })
  const made = JSON.parse(stdout) as Plan
  const text = (await holdfast(`plan ${words}`, { cwd, platform })).stdout
  return { cwd, platform, made, text }
}

const findings = ({ diagnostics }: Plan) =>
  diagnostics.map(({ severity, code, file, line, column }) => `${severity} ${code} ${file}:${line}:${column}`)

test('a holdfast.yaml that cannot be read stops a rollback, with its name and the reason', async () => {
  const cwd = workspace({ 'models/a.yaml': '' })
  symlinkSync('nowhere', join(cwd, 'models/holdfast.yaml'))
  const { code, stderr } = await holdfast('rollback --yes', { cwd, platform: new FakePlatform({}) })
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('models/holdfast.yaml:1:1: error unreadable-file: it cannot be read: it does not exist'),
  ])
})

const read = (files: Record<string, string>) => loadSettings('models', { cwd: workspace(files), env: {} })

const linked = (files: Record<string, string>) => {
  const cwd = workspace(files)
  symlinkSync('nowhere', join(cwd, 'models/site'))
  return loadSettings('models', { cwd, env: {} }).protect
}

describe('a rollback reads the holdfast.yaml that the plan reads', () => {
  const OURS = 'protect: [{ type: users, key: a@x.ch }]\n'

  test.each(['models/holdfast.yaml', 'models/site/holdfast.yaml'])('%s', (path) => {
    // A broken model file must not stop a rollback.
    expect(read({ [path]: OURS, 'models/a.yaml': '{' }).protect).toEqual([{ type: 'users', key: 'a@x.ch' }])
  })

  test.each([{ 'a.yaml': '' }, { 'models/a.txt': '' }, { 'models/a.yaml': '{' }])('none in %j', (files) => {
    expect(read(files)).toEqual(NO_SETTINGS)
  })

  test('two of them', () => {
    expect(() => read({ 'models/holdfast.yaml': OURS, 'models/b/holdfast.yaml': OURS })).toThrow('the models have')
  })

  test('a link to a directory that leads nowhere stops the rollback only if it may hold the settings', () => {
    expect(linked({ 'models/holdfast.yaml': OURS })).toHaveLength(1)
    expect(() => linked({ 'models/a.yaml': '' })).toThrow('the models have')
  })
})

describe('an e-mail address in capitals is the address of the user', () => {
  test('protect', async () => {
    const settings = 'protect:\n  - { type: users, key: Anna@X.ch }\n'
    const { made } = await plan({ users: [ANNA] }, users({ email: 'b@x.ch' }), settings)
    const deletion = made.changes.find(({ action }) => action === 'delete')
    expect(deletion?.guards.map(({ code }) => code)).toEqual(['protected'])
    expect(made.outcome).toBe('blocked')
    expect(findings(made)).toEqual([])
  })

  test.each([
    ['acknowledge', '  - { code: protected, type: users, key: ANNA@x.ch }\n', ''],
    ['--allow', '', '--allow protected:users/ANNA@x.ch'],
  ])('%s', async (_, entry, words) => {
    const settings = `protect:\n  - { type: users, key: anna@x.ch }\nacknowledge: ${entry === '' ? '[]' : ''}\n${entry}`
    const { made } = await plan({ users: [ANNA] }, users({ email: 'b@x.ch' }), settings, words)
    expect(made.outcome).toBe('changes')
  })

  test('moved', async () => {
    const settings = 'moved:\n  - { type: users, from: ANNA@X.ch, to: Beate@x.ch }\n'
    const { made } = await plan({ users: [ANNA] }, users({ email: 'beate@x.ch' }), settings)
    expect(made.changes.map(({ action, key, from }) => ({ action, key, from }))).toEqual([
      { action: 'move', key: 'beate@x.ch', from: 'anna@x.ch' },
    ])
    expect(findings(made)).toEqual([])
  })
})

const live = (...codes: readonly string[]) => ({ characteristics: codes.map((code) => characteristic(code)) })

describe('an entry that stands for nothing is a finding with its line', () => {
  test.each([
    [
      'protect',
      'protect: [{ type: characteristics, key: heatng }]',
      'warning unmatched-protection',
      'Did you mean "heating"?',
    ],
    [
      'moved',
      'moved: [{ type: characteristics, from: heatng, to: warmth }]',
      'warning meaningless-move',
      'neither key exists',
    ],
    [
      'moved to a key that is described',
      'moved: [{ type: characteristics, from: heatng, to: flow }]',
      'warning meaningless-move',
      'heatng is not on the platform, so flow is created. Did you mean "heating"?',
    ],
    [
      'acknowledge',
      'acknowledge: [{ code: deletes-data, type: characteristics, key: heatng }]',
      'warning unused-acknowledgement',
      'deletes-data for characteristics/heatng',
    ],
    [
      'a ring',
      'moved: [{ type: characteristics, from: heating, to: flow }, { type: characteristics, from: flow, to: heating }]',
      'error impossible-move',
      'ring',
    ],
  ])('%s', async (name, settings, finding, says) => {
    const ring = name === 'a ring'
    const { made, text } = await plan(
      live('heating', ...(ring ? ['flow'] : [])),
      models('flow'),
      `# ours\n${settings}\n`,
    )
    const place = `models/holdfast.yaml:2:${settings.indexOf('{') + 1}`
    expect(findings(made)).toContain(`${finding} ${place}`)
    const found = made.diagnostics.find(({ code }) => finding.endsWith(code))
    expect(found?.message).toContain(says)
    expect(text).toContain(`${place}: `)
  })

  test('but a move that is done is none, nor is one on a platform that never had the record', async () => {
    const settings = 'moved: [{ type: characteristics, from: heating, to: flow }]'
    for (const there of [live('flow'), live()]) {
      expect(findings((await plan(there, models('flow'), settings)).made)).toEqual([])
    }
  })

  test('what --allow adds for once stands in no line of the file', async () => {
    const settings = 'acknowledge:\n  - { code: protected, type: characteristics, key: a }\n'
    const { made } = await plan(live('a'), models('a'), settings, '--allow deletes-data:characteristics/a')
    expect(made.diagnostics.map(({ line }) => line)).toEqual([undefined, 2])
  })

  test('also as an annotation on a pull request, and in markdown', async () => {
    const cwd = workspace({
      'models/a.json': models('flow'),
      'models/holdfast.yaml': 'protect:\n  - { type: characteristics, key: heatng }\n',
    })
    const platform = new FakePlatform(live('heating', 'flow'))
    const { stdout } = await holdfast('plan --format markdown', { cwd, platform })
    expect(stdout).toContain('models/holdfast.yaml:2')
  })
})

describe('an entry of moved whose keys are both on the platform', () => {
  const settings = 'moved:\n  - { type: characteristics, from: temp, to: room }\n'

  test('says what is deleted instead', async () => {
    const services = [{ code: 'climate', name: 'Climate' }]
    const links = ['temp', 'room'].map((code) => ({ characteristicCode: code, serviceCode: 'climate' }))
    const temp = characteristic('temp', { metadataKeyValueStore: [{ key: 'k', value: 'v' }] })
    const there = { characteristics: [temp, characteristic('room')], services, characteristicServiceLinks: links }
    const model = JSON.stringify({ ...live('room'), services })
    const { made } = await plan(there, model, settings)
    expect(findings(made)).toContain('warning move-in-vain models/holdfast.yaml:2:5')
    expect(made.diagnostics.find(({ code }) => code === 'move-in-vain')?.message).toBe(
      'moved characteristics: temp → room: both are on the platform, so nothing is moved; temp is deleted, with its metadata and 1 characteristicServiceLinks; if temp is to become room, delete room first, apply, and then move it',
    )
  })

  test('says so where both stay', async () => {
    const { made } = await plan(live('temp', 'room'), models('temp', 'room'), settings)
    expect(made.diagnostics).toMatchObject([{ code: 'move-in-vain', severity: 'warning' }])
    expect(made.outcome).toBe('no-changes')
  })
})

const entry = (from: string, to: string) => `  - { type: characteristics, from: ${from}, to: ${to} }\n`

test('a chain whose middle this platform never saw says how it is written', async () => {
  const chain = await plan(live('a'), models('c'), `moved:\n${entry('a', 'b')}${entry('b', 'c')}`)
  const finding = chain.made.diagnostics.find(({ code }) => code === 'impossible-move')
  expect(finding?.message).toContain('write a → c here')
  const direct = await plan(live('a'), models('c'), `moved:\n${entry('a', 'c')}${entry('b', 'c')}`)
  expect(direct.made).toMatchObject({ outcome: 'changes', summary: { move: 1 }, diagnostics: [] })
})

test('what the platform finds when a reviewed plan is applied has its place too', async () => {
  const cwd = workspace({ 'models/a.json': models('a'), 'models/holdfast.yaml': `moved:\n${entry('b', 'a')}` })
  const platform = new FakePlatform(live())
  await holdfast('plan --out plan.json', { cwd, platform })
  const found = { severity: 'error', code: 'impossible-move', message: 'no', pointer: '/moved/0' }
  platform.next('applyImport', () => failure('BLOCKED', 'the apply is blocked', [found]))
  const { stderr } = await holdfast('apply plan.json', { cwd, platform })
  expect(stderr).toContain('models/holdfast.yaml:2:5: error impossible-move: no')
})

const machine = (username: string, name: string) => `  - username: ${username}\n    password: \${env:${name}}\n`

test('each secret that stops an apply is named with its place and its variable', async () => {
  const text = `machineUsers:\n${machine('gateway', 'GATEWAY_PASSWORD')}${machine('boiler', 'BOILER_PASSWORD')}`
  const cwd = workspace({ 'models/a.yaml': text })
  const platform = new FakePlatform({})
  const missing = ['gateway', 'boiler'].map((key) => ({
    code: 'secret-not-resolved',
    type: 'machineUsers',
    key,
    message: 'the password is a reference that is not resolved',
  }))
  platform.next('applyImport', () => failure('BLOCKED', 'the apply is blocked', missing))
  const { stderr } = await holdfast('apply --yes', { cwd, platform })
  for (const [line, key, name] of [
    [3, 'gateway', 'GATEWAY_PASSWORD'],
    [5, 'boiler', 'BOILER_PASSWORD'],
  ] as const)
    expect(stderr).toContain(
      `models/a.yaml:${line}:5: error secret-not-resolved: machineUsers/${key}: \${env:${name}} cannot be resolved; set the environment variable ${name} before the apply.`,
    )
})
