import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { data } from '../fake-platform.ts'
import { models } from '../sample.ts'
import { workspace } from '../workspace.ts'
import { applied, AT_GITHUB, BRANCH, branchesOf, ROLLBACK, UUID } from './desk.ts'

describe('a rollback by pull request is refused', () => {
  it('if later commits changed the same: it names the files, and how to go on', async () => {
    const desk = await applied()
    desk.git.commit('main', { 'models/b.json': models('b', 'later') })
    const done = await desk.run(ROLLBACK)
    expect(done.code).toBe(1)
    expect(done.stderr).toMatch(
      /changed the same as [0-9a-f]{12} in models\/b\.json, so Git cannot revert it automatically/,
    )
    expect(done.stderr).toContain(`git switch --create ${BRANCH} origin/main && git revert --no-commit `)
    expect(branchesOf(desk)).toEqual(['main'])
    expect(desk.inClone('worktree', 'list').split('\n')).toHaveLength(1)
  })

  it('if it is reverted already', async () => {
    const desk = await applied()
    desk.git.commit('main', { 'models/b.json': null })
    const done = await desk.run(ROLLBACK)
    expect(done).toMatchObject({ code: 1, stderr: expect.stringContaining('it is reverted there already') })
    expect(branchesOf(desk)).toEqual(['main'])
  })

  it('if the branch exists, as it does after a first attempt', async () => {
    const desk = await applied()
    desk.git.commit(BRANCH, {})
    const done = await desk.run(ROLLBACK)
    expect(done).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`the branch ${BRANCH} exists at origin already`),
    })
    expect(done.stderr).toContain(`git push origin --delete ${BRANCH}`)
    expect(desk.github.pulls).toEqual([])
  })

  it('if the forge does not let push, with its words', async () => {
    const desk = await applied()
    writeFileSync(join(desk.git.path, 'hooks/pre-receive'), '#!/bin/sh\necho "not you" >&2; exit 1\n', { mode: 0o755 })
    const done = await desk.run(ROLLBACK)
    expect(done).toMatchObject({ code: 1, stderr: expect.stringContaining('not you') })
    expect(done.stderr).toContain('Check that you may push to origin')
    expect(desk.github.pulls).toEqual([])
  })

  it('if the token may not open it: the pushed branch is named', async () => {
    const desk = await applied()
    const body = {
      message: 'Resource not accessible by personal access token',
      documentation_url: 'https://docs.github.com/rest',
    }
    desk.github.next('pulls/create', () => ({ status: 403, body }))
    const done = await desk.run(ROLLBACK)
    expect(done.stderr).toContain(`the branch ${BRANCH} was pushed, and no pull request was opened from it`)
    expect(done.stderr).toContain('the token in GH_TOKEN needs the permission "Pull requests: write"')
    expect(branchesOf(desk)).toContain(BRANCH)
  })

  it('if the token is wrong or missing, before anything is pushed', async () => {
    const desk = await applied()
    const { github } = desk
    const env = { PATH: process.env['PATH'], GITHUB_API_URL: github.url }
    const wrong = await desk.run(ROLLBACK, { env: { ...env, GH_TOKEN: 'ghp_old' } })
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('GitHub does not accept the token') })
    const missing = await desk.run(ROLLBACK, { env })
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('set GH_TOKEN to a token with the permission'),
    })
    expect(branchesOf(desk)).toEqual(['main'])
  })

  it.each<[string, object, string]>([
    ['names no commit', { commit: undefined }, 'names no commit'],
    [
      'has changes that no commit has',
      { commit: `${'a'.repeat(40)}-dirty` },
      'with changes that no commit has (aaaaaaaaaaaa',
    ],
    [
      'names a commit that this clone does not have',
      { commit: 'a'.repeat(40) },
      `Git knows no commit ${'a'.repeat(40)} here; fetch it: git fetch origin`,
    ],
    [
      'came from another repository',
      { repository: 'acme/other' },
      'the apply came from acme/other, and this is a clone of acme/models',
    ],
    [
      'is of another folder',
      { folder: 'site/models' },
      'the apply is of the folder site/models, and models is models; give --models',
    ],
  ])('if the apply %s', async (_, origin, message) => {
    const desk = await applied()
    const [{ uuid, plan, changes } = { uuid: '' }] = desk.platform.applied
    const known = { commit: desk.git.tip('main'), ref: 'refs/heads/main', ...origin }
    const past = {
      uuid,
      at: '2026-01-02T03:04:05Z',
      actor: 'operator',
      planDigest: plan?.digest,
      summary: plan?.summary,
    }
    desk.platform.next('apply', () => data({ apply: { ...past, origin: known, scope: [], rollbackOf: null, changes } }))
    expect(await desk.run(ROLLBACK)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) })
    expect(branchesOf(desk)).toEqual(['main'])
  })

  it('if it is a rollback itself', async () => {
    const desk = await applied()
    expect((await desk.run('rollback --yes')).code).toBe(0)
    expect((await desk.run(ROLLBACK)).stderr).toContain(
      `is itself a rollback, of ${UUID}, so there is nothing to revert in Git`,
    )
  })

  it('outside of a clone, and in a clone of no forge', async () => {
    const desk = await applied()
    const outside = await desk.run(ROLLBACK, { cwd: workspace({ 'models/a.json': models('a') }) })
    expect(outside.stderr).toContain('models is in no clone of Git; run this in a clone of acme/models')
    desk.inClone('remote', 'set-url', 'origin', 'https://code.example.com/acme/models.git')
    const unknown = await desk.run(ROLLBACK, { env: { PATH: process.env['PATH'] } })
    expect(unknown.stderr).toContain(
      'Holdfast does not know which forge code.example.com is; set the token of one of them alone: GH_TOKEN',
    )
    desk.inClone('remote', 'set-url', 'origin', '/srv/git/acme/models.git')
    expect((await desk.run(ROLLBACK)).stderr).toMatch(/at no forge|came from acme\/models/)
  })

  it('in a shallow clone without the history of its commits', async () => {
    const desk = await applied()
    const shallow = join(workspace(), 'shallow')
    execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${desk.git.path}`, shallow], { stdio: 'pipe' })
    const inShallow = (...words: readonly string[]) => execFileSync('git', words, { cwd: shallow, stdio: 'pipe' })
    inShallow('remote', 'set-url', 'origin', AT_GITHUB)
    inShallow('config', `url.file://${desk.git.path}.insteadOf`, AT_GITHUB)
    const done = await desk.run(ROLLBACK, { cwd: shallow })
    expect(done).toMatchObject({ code: 1, stderr: expect.stringContaining('git fetch --unshallow origin') })
    expect(branchesOf(desk)).toEqual(['main'])
  })
})
