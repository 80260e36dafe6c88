import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { characteristic } from '../reconcile/sample.ts'
import { dispatchEvent, pullRequestEvent, pushEvent, scheduleEvent, type PullRequest } from './events.ts'
import type { JobRun, Run } from './runner.ts'
import { modelFile, startWorld, WORKFLOW, type Files, type World } from './world.ts'

// What a pull request changes itself is what is reviewed and applied, while the applies of others wait for reviewers.

const STORY = { timeout: 240_000 }
const ELSEWHERE = { environment: 'somewhere-else' }

let world: World
beforeAll(async () => {
  world = await startWorld()
}, STORY.timeout)
afterAll(() => world.close())

function body(number: number): string {
  return world.github.comments(number).at(-1)?.body ?? ''
}

function apply({ jobs }: Run): JobRun {
  const run = jobs['apply/apply']
  if (run === undefined) throw new Error('there is no job that applies')
  return run
}

function named(name: string): Files {
  return modelFile('pa', { ...characteristic('pa'), name })
}

/** Merged, and its apply does not take place: the reviewers of the environment have not agreed. */
async function mergedAndWaiting(branch: string, files: Files): Promise<PullRequest> {
  const { pull } = await world.propose(branch, files)
  await world.merge(pull, ELSEWHERE)
  return pull
}

async function codes(): Promise<readonly string[]> {
  const answer = (await world.ask('{ characteristics(first: 50) { nodes { code } } }')) as {
    characteristics: { nodes: readonly { code: string }[] }
  }
  return answer.characteristics.nodes.map(({ code }) => code)
}

/** Somebody starts the workflow by hand, and the reviewers of the environment agree to what its plan shows. */
async function reconcile(): Promise<Run> {
  return world.runner.run(WORKFLOW, dispatchEvent(world.git.tip('main')))
}

describe('a run that somebody starts by hand', STORY, () => {
  it('plans everything that differs, and makes it in the environment', async () => {
    await mergedAndWaiting('by-hand', modelFile('ba'))
    const { jobs } = await reconcile()
    expect(jobs['apply/review']).toMatchObject({ result: 'success' })
    expect(jobs['apply/review']?.summary).toMatch(/^### Plan: 1 to create/)
    expect(jobs['apply/reconcile']).toMatchObject({ result: 'success' })
    expect(await codes()).toEqual(['a', 'ba'])
  })

  it('asks nobody where nothing differs', async () => {
    const { jobs } = await reconcile()
    expect(jobs['apply/reconcile']).toMatchObject({ result: 'skipped' })
  })
})

describe('a plan that is made while the apply of another one waits', STORY, () => {
  let pa: PullRequest
  let pb: PullRequest

  it('has only what its pull request changes', async () => {
    pa = await mergedAndWaiting('pa', modelFile('pa'))
    const proposed = await world.propose('pb', modelFile('pb'))
    pb = proposed.pull
    expect(body(pb.number)).toMatch(/^### Plan: 1 to create/)
    expect(body(pb.number)).not.toContain('/models/pa.yaml')
    expect(proposed.run.jobs['plan/plan']?.log).toMatch(/also waiting on the target branch: 1 record/i)
    expect(body(pb.number)).toContain(
      `Also waiting on the target branch: 1 record (#${pa.number}: \`characteristics/pa\`)`,
    )
  })

  it('is applied before the other one, without it', async () => {
    expect(apply(await world.merge(pb)).log).toMatch(/^Applied: 1 record created/m)
    expect(await codes()).toContain('pb')
    expect(await codes()).not.toContain('pa')
  })

  it('leaves the other one to be applied later', async () => {
    const late = apply(await world.applyAgain(pa))
    expect(late).toMatchObject({ result: 'success' })
    // Its models do not know `pb`, which stays.
    expect(await codes()).toEqual(expect.arrayContaining(['pa', 'pb']))
  })
})

describe('what rests on a change that waits', STORY, () => {
  it('waits for it, by name, and is applied after it', async () => {
    const made = await mergedAndWaiting('qa', modelFile('qa'))
    const service = { code: 'qs', name: 'Q', characteristics: [{ code: 'qa' }] }
    const { pull } = await world.propose('qs', { 'models/qs.yaml': JSON.stringify({ services: [service] }) })
    const waits = `#${made.number} (\`characteristics/qa\`)`
    expect(body(pull.number)).toContain(`This plan depends on waiting changes, and is applied after them: ${waits}.`)
    const early = apply(await world.merge(pull))
    expect(early).toMatchObject({ result: 'failure' })
    expect(early.log).toMatch(/characteristics\/qa: .*waits/)
    expect(early.log).toContain(`the plan waits for #${made.number} (characteristics/qa) to be applied`)
    expect(body(pull.number)).toMatch(/^### ❌ Not applied/)
    expect(apply(await world.applyAgain(made))).toMatchObject({ result: 'success' })
    expect(apply(await world.applyAgain(pull))).toMatchObject({ result: 'success' })
    expect(body(pull.number)).not.toMatch(/^### ❌ Not applied/)
  })

  it('is done where the change that waits is taken back, which then is not made any more', async () => {
    const made = await mergedAndWaiting('ra', modelFile('ra'))
    const { pull } = await world.propose('no-ra', { 'models/ra.yaml': null })
    expect(apply(await world.merge(pull))).toMatchObject({ result: 'success' })
    expect(apply(await world.applyAgain(made))).toMatchObject({ result: 'success' })
    expect(await codes()).not.toContain('ra')
  })
})

describe('a push of several pull requests, as of a merge queue', STORY, () => {
  it('makes what each of them was reviewed to do, and tells the one that is refused', async () => {
    const before = world.git.tip('main')
    const files = [modelFile('ua'), modelFile('pb', { ...characteristic('pb'), name: 'Unlike' }), modelFile('uc')]
    const pulls = []
    for (const [at, changed] of files.entries()) pulls.push((await world.propose(`u${at}`, changed)).pull)
    await world.ask('mutation { updateCharacteristic(code: "pb", input: { name: "Somebody" }) { uuid } }')
    for (const { number, branch, head } of pulls) {
      const mergeCommit = world.git.tryMerge(branch)
      world.git.moveMain(mergeCommit)
      world.github.addPullRequest({ number, head, merged: true, mergeCommit })
    }
    const run = apply(await world.runner.run(WORKFLOW, pushEvent(world.git.tip('main'), before)))
    expect(run.result).toBe('failure')
    expect(run.log).toContain('update characteristics/pb: other values than reviewed')
    expect(await codes()).toEqual(expect.arrayContaining(['ua', 'uc']))
    expect(pulls.map(({ number }) => body(number).split('\n')[0])).toEqual([
      expect.stringMatching(/^### ✅ Applied: 1 record created/),
      expect.stringMatching(/^### ❌ Not applied/),
      expect.stringMatching(/^### ✅ Applied: 1 record created/),
    ])
    const history = (await world.ask('{ applies(first: 2) { nodes { origin } } }')) as {
      applies: { nodes: readonly { origin: { commit: string } }[] }
    }
    expect(new Set(history.applies.nodes.map(({ origin }) => origin.commit)).size).toBe(2)
    await reconcile()
  })
})

describe('a pull request that is retargeted after its review', STORY, () => {
  it('is refused, with the record that the other branch changes', async () => {
    const { git, github, runner } = world
    git.commit('decoy', modelFile('evil'))
    execFileSync('git', ['branch', 'feature', 'decoy'], { cwd: git.path })
    const head = git.commit('feature', modelFile('nice'))
    const pull = { number: 900, branch: 'feature', head, merged: git.tryMerge('feature', 'decoy') }
    github.addPullRequest({ number: pull.number, head })
    await runner.run(WORKFLOW, pullRequestEvent(pull))
    expect(body(pull.number)).toMatch(/^### Plan: 1 to create/)
    const { run } = await world.queue(pull)
    expect(run.jobs['plan/plan']).toMatchObject({ result: 'failure' })
    expect(run.jobs['plan/plan']?.log).toMatch(/reviewed against another target branch.*characteristics\/evil/)
    expect(body(pull.number)).toMatch(/^### ❌ Refused in the merge queue/)
    const refused = apply(await world.merge(pull))
    expect(refused).toMatchObject({ result: 'failure' })
    expect(refused.log).toMatch(/reviewed against another target branch.*characteristics\/evil/)
    expect(await codes()).not.toContain('nice')
    await reconcile()
  })
})

describe('drift', STORY, () => {
  it('is not what is merged and waits', async () => {
    const waiting = await mergedAndWaiting('wa', modelFile('wa'))
    const run = await world.runner.run(WORKFLOW, scheduleEvent(world.git.tip('main')))
    expect(run.jobs['drift/drift']).toMatchObject({ result: 'success' })
    expect(world.github.issues()).toEqual([])
    await world.applyAgain(waiting)
  })
})

describe('a refused apply', STORY, () => {
  it('is done when a run by hand has put it right, as is what waited for it', async () => {
    const refused = await mergedAndWaiting('one', named('One'))
    await world.ask('mutation { updateCharacteristic(code: "pa", input: { name: "Somebody" }) { uuid } }')
    expect(apply(await world.applyAgain(refused))).toMatchObject({ result: 'failure' })
    expect(body(refused.number)).toMatch(/^### ❌ Not applied/)

    const { pull } = await world.propose('again', named('Two'))
    expect(apply(await world.merge(pull))).toMatchObject({ result: 'failure' })
    expect((await reconcile()).jobs['apply/reconcile']).toMatchObject({ result: 'success' })
    for (const late of [refused, pull]) {
      expect(apply(await world.applyAgain(late))).toMatchObject({ result: 'success' })
      expect(body(late.number)).not.toMatch(/^### ❌ Not applied/)
    }
  })
})

describe('a branch that is forced back', STORY, () => {
  it('gets no green job from the apply of long ago, whose result is gone', async () => {
    const one = (await world.propose('before', named('Three'))).pull
    expect(apply(await world.merge(one))).toMatchObject({ result: 'success' })
    expect(apply(await world.merge((await world.propose('after', named('Four'))).pull))).toMatchObject({
      result: 'success',
    })
    world.revert()
    const again = apply(await world.applyAgain(one))
    expect(again).toMatchObject({ result: 'failure' })
    expect(again.log).toMatch(/this plan was applied before \(apply /)
    expect(again.log).toContain('characteristics/pa')
    expect(body(one.number)).toMatch(/^### ❌ Not applied/)
  })
})
