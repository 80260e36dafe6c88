import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneFrom } from '../reconcile/revert/desk.ts'
import { holdfast } from '../reconcile/run-command.ts'
import { GITEA, type FakeGitea } from '../support/fake-gitea.ts'
import { GITLAB, type FakeGitLab } from '../support/fake-gitlab.ts'
import { isLong } from '../support/runs.ts'
import { model } from './forge-models.ts'
import { openForgeRepository, type ForgeRepository } from './forge-repository.ts'
import { GITLAB_PIPELINE, giteaPipeline } from './pipelines.ts'

interface Applies {
  readonly applies: { readonly nodes: readonly { readonly uuid: string }[] }
}

// Merges that add several commits to the branch, and forges that fail meanwhile.

describe.each([GITLAB_PIPELINE, giteaPipeline('Forgejo')])('$name', (pipeline) => {
  let repository: ForgeRepository
  beforeAll(async () => {
    repository = await openForgeRepository(pipeline)
  })
  afterAll(() => repository.close())

  it('applies a rebase of several commits as the one plan that was reviewed', async () => {
    const { git, fake, codes, job, propose } = repository
    const before = git.tip('main')
    git.commit('r', model('r1'))
    git.commit('r', model('r2'))
    await propose(20, 'r', model('r3'))
    const commits = [model('r1'), model('r2'), model('r3')].map((files) => git.commit('main', files))
    const commit = git.tip('main')
    fake.merge(20, commit, commits)
    const done = await job({ kind: 'push', branch: 'main', commit, before }, 'apply')
    expect({ code: done.code, stderr: done.stderr }).toMatchObject({ code: 0 })
    expect(await codes()).toEqual(expect.arrayContaining(['r1', 'r2', 'r3']))
    expect(fake.ownBodies(20)[0]).toMatch(/^### ✅ Applied: 3 records created/)
  })

  it('rolls all its commits back by a pull request, which is planned and applied like any other', async () => {
    const { git, fake, codes, job, merge, ask, url, token } = repository
    const isGitLab = pipeline.name === 'GitLab'
    const { clone, env } = cloneFrom(git.path, `${isGitLab ? GITLAB : GITEA}/acme/models.git`)
    const { applies } = (await ask('{ applies(first: 1) { nodes { uuid } } }')) as Applies
    const uuid = applies.nodes[0]?.uuid ?? ''
    const reached = (request: Request) =>
      request.url.startsWith(url) ? fetch(request) : (fake as FakeGitLab | FakeGitea).fetch(request)
    const secrets = {
      HOLDFAST_URL: url,
      HOLDFAST_TOKEN: token,
      [isGitLab ? 'GITLAB_TOKEN' : 'GITEA_TOKEN']: fake.token,
    }
    const by = { cwd: clone, env: { ...env, ...secrets }, fetch: reached }
    const byHand = await holdfast(`rollback ${uuid} --yes`, by)
    expect(byHand).toMatchObject({ code: 1, stderr: expect.stringContaining('takes-ownership:characteristics') })
    const done = await holdfast(`rollback ${uuid} --pull-request --yes`, by)
    expect({ code: done.code, stderr: done.stderr }).toMatchObject({ code: 0 })
    const branch = `holdfast/rollback-${uuid.slice(0, 8)}`
    const [pull] = fake.openOf(branch)
    expect(pull?.body).toMatch(/^### Plan: 3 to delete on /m)
    expect(pull?.body).not.toContain('takes-ownership')
    const { number = 0 } = pull ?? {}
    const base = git.tip('main')
    const planned = await job({ kind: 'proposal', branch, commit: git.tip(branch), number, base }, 'plan')
    expect({ code: planned.code, stderr: planned.stderr }).toMatchObject({ code: 0 })
    expect(fake.ownBodies(number)[0]).toMatch(/^### Plan: 3 to delete on /)
    expect((await merge(number, branch)).code).toBe(0)
    expect(await codes()).toEqual(['a'])
  })

  it('refuses a rebase that brought a commit that nobody reviewed', async () => {
    const { git, fake, codes, job, propose } = repository
    const before = git.tip('main')
    await propose(21, 'x', model('x'))
    const commits = [model('stranger'), model('x')].map((files) => git.commit('main', files))
    fake.merge(21, commits[1]!, commits)
    const refused = await job({ kind: 'push', branch: 'main', commit: commits[1]!, before }, 'apply')
    expect(refused.code).toBe(1)
    expect(await codes()).not.toContain('stranger')
    git.commit('main', { 'models/stranger.yaml': null, 'models/x.yaml': null })
  })

  it.each(isLong ? ([401, 403, 404, 429, 500, 'lost'] as const) : ([403, 'lost'] as const))(
    'names the forge and the remedy if it answers an apply with %s',
    async (status) => {
      const { git, fake, job } = repository
      // Gitea answers 404 for a commit that belongs to no pull request.
      if (status === 404 && pipeline.name !== 'GitLab') return
      const trigger = { kind: 'push', branch: 'main', commit: git.tip('main'), before: git.tip('main~1') } as const
      fake.failures.push(status, status, status)
      const done = await job(trigger, 'apply')
      fake.failures.length = 0
      expect(done).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^error: the reviewed plan was not found: (no answer from )?Git/m),
      })
      expect(done.stderr).toContain('nothing was applied')
      expect(done.stderr).not.toContain('report it')
    },
  )

  it('fails the job of a plan that it cannot show', async () => {
    const { git, fake, job } = repository
    const files = model('unseen')
    const commit = git.commit('unseen', files)
    fake.addPull(22, commit, Object.keys(files))
    fake.failures.push(403)
    const base = git.tip('main')
    const trigger = { kind: 'proposal', branch: 'unseen', commit, number: 22, base } as const
    const unseen = await job(trigger, 'plan')
    expect(unseen).toMatchObject({ code: 1, stderr: expect.stringContaining('did not take the comment') })
    const [missing, remedy] =
      pipeline.name === 'GitLab'
        ? ['HOLDFAST_GITLAB_TOKEN', 'set HOLDFAST_GITLAB_TOKEN, a masked variable']
        : ['GITHUB_TOKEN', 'GITHUB_TOKEN (give it to the step']
    const without = await job({ ...trigger, without: missing }, 'plan')
    expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining(remedy) })
    expect(without.stderr).not.toContain('report it')
    expect(fake.ownBodies(22)).toEqual([])
  })

  it('waits as long as the forge asks, and then shows the plan', async () => {
    const { git, fake, job } = repository
    const commit = git.commit('patient', model('patient'))
    fake.addPull(23, commit)
    fake.failures.push(429, 429)
    const base = git.tip('main')
    const done = await job({ kind: 'proposal', branch: 'patient', commit, number: 23, base }, 'plan')
    expect({ code: done.code, stderr: done.stderr }).toMatchObject({ code: 0 })
    expect(fake.failures).toEqual([])
    expect(fake.ownBodies(23)).toMatchObject([expect.stringMatching(/^### Plan: 1 to create/)])
  })

  it.runIf(pipeline.name === 'GitLab')('applies each of two stacked fast-forwards with its own plan', async () => {
    const { git, fake, codes, job, propose } = repository
    const base = git.tip('main')
    git.commit('lower', model('s1'))
    await propose(30, 'lower', model('s2'), { base })
    const lower = git.tip('lower')
    execFileSync('git', ['branch', 'upper', lower], { cwd: git.path })
    await propose(31, 'upper', model('s3'), { base: lower })
    const upper = git.tip('upper')
    const all = execFileSync('git', ['rev-list', '--reverse', `${base}..${upper}`], { cwd: git.path, encoding: 'utf8' })
    const commits = all.trim().split('\n')
    git.moveMain(upper)
    fake.merge(30, lower, commits.slice(0, 2))
    fake.merge(31, upper, commits)
    const first = await job({ kind: 'push', branch: 'main', commit: lower, before: base }, 'apply')
    expect({ code: first.code, stderr: first.stderr }).toMatchObject({ code: 0 })
    expect((await job({ kind: 'push', branch: 'main', commit: upper, before: lower }, 'apply')).code).toBe(0)
    expect(await codes()).toEqual(expect.arrayContaining(['s1', 's2', 's3']))
    for (const number of [30, 31])
      expect(fake.ownBodies(number)).toMatchObject([expect.stringMatching(/^### ✅ Applied/)])
  })
})
