import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FORK, pullRequestEvent, pushEvent, scheduleEvent, type Event, type PullRequest } from './events.ts'
import { readProjectFile } from './files.ts'
import type { JobRun, Run } from './runner.ts'
import { isLong } from '../support/runs.ts'
import { modelFile, startWorld, WORKFLOW, type Files, type World } from './world.ts'

// The workflows as another repository calls them, with their steps really run: who gets what.

const LONG = { timeout: 180_000 }

let world: World
beforeAll(async () => {
  world = await startWorld()
}, LONG.timeout)
afterAll(() => world.close())

function job(run: Run, name: string): JobRun {
  const found = run.jobs[name]
  if (found === undefined) throw new Error(`there is no job ${name}, only ${Object.keys(run.jobs).join(', ')}`)
  return found
}

function resultsOf({ jobs }: Run): { [name: string]: string } {
  return Object.fromEntries(Object.entries(jobs).map(([name, { result }]) => [name, result]))
}

const JOBS = ['plan/plan', 'apply/apply', 'apply/review', 'apply/reconcile', 'drift/drift']
const NOTHING = Object.fromEntries(JOBS.map((name) => [name, 'skipped']))

describe('a repository that the platform trusts', LONG, () => {
  let pull: PullRequest

  it('pull request: a plan as its comment, and nothing else', async () => {
    const proposed = await world.propose('first', modelFile('b'))
    pull = proposed.pull
    expect(resultsOf(proposed.run)).toEqual({ ...NOTHING, 'plan/plan': 'success' })
    const [comment, ...others] = world.github.comments(pull.number)
    expect(others).toEqual([])
    expect(comment).toMatchObject({
      user: 'github-actions[bot]',
      body: expect.stringMatching(/^### Plan: 1 to create/),
    })
    expect(comment?.body).toContain(`/blob/${pull.head}/models/b.yaml#L1`)
    expect(job(proposed.run, 'plan/plan').log).toContain('npm ci --prefix')
    expect(job(proposed.run, 'plan/plan').summary).toMatch(/^### Plan: 1 to create/)
    expect(world.github.checkRuns).toMatchObject([{ head_sha: pull.head, conclusion: 'success' }])
  })

  it('merge queue: the plan again, and whether it is the reviewed one', async () => {
    const { run } = await world.queue(pull)
    expect(resultsOf(run)).toEqual({ ...NOTHING, 'plan/plan': 'success' })
    expect(job(run, 'plan/plan').log).toContain('The plan is the reviewed one.')
  })

  it('push: exactly the reviewed plan', async () => {
    const run = await world.merge(pull)
    expect(resultsOf(run)).toEqual({ ...NOTHING, 'apply/apply': 'success' })
    const { log } = job(run, 'apply/apply')
    const digest = /digest `(sha256:[0-9a-f]{64})`/.exec(world.github.comments(pull.number)[0]?.body ?? '')?.[1]
    expect(log).toContain(`Pull request ${pull.number} shows the plan ${digest}`)
    expect(log).toMatch(/^Applied: 1 record created/m)
    expect(log).not.toMatch(/::(?:warning|notice)/)
    expect(log).not.toContain('Apply it: ')
    expect(job(run, 'apply/apply').summary).toMatch(/^### ✅ Applied: 1 record created/)
    expect(world.github.comments(pull.number).map(({ body }) => body.split(' · ', 1)[0])).toEqual([
      expect.stringMatching(/^### ✅ Applied: 1 record created on `127\.0\.0\.1:\d+`\n\n> By `ann` at /),
    ])
    const history = await world.ask('{ applies(first: 1) { nodes { actor planDigest origin } } }')
    expect(history).toMatchObject({
      applies: { nodes: [{ actor: 'github-apply', planDigest: digest, origin: { actor: 'ann' } }] },
    })
  })

  it('push of nothing that matters: nothing, without a review', async () => {
    const commit = world.git.commit('main', { 'models/a.yaml': `${world.git.read('main', 'models/a.yaml')}\n` })
    const run = await world.runner.run(WORKFLOW, pushEvent(commit))
    expect(job(run, 'apply/apply')).toMatchObject({ result: 'success' })
    expect(job(run, 'apply/apply').log).toContain(
      'Nobody reviewed a plan for this commit, and there is nothing to apply.',
    )
  })

  it('schedule: an issue while somebody has changed the platform, closed by itself', async () => {
    await world.ask('mutation { updateCharacteristic(code: "b", input: { name: "Other" }) { uuid } }')
    const run = await world.runner.run(WORKFLOW, scheduleEvent(world.git.tip('main')))
    expect(resultsOf(run)).toEqual({ ...NOTHING, 'drift/drift': 'success' })
    expect(world.github.issues()).toMatchObject([{ state: 'open', title: expect.stringContaining('1 record') }])
    await world.ask('mutation { updateCharacteristic(code: "b", input: { name: "B" }) { uuid } }')
    await world.runner.run(WORKFLOW, scheduleEvent(world.git.tip('main')))
    expect(world.github.issues()).toMatchObject([{ state: 'closed' }])
  })

  it('a plan that an apply would refuse: the comment, and a job that fails', async () => {
    const settings = { 'models/holdfast.yaml': '{}', 'models/b.yaml': 'characteristics: []\n', 'models/a.yaml': null }
    const { pull: blocked, run } = await world.propose('blocked', settings)
    expect(resultsOf(run)).toEqual({ ...NOTHING, 'plan/plan': 'failure' })
    expect(world.github.comments(blocked.number)[0]?.body).toMatch(/^### ⛔ Plan is blocked/)
  })
})

it('two directories of models for one platform keep a comment and a plan each', LONG, async () => {
  const caller = world.git.read('main', WORKFLOW)
  const [plan = ''] = /^ {2}plan:\n(?: {4}.*\n)+/m.exec(caller) ?? []
  const second = plan.replace('  plan:', '  second:').replace('with: { ', 'with: { models: site/models, ')
  const files = { [WORKFLOW]: caller.replace(plan, `${plan}${second}`), ...modelFile('one') }
  const services = JSON.stringify({ services: [{ code: 'x', name: 'X' }] })
  const { pull, run } = await world.propose('two', { ...files, 'site/models/x.yaml': services })
  expect(resultsOf(run)).toMatchObject({ 'plan/plan': 'success', 'second/plan': 'success' })
  const shown = world.github.comments(pull.number).map(({ body }) => body.split('\n', 1)[0])
  expect(shown).toEqual([
    expect.stringMatching(/^### Plan: .* on `127\.0\.0\.1:\d+` · domain `\w+`$/),
    expect.stringMatching(/^### Plan: .* on `127\.0\.0\.1:\d+` · domain `\w+` · `site\/models`$/),
  ])
  const artifact = `holdfast-plan-${world.server.url.replace(/\/$/, '').replaceAll(/[^A-Za-z0-9.-]/g, '_')}`
  expect(world.runner.artifact(run.id, artifact, 'plan.json')).toContain('"one"')
  expect(world.runner.artifact(run.id, `${artifact}-site_models-5c25f4e4`, 'plan.json')).toContain('"x"')
})

it('without an address the jobs fail, since a skipped job satisfies who requires it', LONG, async () => {
  const bare = world.git.read('main', WORKFLOW).replaceAll(/^ {4}with: \{ url: .*\n/gm, '')
  const { pull } = await world.propose('bare', { [WORKFLOW]: bare, ...modelFile('bare') })
  const runner = world.runner.with({})
  for (const event of [pullRequestEvent(pull), pushEvent(pull.head), scheduleEvent(pull.head)]) {
    const { jobs } = await runner.run(WORKFLOW, event)
    const failed = Object.values(jobs).filter(({ result }) => result === 'failure')
    expect(failed.map(({ log }) => log)).toEqual([expect.stringContaining('No platform is named. Set the variable')])
  }
})

it('a repository can also have the workflows themselves, with the address in its variable', LONG, async () => {
  const workflow = '.github/workflows/plan.yml'
  const { pull } = await world.propose('copied', { [workflow]: readProjectFile(workflow), ...modelFile('copied') })
  const run = await world.runner.run(workflow, pullRequestEvent(pull))
  expect(resultsOf(run)).toEqual({ plan: 'success' })
  expect(world.github.comments(pull.number)).toHaveLength(1)
})

// In `npm test`, test/auth/federation-rules.test.ts tries the claims, and here one case of each shows what the jobs make of it.
const sampled = <Case>(cases: readonly Case[]): readonly Case[] => (isLong ? cases : cases.slice(0, 1))

describe('nobody else gets anything', LONG, () => {
  const strangers: readonly [string, Event['claims']][] = [
    ['a repository of another number', { repository_id: '1' }],
    ['the same number under another owner', { repository_owner_id: '1' }],
    ['an event that runs a stranger’s text with the rights of the repository', { event_name: 'pull_request_target' }],
  ]
  it.each(sampled(strangers))('%s', async (_, claims) => {
    const run = await world.runner.run(WORKFLOW, { ...pushEvent(world.git.tip('main')), claims })
    expect(job(run, 'apply/apply').result).toBe('failure')
    expect(job(run, 'apply/apply').log).toMatch(/needs an ACTIVATED OpenID delegated authentication method/)
  })

  const others: readonly [string, Event['claims'], string][] = [
    ['another environment', { environment: 'staging' }, 'environment is "staging" and must be "production"'],
    ['another branch', { ref: 'refs/heads/feature' }, 'ref is "refs/heads/feature" and must be "refs/heads/main"'],
    [
      'a machine of somebody',
      { runner_environment: 'self-hosted' },
      'runner_environment is "self-hosted" and must be "github-hosted"',
    ],
  ]
  it.each(sampled(others))(
    'a push from %s plans, and does not apply, and is told why',
    async (_, claims, difference) => {
      const { pull } = await world.propose(`from-${Object.keys(claims)[0]}`, modelFile('c'))
      const merged = await world.merge(pull, claims)
      expect(job(merged, 'apply/apply').result).toBe('failure')
      const said = world.github.comments(pull.number).at(-1)?.body ?? ''
      expect(said).toMatch(/^### ❌ Not applied/)
      // Once as a block of code that is wrapped, and never as JSON.
      expect(said.replaceAll(/\s+/g, ' ')).toContain(difference)
      expect(said).not.toContain('{"')
      expect(job(merged, 'apply/apply').log).toContain(difference)
      world.revert()
    },
  )

  it('the workflows do nothing on pull_request_target', async () => {
    const { pull } = await world.propose('target', modelFile('d'))
    const event = { ...pullRequestEvent(pull), name: 'pull_request_target' }
    expect(resultsOf(await world.runner.run(WORKFLOW, event))).toEqual(NOTHING)
  })
})

/** What a pull request of a stranger starts, and what the platform was asked meanwhile. */
async function proposeFromFork(files: Files) {
  const { pull } = await world.propose(`fork-${crypto.randomUUID()}`, files)
  const [before, comments] = [world.server.log.length, world.github.comments(pull.number).length]
  const run = await world.runner.run(WORKFLOW, pullRequestEvent(pull, { from: FORK }))
  return { run, asked: world.server.log.slice(before), written: world.github.comments(pull.number).slice(comments) }
}

describe('a fork', LONG, () => {
  it('is validated, without a platform, a token that writes, or a comment', async () => {
    const { run, asked, written } = await proposeFromFork(modelFile('e'))
    expect(resultsOf(run)).toEqual({ ...NOTHING, 'plan/plan': 'success' })
    // What GitHub leaves a fork of what the job declares.
    expect(job(run, 'plan/plan').permissions).toEqual({
      contents: 'read',
      'id-token': 'none',
      'pull-requests': 'read',
      checks: 'read',
      actions: 'read',
    })
    expect(job(run, 'plan/plan').log).toContain('There is no published export to plan against.')
    expect(job(run, 'plan/plan').summary).toMatch(/^### The models are valid; their plan is unknown/)
    expect({ asked, written }).toEqual({ asked: [], written: [] })
  })

  it('is what Dependabot is to GitHub, too', async () => {
    const { pull } = await world.propose('dependabot/actions', { '.github/other.txt': 'x' })
    const event = { ...pullRequestEvent(pull, { user: 'dependabot[bot]' }), isFromFork: true }
    expect(resultsOf(await world.runner.run(WORKFLOW, event))).toEqual({ ...NOTHING, 'plan/plan': 'success' })
  })

  it('is told what is wrong, on the line', async () => {
    const { run } = await proposeFromFork({
      'models/e.yaml': 'characteristics:\n  - { code: e, name: E, dataType: FLAOT }\n',
    })
    expect(job(run, 'plan/plan').result).toBe('failure')
    expect(job(run, 'plan/plan').log).toMatch(/^::error file=models\/e\.yaml,line=2,/m)
    expect(job(run, 'plan/plan').summary).toMatch(/^### ❌ Not valid: \d errors?\n/)
    expect(job(run, 'plan/plan').summary).toContain('`models/e.yaml:2:')
  })

  it('is validated if GitHub does not say which exports there are, and says so', async () => {
    world.gate.failures.push(401)
    const { run } = await proposeFromFork(modelFile('e'))
    expect(job(run, 'plan/plan')).toMatchObject({ result: 'success' })
    expect(job(run, 'plan/plan').summary).toContain(
      'The published export was not found: GitHub does not accept the token: has it expired, or does it belong to another server?. Then run this job again',
    )
    expect(job(run, 'plan/plan').log).toContain('::warning title=Holdfast::The published export was not found')
    expect(job(run, 'plan/plan').log).not.toContain('There is no published export')
  })

  it('is planned against the export that an apply has published', async () => {
    const { pull } = await world.propose('publishing', {
      ...modelFile('f'),
      [WORKFLOW]: world.git.read('main', WORKFLOW).replace(/(apply\.yml@.*\n +with: \{ )/, '$1publish-export: true, '),
    })
    const applied = await world.merge(pull)
    expect(job(applied, 'apply/apply')).toMatchObject({ result: 'success' })
    world.gate.artifacts.push(
      { name: 'holdfast-export', runId: applied.id, isFromFork: false },
      { name: 'holdfast-export', runId: 1, isFromFork: true },
      { name: 'holdfast-export', runId: 2, isFromFork: false, branch: 'somebodys' },
    )
    const { run, asked } = await proposeFromFork(modelFile('g'))
    expect(job(run, 'plan/plan')).toMatchObject({ result: 'success' })
    expect(job(run, 'plan/plan').summary).toMatch(/^### Plan: 1 to create/)
    expect(job(run, 'plan/plan').summary).toContain('`g`')
    expect(job(run, 'plan/plan').summary).toMatch(/Compared with the export of \[run \d+\]\(\S+\) at \d{4}-\S+Z/)
    expect(asked).toEqual([])
    const published = world.runner.artifact(applied.id, 'holdfast-export', 'export.yaml')
    expect(published).toContain('code: f')
    // Whom the platform knows beside what the models say is nobody's business.
    expect(published).not.toContain('@example.org')
    expect(published).not.toContain('users:')
  })
})
