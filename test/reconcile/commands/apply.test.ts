import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Plan } from '../../../src/plan/plan.ts'
import { FakePlatform, failure } from '../fake-platform.ts'
import { live, models } from '../sample.ts'
import { holdfast } from '../run-command.ts'
import { workspace, writeFiles } from '../workspace.ts'

const FILES = { 'models/a.json': models('a', 'b') }

describe('apply asks the person at the terminal', () => {
  it.each([
    ['y', 0, true],
    ['YES', 0, true],
    ['', 1, false],
    ['n', 1, false],
    ['yes please', 1, false],
  ])('answer %j: exit %i', async (answer, code, isApplied) => {
    const platform = new FakePlatform(live('a'))
    const outcome = await holdfast('apply', { cwd: workspace(FILES), platform, answer })
    expect(outcome.questions).toEqual(['Apply this plan to domain local on .holdfast? [y/N] '])
    expect(outcome.code).toBe(code)
    expect(platform.live).toEqual(isApplied ? live('a', 'b') : live('a'))
    expect(outcome.stdout).toContain('1 to create')
    expect(outcome.stdout).toContain(isApplied ? 'Applied: 1 record created' : 'Nothing was applied.')
  })

  it('in JSON the question comes with the plan on stderr, and stdout is one document', async () => {
    const platform = new FakePlatform(live('a'))
    const outcome = await holdfast('apply --format json', { cwd: workspace(FILES), platform, answer: 'n' })
    expect(outcome.stderr).toContain('1 to create')
    expect(JSON.parse(outcome.stdout)).toMatchObject({ outcome: 'declined', apply: null, plan: { outcome: 'changes' } })
    expect(outcome.code).toBe(1)
  })

  it('asks nothing where there is nothing to do, or what is to be done is refused', async () => {
    const nothing = await holdfast('apply', {
      cwd: workspace(FILES),
      platform: new FakePlatform(live('a', 'b')),
      answer: 'y',
    })
    expect(nothing).toMatchObject({ code: 0, questions: [] })
    const refused = {
      cwd: workspace({ 'models/a.json': '{"characteristics": []}' }),
      platform: new FakePlatform(live('a')),
      answer: 'y',
    }
    expect(await holdfast('apply', refused)).toMatchObject({ code: 1, questions: [] })
  })
})

async function planned(platform: FakePlatform, files: { readonly [path: string]: string } = FILES) {
  const cwd = workspace(files)
  const outcome = await holdfast('plan --out plan.json', { cwd, platform })
  expect(outcome).toMatchObject({ code: 0, stderr: 'The plan is in plan.json.\n' })
  return { cwd, outcome }
}

/** The output of three commands with these words. */
async function at(words: string) {
  const platform = new FakePlatform(live('a'))
  const cwd = workspace(FILES)
  const env = { HOLDFAST_TOKEN: 'token' }
  const before = await holdfast(`plan ${words}`, { cwd, platform, env })
  const applied = await holdfast(`apply ${words}`, { cwd, platform, env, answer: 'y' })
  const history = await holdfast(`history ${words}`, { cwd, platform, env })
  return { before, applied, history }
}

describe('the platform', () => {
  it.each([
    ['its address', '--url https://b.example/base/', 'b.example/base'],
    ['its data directory', '--data-dir /var/lib/holdfast', '/var/lib/holdfast'],
  ])('is named by %s in verdict, question, result and history', async (_, words, name) => {
    const { before, applied, history } = await at(words)
    expect(before.stdout).toContain(`Plan: 1 to create on ${name} · domain local\n`)
    expect(applied.questions).toEqual([`Apply this plan to domain local on ${name}? [y/N] `])
    expect(applied.stdout).toContain(`Plan: 1 to create on ${name} · domain local\n`)
    expect(applied.stdout).toContain(`Applied: 1 record created on ${name} · domain local\n`)
    expect(history.stdout).toContain(`Applies on ${name}\n`)
  })

  it('is the same one in the command that undoes the apply', async () => {
    const { applied } = await at('--url https://b.example')
    expect(applied.stdout).toMatch(/^Undo it: holdfast rollback \S+ --url https:\/\/b\.example$/m)
  })

  it('is not named where a plan is against a file', async () => {
    const cwd = workspace({ ...FILES, 'live.json': JSON.stringify(live('a')) })
    const { stdout } = await holdfast('plan --against live.json', { cwd })
    expect(stdout).toContain('Plan: 1 to create · domain')
  })
})

describe('apply PLAN', () => {
  it('applies what "plan --out" has written, without asking', async () => {
    const platform = new FakePlatform(live('a'))
    const { cwd, outcome } = await planned(platform)
    expect(outcome.stdout.trimEnd().split('\n').at(-1)).toBe('Apply it: holdfast apply plan.json')
    const applied = await holdfast('apply plan.json', { cwd, platform })
    expect(applied.code).toBe(0)
    expect(applied.stdout).toMatch(/^Applied: 1 record created on \.holdfast · domain local\napply 0/)
    expect(platform.callsOf('planImport')).toHaveLength(1)
    expect(platform.live).toEqual(live('a', 'b'))
  })

  it('sends the effects of the plan, and no bodies', async () => {
    const platform = new FakePlatform(live('a'))
    const { cwd } = await planned(platform)
    await holdfast('apply plan.json', { cwd, platform })
    const plan = platform.callsOf('applyImport')[0]?.variables['plan'] as Plan
    expect(Object.keys(plan).sort()).toEqual([
      'access',
      'changes',
      'digest',
      'domain',
      'formatVersion',
      'references',
      'scope',
    ])
    expect(plan.changes).toEqual([
      {
        type: 'characteristics',
        key: 'b',
        action: 'create',
        beforeDigest: null,
        afterDigest: expect.stringMatching(/^sha256:/),
        // The console shows where a record comes from.
        source: { file: expect.any(String), line: expect.any(Number), column: expect.any(Number) },
      },
    ])
  })

  it.each([
    ['not JSON', 'plan', 'plan.json is no plan, because it is not JSON; "holdfast plan --out FILE" writes one'],
    [
      'another document',
      '{}',
      'plan.json is no plan, because it has no formatVersion; "holdfast plan --out FILE" writes',
    ],
    [
      'half a plan',
      '{"formatVersion": 1}',
      /^plan\.json: error .*\n[^]*plan\.json is no plan, because these values are wrong/,
    ],
    [
      'another version',
      '{"formatVersion": 2}',
      'plan.json: this plan has format version 2, and only 1 is known here; plan again',
    ],
  ])('refuses a file that is %s', async (_, text, message) => {
    const outcome = await holdfast('apply plan.json', {
      cwd: workspace({ ...FILES, 'plan.json': text }),
      platform: new FakePlatform(),
    })
    expect(outcome.stderr).toMatch(message)
    expect(outcome.code).toBe(1)
  })

  it('refuses one that hides what is to be done, instead of doing nothing as if it were done', async () => {
    const platform = new FakePlatform(live('a'))
    const { cwd } = await planned(platform)
    const plan = JSON.parse(readFileSync(join(cwd, 'plan.json'), 'utf8')) as Plan
    const nothing = { outcome: 'no-changes', changes: [] }
    const withheld = [{ type: 'users', action: 'create', count: 1, stopped: 0 }]
    for (const altered of [{ outcome: 'no-changes' }, nothing, { ...nothing, withheld }]) {
      writeFiles(cwd, { 'plan.json': JSON.stringify({ ...plan, ...altered }) })
      const outcome = await holdfast('apply plan.json', { cwd, platform })
      expect(outcome).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('the plan was altered'),
      })
    }
  })

  it('names the records that moved since a stale plan was made', async () => {
    const platform = new FakePlatform(live('a'))
    const { cwd } = await planned(platform)
    platform.next('applyImport', () =>
      failure('STALE_PLAN', 'the plan is stale; plan again', [{ type: 'characteristics', key: 'b' }]),
    )
    const outcome = await holdfast('apply plan.json', { cwd, platform })
    expect(outcome.stderr).toMatch(/^error: the plan is stale; plan again\n {2}characteristics\/b\n/)
    expect(outcome.code).toBe(1)
  })

  it('refuses a blocked plan until its guards are acknowledged, by --allow or in holdfast.yaml', async () => {
    const platform = new FakePlatform(live('a'))
    const { cwd } = await planned(platform, { 'models/a.json': '{"characteristics": []}' })
    const refused = await holdfast('apply plan.json', { cwd, platform })
    expect(refused.stderr).toContain(
      'error: a guard stops the apply; nothing was applied\n  empties-type:characteristics: ',
    )
    expect(platform.callsOf('applyImport')).toEqual([])
    expect(await holdfast('apply plan.json --allow empties-type:characteristics', { cwd, platform })).toMatchObject({
      code: 0,
    })
    platform.live = live('a')
    writeFiles(cwd, { 'models/holdfast.yaml': 'acknowledge: [{ code: empties-type, type: characteristics }]' })
    expect(await holdfast('apply plan.json', { cwd, platform })).toMatchObject({ code: 0 })
    expect(platform.live).toEqual({ characteristics: [] })
  })
})

describe('apply --expect DIGEST', () => {
  it('applies the plan of that digest, and no other', async () => {
    const platform = new FakePlatform(live('a'))
    const cwd = workspace(FILES)
    const { digest } = JSON.parse((await holdfast('plan --format json', { cwd, platform })).stdout) as Plan
    const other = `sha256:${'0'.repeat(64)}`
    const refused = await holdfast(`apply --expect ${other}`, { cwd, platform })
    expect(refused.stderr).toContain(`its digest is ${digest}, not ${other}; plan again, nothing was applied`)
    expect(refused.code).toBe(1)
    expect(await holdfast(`apply --expect ${digest}`, { cwd, platform })).toMatchObject({ code: 0 })
    expect(platform.live).toEqual(live('a', 'b'))
  })

  it.each<[string, (text: string) => string, string]>([
    ['was altered', (text) => text.replace('"create"', '"update"'), 'plan.json cannot be used'],
    ['is cut off', (text) => text.slice(0, 100), 'plan.json cannot be used'],
    ['is another plan', (text) => text, 'plan.json is another plan than sha256:'],
  ])('plans anew with a warning if the file %s, and applies the plan of the digest', async (_, alter, warning) => {
    const platform = new FakePlatform(live('a'))
    const { cwd } = await planned(platform)
    const text = readFileSync(join(cwd, 'plan.json'), 'utf8')
    if (alter(text) === text) writeFiles(cwd, { 'models/a.json': models('a', 'b', 'c') })
    const { digest } = JSON.parse((await holdfast('plan --format json', { cwd, platform })).stdout) as Plan
    writeFiles(cwd, { 'plan.json': alter(text) })
    const outcome = await holdfast(`apply plan.json --expect ${digest}`, { cwd, platform })
    expect(outcome).toMatchObject({ code: 0, stderr: expect.stringContaining(`warning: ${warning}`) })
    expect(platform.applied.map(({ plan }) => plan.digest)).toEqual([digest])
    const other = `sha256:${'0'.repeat(64)}`
    platform.live = live('a')
    const refused = await holdfast(`apply plan.json --expect ${other}`, { cwd, platform })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('the plan is not the expected one') })
    expect(platform.applied).toHaveLength(1)
  })
})

describe('what an apply tells the platform', () => {
  it('the guards that --allow acknowledges, beside those of holdfast.yaml', async () => {
    const platform = new FakePlatform(live('a', 'b', 'c', 'd', 'e', 'f'))
    const cwd = workspace({
      'models/a.json': '{"characteristics": []}',
      'models/holdfast.yaml': 'acknowledge: [{ code: empties-type, type: characteristics }]',
    })
    const outcome = await holdfast('apply --yes --allow mass-delete:characteristics', { cwd, platform })
    expect(outcome.code).toBe(0)
    expect(platform.callsOf('applyImport')[0]?.variables['settings']).toMatchObject({
      acknowledge: [
        { code: 'empties-type', type: 'characteristics' },
        { code: 'mass-delete', type: 'characteristics' },
      ],
    })
  })

  it('where the models come from, as GitHub says', async () => {
    const platform = new FakePlatform(live('a'))
    const env = {
      GITHUB_SHA: 'abc',
      GITHUB_REPOSITORY: 'lindenhof/models',
      GITHUB_REF: 'refs/heads/main',
      GITHUB_ACTOR: 'ada',
    }
    await holdfast('apply --yes', { cwd: workspace(FILES), platform, env })
    expect(platform.callsOf('applyImport')[0]?.variables['origin']).toEqual({
      applyId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      commit: 'abc',
      repository: 'lindenhof/models',
      ref: 'refs/heads/main',
      actor: 'ada',
    })
  })

  it('that a type is managed from now on, though no record of it changes', async () => {
    const platform = new FakePlatform(live('a', 'b'))
    platform.neverManaged = ['characteristics']
    const outcome = await holdfast('apply --yes', { cwd: workspace(FILES), platform })
    expect(outcome.stdout).toContain('From now on the platform remembers which record types the models manage')
    expect(platform.callsOf('applyImport')).toHaveLength(1)
    await holdfast('apply --yes', { cwd: workspace(FILES), platform })
    expect(platform.callsOf('applyImport')).toHaveLength(1)
  })
})

it('the plan file is readable by its owner alone, and the same that --format json prints', async () => {
  const cwd = workspace(FILES)
  const outcome = await holdfast('plan --out plan.json --format json', { cwd, platform: new FakePlatform(live('a')) })
  expect(readFileSync(join(cwd, 'plan.json'), 'utf8')).toBe(outcome.stdout)
})
