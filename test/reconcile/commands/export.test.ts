import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/lib/json.ts'
import type { Plan } from '../../../src/plan/plan.ts'
import { modelArbitrary } from '../../support/random-model.ts'
import { FakePlatform } from '../fake-platform.ts'
import { characteristic, live, models } from '../sample.ts'
import { holdfast } from '../run-command.ts'
import { workspace, writeFiles } from '../workspace.ts'

const TWO_TYPES: JsonObject = { ...live('a'), dataSources: [{ code: 'd', name: 'D' }] }

function user(username: string, password: string) {
  return { username, password }
}

describe('export writes models', () => {
  it('as one YAML document', async () => {
    const { code, stdout } = await holdfast('export', { cwd: workspace(), platform: new FakePlatform(live('a')) })
    expect(stdout).toBe(
      'characteristics:\n  - code: a\n    name: A\n    characteristicType: MEASUREMENT\n    dataType: FLOAT\n',
    )
    expect(code).toBe(0)
  })

  it('as JSON', async () => {
    const { stdout } = await holdfast('export --format json', {
      cwd: workspace(),
      platform: new FakePlatform(live('a')),
    })
    expect(JSON.parse(stdout)).toEqual(live('a'))
  })

  it('into a directory of models that is still empty', async () => {
    const cwd = workspace()
    mkdirSync(join(cwd, 'models'))
    const { code, stdout } = await holdfast('export --out models', { cwd, platform: new FakePlatform(live('a')) })
    expect([code, stdout]).toStrictEqual([0, 'wrote models/characteristics.yaml\n1 written, 0 unchanged\n'])
  })

  it('only into its directory, whatever a platform exports', async () => {
    const cwd = workspace()
    const platform = new FakePlatform({ ...live('a'), '../evil': [] })
    const { code, stderr } = await holdfast('export --out out', { cwd, platform })
    expect([code, stderr]).toStrictEqual([1, expect.stringContaining('exports "../evil", which this version')])
    expect(readdirSync(cwd, { recursive: true }).filter((name) => String(name).endsWith('.yaml'))).toStrictEqual([])
  })

  it('a text that looks like a reference is written so that it is read as text', async () => {
    const document = { characteristics: [characteristic('a', { description: 'costs ${env:PRICE} or $${5}' })] }
    const { stdout } = await holdfast('export --format json', {
      cwd: workspace(),
      platform: new FakePlatform(document),
    })
    const cwd = workspace({ 'models/a.json': stdout })
    const plan = await holdfast('plan --format json', {
      cwd,
      platform: new FakePlatform(document),
      env: { PRICE: '7' },
    })
    expect(JSON.parse(plan.stdout)).toMatchObject({ outcome: 'no-changes' })
  })

  it('secrets are references: those of the models where they describe the record', async () => {
    const platform = new FakePlatform({
      machineUsers: [user('known', '${env:MADE_UP_1}'), user('new', '${env:MADE_UP_2}')],
    })
    const cwd = workspace({
      'models/a.json': JSON.stringify({ machineUsers: [user('known', '${file:../secret.txt}')] }),
    })
    const { stdout } = await holdfast('export --format json', { cwd, platform })
    expect(JSON.parse(stdout)).toEqual({
      machineUsers: [user('known', '${file:../secret.txt}'), user('new', '${env:MADE_UP_2}')],
    })
  })

  it('a plan of an export finds no changes', async () => {
    await fc.assert(
      fc.asyncProperty(modelArbitrary(), async (document) => {
        const platform = new FakePlatform(document)
        const exported = await holdfast('export', { cwd: workspace(), platform })
        const cwd = workspace({ 'models/all.yaml': exported.stdout })
        const { stdout } = await holdfast('plan --format json', { cwd, platform })
        const plan = JSON.parse(stdout) as Plan
        expect(plan.changes).toEqual([])
        expect(plan.outcome).toBe('no-changes')
      }),
      {
        numRuns: 40,
        examples: [
          [
            {
              characteristics: [
                characteristic('yes'),
                characteristic('0x1F'),
                characteristic('2026-01-01'),
                characteristic('8e763569'),
              ],
            },
          ],
        ],
      },
    )
  })
})

describe('export --out DIR', () => {
  it('writes one file for each record type, each marked as an export', async () => {
    const cwd = workspace()
    const outcome = await holdfast('export --out out', { cwd, platform: new FakePlatform(TWO_TYPES) })
    expect(outcome).toMatchObject({
      code: 0,
      stdout: 'wrote out/characteristics.yaml\nwrote out/dataSources.yaml\n2 written, 0 unchanged\n',
    })
    expect(readdirSync(join(cwd, 'out')).sort()).toEqual(['characteristics.yaml', 'dataSources.yaml'])
    expect(readFileSync(join(cwd, 'out/dataSources.yaml'), 'utf8')).toBe(
      '# Written by "holdfast export". The next export into this directory writes it again.\n\ndataSources:\n  - code: d\n    name: D\n',
    )
    const plan = await holdfast('plan --models out', { cwd, platform: new FakePlatform(TWO_TYPES) })
    expect(plan.stdout).toContain('No changes')
  })

  it('writes only what differs', async () => {
    const cwd = workspace()
    const platform = new FakePlatform(TWO_TYPES)
    await holdfast('export --out out', { cwd, platform })
    const before = statSync(join(cwd, 'out/dataSources.yaml'), { bigint: true }).mtimeNs
    platform.live = { ...TWO_TYPES, ...live('a', 'b') }
    const again = await holdfast('export --out out', { cwd, platform })
    expect(again.stdout).toBe('wrote out/characteristics.yaml\n1 written, 1 unchanged\n')
    expect(statSync(join(cwd, 'out/dataSources.yaml'), { bigint: true }).mtimeNs).toBe(before)
  })

  it('leaves what people wrote alone', async () => {
    const mine = models('mine')
    const cwd = workspace({ 'models/mine.json': mine, 'models/characteristics.yaml': 'characteristics: []\n' })
    const outcome = await holdfast('export --out models', { cwd, platform: new FakePlatform(TWO_TYPES) })
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(outcome.stderr).toContain('models holds model files that no export wrote: characteristics.yaml, mine.json')
    expect(readFileSync(join(cwd, 'models/characteristics.yaml'), 'utf8')).toBe('characteristics: []\n')
  })

  it('does not describe again what lies in folders below', async () => {
    const cwd = workspace({ 'models/site/mine.json': models('mine'), 'models/.git/x.json': '{}' })
    const outcome = await holdfast('export --out models', { cwd, platform: new FakePlatform(TWO_TYPES) })
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(outcome.stderr).toContain('models holds model files that no export wrote: site/mine.json;')
  })

  it('does not remove a file of an earlier export, but says that it is left', async () => {
    const cwd = workspace()
    await holdfast('export --out out', { cwd, platform: new FakePlatform(TWO_TYPES) })
    const outcome = await holdfast('export --out out', { cwd, platform: new FakePlatform(live('a')) })
    expect(outcome.stderr).toContain('warning: out/dataSources.yaml is from an earlier export and was left as it is')
    expect(readdirSync(join(cwd, 'out')).sort()).toEqual(['characteristics.yaml', 'dataSources.yaml'])
  })

  it('stands beside a holdfast.yaml', async () => {
    const cwd = workspace()
    writeFiles(cwd, { 'out/holdfast.yaml': 'protect: []\n' })
    expect(await holdfast('export --out out', { cwd, platform: new FakePlatform(live('a')) })).toMatchObject({
      code: 0,
    })
  })

  it('is for YAML only', async () => {
    const outcome = await holdfast('export --out out --format json', { cwd: workspace(), platform: new FakePlatform() })
    expect(JSON.parse(outcome.stdout)).toMatchObject({ error: { code: 'BAD_USER_INPUT' } })
    expect(outcome.code).toBe(1)
  })
})
