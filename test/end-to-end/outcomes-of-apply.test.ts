import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { characteristic } from '../reconcile/sample.ts'
import { makeSettingSite, SETTING_MODEL } from '../support/setting-site.ts'
import { workspace, writeFiles } from '../reconcile/workspace.ts'
import { applied, BEFORE, characteristics, errorCode, json, runnerOn } from './commands.ts'
import { platform, usePlatform } from './real-platform.ts'

// Each way that an apply can end: what is done is what was reviewed, or nothing.

usePlatform()
beforeEach(() => platform.empty())
const run = runnerOn(() => platform)

describe('apply', () => {
  it.each([
    ['done', characteristics('a', 'b', 'c'), '--yes', 0, 'Applied: 1 record created', 'applied'],
    ['nothing to do', BEFORE, '--yes', 0, 'No changes on ', 'no-changes'],
    ['blocked', '{"characteristics": []}', '--yes', 1, 'empties-type:characteristics: ', 'BLOCKED'],
    [
      'allowed once',
      '{"characteristics": []}',
      '--yes --allow empties-type:characteristics',
      0,
      'Applied: 2 records deleted',
      'applied',
    ],
    ['no terminal', characteristics('c'), '', 1, 'there is no terminal to ask', 'BAD_USER_INPUT'],
    [
      'another digest than expected',
      characteristics('a', 'b', 'c'),
      `--expect sha256:${'0'.repeat(64)}`,
      1,
      'nothing was applied',
      'STALE_PLAN',
    ],
    ['wrong models', '{"characteristics": [{}]}', '--yes', 1, 'nothing was planned', 'BAD_USER_INPUT'],
  ])('%s', async (_, models, options, code, text, verdict) => {
    const inText = await applied(run)
    writeFiles(inText, { 'models/a.json': models })
    const outcome = await run(`apply ${options}`, inText)
    expect(outcome.stdout + outcome.stderr).toContain(text)
    expect(outcome.code).toBe(code)
    await platform.empty()
    const inJson = await applied(run)
    writeFiles(inJson, { 'models/a.json': models })
    const again = await run(`apply ${options} --format json`, inJson)
    expect(json(again)['outcome'] ?? errorCode(again)).toBe(verdict)
    expect(again.code).toBe(code)
  })

  it('declined', async () => {
    const cwd = workspace({ 'models/a.json': BEFORE })
    const outcome = await run('apply', cwd, { answer: 'n' })
    expect(outcome).toMatchObject({ code: 1, questions: ['Apply this plan to domain local on .holdfast? [y/N] '] })
    expect(outcome.stdout).toContain('Nothing was applied.')
    expect(json(await run('history --format json', cwd))).toEqual({ applies: [] })
  })
})

/** A reviewed plan that creates `c`. */
async function planned(): Promise<string> {
  const cwd = await applied(run)
  writeFiles(cwd, { 'models/a.json': characteristics('a', 'b', 'c') })
  expect(await run('plan --out plan.json', cwd)).toMatchObject({ code: 0 })
  return cwd
}

function alterPlan(cwd: string, change: (plan: { [key: string]: unknown }) => void): void {
  const path = join(cwd, 'plan.json')
  const plan = JSON.parse(readFileSync(path, 'utf8')) as { [key: string]: unknown }
  change(plan)
  writeFileSync(path, JSON.stringify(plan))
}

async function codesOf(cwd: string): Promise<readonly unknown[]> {
  const exported = json(await run('export --format json', cwd)) as { characteristics: { code: string }[] }
  return exported.characteristics.map(({ code }) => code)
}

describe('a plan that stored data stops', () => {
  it('says how many points, of how many systems, and which; an apply is refused until that is acknowledged', async () => {
    const site = await makeSettingSite(platform.context)
    await platform.send('/rest/v1/data-points/add', [
      site.element('temperature', 21.5, { timestamp: '2026-03-28T12:00:00Z' }),
      site.element('temperature', 19, { timestamp: '2026-03-28T12:01:00Z' }),
    ])
    const narrowed = SETTING_MODEL.characteristics.map((one) =>
      one.code === 'temperature' ? { ...one, boundaryMax: 20 } : one,
    )
    const model = { ...SETTING_MODEL, characteristics: narrowed }
    const cwd = workspace({ 'models/a.json': JSON.stringify(model) })
    const planned = await run('plan --detailed-exitcode', cwd)
    expect(planned.code).toBe(3)
    expect(planned.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'invalidates-data: boundaryMax is new: at least 1 stored datapoint of 1 system would no longer fit, first 21.5 at 2026-03-28T12:00:00.000Z',
    )
    const refused = await run('apply --yes', cwd)
    expect(refused.code).toBe(1)
    expect(refused.stderr + refused.stdout).toContain('invalidates-data:characteristics/temperature')
    expect(await run('apply --yes --allow invalidates-data:characteristics/temperature', cwd)).toMatchObject({
      code: 0,
    })
  })
})

const renamed = (list: readonly object[]) => list.map((one) => ({ ...one, name: 'Another name' }))

describe('apply PLAN', () => {
  it('done', async () => {
    const cwd = await planned()
    expect(await run('apply plan.json', cwd)).toMatchObject({ code: 0 })
    expect(await codesOf(cwd)).toEqual(['a', 'b', 'c'])
  })

  it('whatever hangs on its records: each kind of it', async () => {
    const site = await makeSettingSite(platform.context)
    await platform.send('/rest/v1/set-points/add', [site.element('target', 21)])
    await platform.send('/rest/v1/data-points/add', [site.element('temperature', 21.5)])
    const { characteristics: all, services, componentModels, organizations } = SETTING_MODEL
    const model = {
      characteristics: renamed(all),
      services: renamed(services),
      componentModels: renamed(componentModels),
      organizations: renamed(organizations),
    }
    const cwd = workspace({ 'models/a.json': JSON.stringify(model) })
    expect(await run('plan --out plan.json', cwd)).toMatchObject({ code: 0 })
    const { changes } = JSON.parse(readFileSync(join(cwd, 'plan.json'), 'utf8')) as { changes: { impact: object }[] }
    const kinds = new Set(changes.flatMap(({ impact }) => Object.keys(impact)))
    expect(kinds).toEqual(new Set(['components', 'datapoints', 'setpoints', 'systems']))
    expect(await run('apply plan.json', cwd)).toMatchObject({ code: 0 })
  })

  it('refuses a plan that is out of date', async () => {
    const cwd = await planned()
    await platform.graphql(
      'mutation Create($input: CharacteristicInput!) { createCharacteristic(input: $input) { uuid } }',
      { input: characteristic('c', { dataType: 'STRING' }) },
    )
    const text = await run('apply plan.json', cwd)
    expect(text).toMatchObject({ code: 1, stdout: '' })
    expect(text.stderr).toContain('characteristics/c')
    const asJson = await run('apply plan.json --format json', cwd)
    expect(asJson.code).toBe(1)
    expect(errorCode(asJson)).toBe('STALE_PLAN')
  })

  it('refuses a plan that somebody has altered, each part of it', async () => {
    const alterations: ((plan: { [key: string]: unknown }) => void)[] = [
      (plan) => (plan['digest'] = `sha256:${'0'.repeat(64)}`),
      (plan) => (plan['changes'] = []),
      (plan) => ((plan['changes'] as { afterDigest: string }[])[0]!.afterDigest = `sha256:${'0'.repeat(64)}`),
      (plan) => ((plan['changes'] as { key: string }[])[0]!.key = 'd'),
      (plan) => (plan['domain'] = 'another'),
    ]
    const cwd = await planned()
    const original = readFileSync(join(cwd, 'plan.json'))
    for (const alter of alterations) {
      writeFileSync(join(cwd, 'plan.json'), original)
      alterPlan(cwd, alter)
      const outcome = await run('apply plan.json', cwd)
      expect(outcome.stderr).toMatch(/^error: /)
      expect(outcome.code).toBe(1)
    }
    expect(await codesOf(cwd)).toEqual(['a', 'b'])
  })

  it('refuses the plan of another document', async () => {
    const cwd = await planned()
    writeFiles(cwd, { 'models/a.json': characteristics('a', 'b', 'c', 'd').replace('"C"', '"Another name"') })
    const outcome = await run('apply plan.json --format json', cwd)
    expect(outcome.code).toBe(1)
    expect(errorCode(outcome)).toBe('STALE_PLAN')
    expect(await codesOf(cwd)).toEqual(['a', 'b'])
  })
})
