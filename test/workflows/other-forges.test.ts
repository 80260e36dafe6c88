import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdfast } from '../reconcile/run-command.ts'
import { characteristic } from '../reconcile/sample.ts'
import { workspace } from '../reconcile/workspace.ts'
import type { FakeForge } from '../support/fake-forge.ts'
import { isLong } from '../support/runs.ts'
import { model } from './forge-models.ts'
import { openForgeRepository, type ForgeRepository } from './forge-repository.ts'
import type { GitRepository } from './git-repository.ts'
import { GITLAB_PIPELINE, giteaPipeline, tokenOf } from './pipelines.ts'

// The whole flow on other forges: what `holdfast init` writes, set up as the how-to says, against fakes of their APIs.

/** A branch of a merge train, which begins at what is ahead. */
function car(git: GitRepository, name: string, ahead: string, ...commits: readonly ReturnType<typeof model>[]): string {
  execFileSync('git', ['branch', name, ahead], { cwd: git.path })
  return commits.map((files) => git.commit(name, files)).at(-1) ?? ahead
}

describe.each([GITLAB_PIPELINE, giteaPipeline('Forgejo')])('$name', (pipeline) => {
  let repository: ForgeRepository
  let git: GitRepository
  let fake: FakeForge
  let ask: ForgeRepository['ask']
  let codes: ForgeRepository['codes']
  let job: ForgeRepository['job']
  let propose: ForgeRepository['propose']
  let merge: ForgeRepository['merge']

  beforeAll(async () => {
    repository = await openForgeRepository(pipeline)
    ;({ git, fake, ask, codes, job, propose, merge } = repository)
  })
  afterAll(() => repository.close())

  const schedule = () => job({ kind: 'schedule', branch: 'main', commit: git.tip('main') }, 'drift')

  it('shows what a pull request would change in one comment, also after another push', async () => {
    expect(await propose(1, 'b', model('b'))).toMatchObject({ code: 0 })
    expect(fake.ownBodies(1)).toHaveLength(1)
    expect(fake.ownBodies(1)[0]).toMatch(/^### Plan: 1 to create/)
    expect(await propose(1, 'b', model('b2'))).toMatchObject({ code: 0 })
    expect(fake.ownBodies(1)).toHaveLength(1)
    expect(fake.ownBodies(1)[0]).toMatch(/^### Plan: 2 to create/)
    expect(await codes()).toEqual(['a'])
  })

  it('applies on the merge what was reviewed, and the comment says so; a second run does nothing', async () => {
    const done = await merge(1, 'b')
    expect({ code: done.code, stderr: done.stderr }).toMatchObject({ code: 0 })
    expect(await codes()).toEqual(['a', 'b', 'b2'])
    expect(fake.ownBodies(1)).toHaveLength(1)
    expect(fake.ownBodies(1)[0]).toMatch(/^### ✅ Applied: 2 records created/)
    const again = await job(
      { kind: 'push', branch: 'main', commit: git.tip('main'), before: git.tip('main~1') },
      'apply',
    )
    expect(again.code).toBe(0)
  })

  // What is above the interface of a forge is the same for all.
  it.skipIf(pipeline.name !== 'GitLab' && !isLong)(
    'applies each of two pull requests by itself, in any order',
    async () => {
      await propose(2, 'c', model('c'))
      await propose(3, 'd', model('d'))
      expect(fake.ownBodies(3)[0]).toMatch(/^### Plan: 1 to create/)
      expect((await merge(3, 'd')).code).toBe(0)
      expect(await codes()).toEqual(['a', 'b', 'b2', 'd'])
      expect((await merge(2, 'c')).code).toBe(0)
      expect(await codes()).toEqual(['a', 'b', 'b2', 'c', 'd'])
    },
  )

  it.skipIf(pipeline.name !== 'GitLab' && !isLong)(
    'refuses what nobody reviewed: a push to main, and a plan that was changed after it was shown',
    async () => {
      const before = git.tip('main')
      const pushed = await job(
        { kind: 'push', branch: 'main', commit: git.commit('main', model('e')), before },
        'apply',
      )
      expect(pushed.code).toBe(1)
      expect(pushed.stderr).toContain('belongs to no merged pull request')
      await propose(4, 'f', model('f'))
      git.commit('f', model('f2'))
      const merged = await merge(4, 'f')
      expect(merged.code).toBe(1)
      expect(fake.ownBodies(4).at(-1)).toMatch(/^### ❌ Not applied/)
      expect(await codes()).toEqual(['a', 'b', 'b2', 'c', 'd'])
    },
  )

  it('validates what comes from a fork, and asks nobody', async () => {
    const asked = fake.requests.length
    const forked = await propose(5, 'g', model('g'), { isFork: true })
    expect(forked).toMatchObject({ code: 0, stdout: 'The models are valid.\n' })
    expect(fake.requests).toHaveLength(asked)
  })

  describe.runIf(pipeline.name === 'GitLab')('a merge train', () => {
    it('plans each merge request behind what is ahead of it, whatever the merge method is', async () => {
      await propose(7, 'k', model('k'))
      await propose(8, 'l', model('l'))
      await propose(8, 'l', model('l2'))
      const base = git.tip('main')
      // With a merge commit, and with the commits of the branch in a row.
      const first = git.tryMerge('k')
      const second = car(git, 'train-8', first, model('l'), model('l2'))
      for (const [number, branch, commit, ahead] of [
        [7, 'k', first, base],
        [8, 'l', second, first],
      ] as const) {
        const train = { head: git.tip(branch), ahead }
        const done = await job({ kind: 'proposal', branch, commit, number, base, train }, 'plan')
        expect({ number, ...done }).toMatchObject({
          code: 0,
          stdout: expect.stringContaining('The plan is the reviewed one.'),
        })
        expect(fake.ownBodies(number)).toHaveLength(1)
      }
      expect(await codes()).not.toContain('k')
    })

    it('refuses a merge request that was reviewed against another target branch', async () => {
      const base = git.commit('decoy', model('evil'))
      execFileSync('git', ['branch', 'nice', base], { cwd: git.path })
      await propose(9, 'nice', model('nice'), { base })
      const [ahead, head] = [git.tip('main'), git.tip('nice')]
      const train = { head, ahead }
      const refused = await job(
        { kind: 'proposal', branch: 'nice', commit: git.tryMerge('nice'), number: 9, base, train },
        'plan',
      )
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('the reviewed one was') })
      expect(fake.ownBodies(9).at(-1)).toMatch(/^### ❌ Refused in the merge queue/)
    })

    it('validates what comes from a fork', async () => {
      const commit = git.commit('m', model('m'))
      const train = { head: commit, ahead: git.tip('main') }
      const forked = await job({ kind: 'proposal', branch: 'm', commit, number: 10, isFork: true, train }, 'plan')
      expect(forked).toMatchObject({ code: 0, stdout: 'The models are valid.\n' })
    })
  })

  it('keeps one issue while the platform is not as the models say', async () => {
    git.commit('main', model('waits'))
    await ask('mutation { updateCharacteristic(code: "a", input: { name: "Other" }) { code } }')
    const looked = await schedule()
    expect(looked).toMatchObject({ code: 0, stderr: expect.stringContaining('to be applied, which is no drift') })
    // Neither forge has a workflow that somebody starts by hand.
    expect(looked.stderr).toMatch(/To apply (it|them), ask somebody who may apply to run `holdfast plan` and/)
    expect(looked.stderr).not.toMatch(/by hand/i)
    expect(fake.issues).toMatchObject([{ state: 'open', title: expect.stringMatching(/^Drift: 1 /) }])
    await ask(
      `mutation { updateCharacteristic(code: "a", input: { name: ${JSON.stringify(characteristic('a').name)} }) { code } }`,
    )
    expect((await schedule()).code).toBe(0)
    expect(fake.issues).toMatchObject([{ state: 'closed' }])
  })

  it.skipIf(pipeline.name !== 'GitLab')('takes no other token for one that may apply', async () => {
    const push = { project_id: '278964', namespace_id: '9970', pipeline_source: 'push', environment: 'production' }
    const main = { ref: 'main', ref_type: 'branch', ref_protected: 'true' }
    const who = async (claims: object) => {
      const env = {
        HOLDFAST_URL: repository.url,
        HOLDFAST_TOKEN: await tokenOf(repository.actions, repository.url, { ...push, ...main, ...claims }),
      }
      const cwd = workspace({ 'models/a.yaml': '{}\n' })
      const { stdout } = await holdfast('doctor', { cwd, env, fetch: (request) => fetch(request) })
      return /^ok +credential +(\S+) at/m.exec(stdout)?.[1] ?? 'nobody'
    }
    expect(await who({})).toBe('acme-models-apply')
    const lesser = [
      { ref_protected: 'false' },
      { ref: 'b' },
      { ref_type: 'tag' },
      { environment: 'x' },
      { pipeline_source: 'web' },
    ]
    for (const claims of lesser) expect(await who(claims)).toBe('acme-models-plan')
    for (const claims of [{ project_id: '1' }, { namespace_id: '1' }]) expect(await who(claims)).toBe('nobody')
  })

  it('gives a job of a pull request no right to apply', async () => {
    const [base, commit] = [git.tip('main'), git.commit('h', model('h'))]
    const trigger = { kind: 'proposal', branch: 'h', number: 6, commit, base, command: 'apply --yes' } as const
    expect(await job(trigger, 'plan')).toMatchObject({ code: 1, stderr: expect.stringContaining('only model:plan') })
    expect(await codes()).not.toContain('h')
  })
})
