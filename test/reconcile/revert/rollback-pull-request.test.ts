import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeGitRepository } from '../../workflows/git-repository.ts'
import { models } from '../sample.ts'
import { writeFiles } from '../workspace.ts'
import { applied, B, BRANCH, branchesOf, deskAtGitHub, DESKS, ROLLBACK, UUID, type Desk } from './desk.ts'

// `rollback --pull-request`, with real Git and fakes of the forges.

const C = { 'models/c.json': models('c') }

/** The files of the models on a branch at the forge. */
function filesOf({ git }: Desk, branch: string): string[] {
  const words = ['ls-tree', '-r', '--name-only', branch]
  return execFileSync('git', words, { cwd: git.path, encoding: 'utf8' }).trim().split('\n')
}

function messageOf({ git }: Desk, branch: string): string {
  return execFileSync('git', ['log', '-1', '--format=%B', branch], { cwd: git.path, encoding: 'utf8' }).trim()
}

describe.each(DESKS)('$name', ({ open }) => {
  it('opens a pull request that reverts the apply, and says what the rollback would do', async () => {
    const { desk, opened } = await open()
    desk.git.commit('main', B)
    await desk.apply('HEAD~1')
    const done = await desk.run(ROLLBACK)
    expect({ code: done.code, stderr: done.stderr }).toMatchObject({ code: 0 })
    expect(done.stdout).toMatch(/^Opened https:\S+\d from the branch holdfast\/rollback-00000000; nothing was changed/m)
    expect(opened()).toMatchObject([{ branch: BRANCH, title: 'Roll back apply 00000000' }])
    const body = opened()[0]?.body ?? ''
    expect(body).toContain(`undoes the apply \`${UUID}\`, which \`operator\` made at 2026-01-02 03:04 UTC`)
    expect(body).toContain('after `octocat` had started it')
    expect(body).toContain(`- \`${desk.git.tip('main').slice(0, 12)}\` \`Change of main\``)
    expect(body).toMatch(/^### Plan: 1 to delete on `embedded`/m)
    expect(filesOf(desk, BRANCH)).toEqual(['models/a.json'])
    expect(messageOf(desk, BRANCH)).toBe(
      `Roll back apply 00000000\n\nUndoes the apply ${UUID}, and reverts:\n- ${desk.git.tip('main')}`,
    )
    expect(desk.platform.callsOf('applyImport')).toHaveLength(1)
    const again = await desk.run(ROLLBACK)
    expect(again).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/pull request 1\d* rolls this apply back already: https:/),
    })
    expect(opened()).toHaveLength(1)
  })
})

describe('the clone of the user', () => {
  it('stays as it is: files, index, branch, worktrees and stash', async () => {
    const desk = await applied()
    writeFiles(desk.clone, { 'models/new.json': '{}', 'models/a.json': '{ }' })
    desk.inClone('add', 'models/new.json')
    const state = () =>
      ['status', 'branch', 'worktree list', 'rev-parse HEAD'].map((line) => desk.inClone(...line.split(' ')))
    const before = state()
    expect(await desk.run(ROLLBACK)).toMatchObject({ code: 0 })
    expect(state()).toEqual(before)
    expect(readFileSync(join(desk.clone, 'models/a.json'), 'utf8')).toBe('{ }')
  })

  it('stays as it is when Git names its directory, its work tree and its index, as in a hook', async () => {
    const desk = await applied()
    const index = join(desk.clone, '.git/index')
    const names = { GIT_DIR: join(desk.clone, '.git'), GIT_WORK_TREE: desk.clone, GIT_INDEX_FILE: index }
    const before = [desk.inClone('status', '--short'), readFileSync(index, 'base64')]
    expect(await desk.run(ROLLBACK, { env: { ...desk.env, ...names } })).toMatchObject({ code: 0 })
    expect([desk.inClone('status', '--short'), readFileSync(index, 'base64')]).toEqual(before)
  })

  it('keeps its tags to itself', async () => {
    const desk = await applied()
    desk.inClone('tag', '-a', '-m', 'mine', 'v1')
    desk.inClone('config', 'push.followTags', 'true')
    expect(await desk.run(ROLLBACK)).toMatchObject({ code: 0 })
    expect(execFileSync('git', ['tag'], { cwd: desk.git.path, encoding: 'utf8' })).toBe('')
  })

  it('may have submodules and follow them', async () => {
    const desk = await deskAtGitHub()
    const sub = makeGitRepository({ a: '' })
    onTestFinished(() => sub.close())
    desk.inClone('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', sub.path, 'sub')
    desk.inClone('commit', '--quiet', '--message', 'Add a submodule')
    desk.inClone('push', '--quiet', 'origin', 'main')
    desk.git.commit('main', B)
    await desk.apply('HEAD~1')
    desk.inClone('config', 'submodule.recurse', 'true')
    expect(await desk.run(ROLLBACK)).toMatchObject({ code: 0 })
    expect(filesOf(desk, BRANCH)).toEqual(['.gitmodules', 'models/a.json', 'sub'])
  })

  it('runs no hooks for that', async () => {
    const desk = await applied()
    for (const hook of ['post-checkout', 'pre-commit', 'commit-msg', 'pre-push', 'post-commit']) {
      const path = join(desk.clone, '.git/hooks', hook)
      writeFileSync(path, `#!/bin/sh\ntouch ${join(desk.clone, 'ran')}; exit 1\n`)
      chmodSync(path, 0o755)
    }
    expect(await desk.run(ROLLBACK)).toMatchObject({ code: 0 })
    expect(existsSync(join(desk.clone, 'ran'))).toBe(false)
  })
})

describe('what is reverted', () => {
  it('is a merge, against the branch that it was merged into', async () => {
    const desk = await deskAtGitHub()
    desk.git.commit('side', B)
    desk.git.commit('main', C)
    desk.git.moveMain(desk.git.tryMerge('side', 'main', 'Merge pull request #12 from acme/side'))
    await desk.apply('HEAD^1')
    expect(await desk.run(ROLLBACK)).toMatchObject({ code: 0 })
    expect(filesOf(desk, BRANCH)).toEqual(['models/a.json', 'models/c.json'])
    expect(desk.github.pulls).toMatchObject([
      { title: 'Roll back #12 (apply 00000000)', body: expect.stringContaining('from #12, which') },
    ])
  })

  it('is every commit of a rebase, and nothing that came later', async () => {
    const desk = await deskAtGitHub()
    const base = desk.git.tip('main')
    desk.git.commit('main', B)
    desk.git.commit('main', C)
    desk.git.commit('main', { 'models/b.json': models('b', 'b2') })
    await desk.apply(base)
    desk.git.commit('main', { 'models/d.json': models('d') })
    expect(await desk.run(ROLLBACK)).toMatchObject({ code: 0 })
    expect(filesOf(desk, BRANCH)).toEqual(['models/a.json', 'models/d.json'])
    expect(desk.github.pulls[0]?.body?.match(/`Change of main`/g)).toHaveLength(3)
  })

  it('is the commit alone if the apply was of everything, and the text names what it does not undo', async () => {
    const desk = await deskAtGitHub()
    desk.git.commit('main', B)
    desk.git.commit('main', C)
    await desk.apply()
    const done = await desk.run(ROLLBACK)
    expect(done).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('warning: These commits do not describe everything that the apply changed'),
    })
    expect(filesOf(desk, BRANCH)).toEqual(['models/a.json', 'models/b.json'])
    expect(desk.github.pulls[0]?.body).toContain('The revert leaves as they are: `characteristics/b`.')
  })

  it('is it also when the platform was rolled back by hand before', async () => {
    const desk = await applied()
    desk.platform.live = { characteristics: desk.platform.applied[0]?.before['characteristics'] ?? [] }
    expect(await desk.run(ROLLBACK)).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes') })
    expect(desk.github.pulls).toMatchObject([{ body: expect.stringContaining('### ✅ No changes') }])
  })
})

describe('two at once', () => {
  it('open one pull request', async () => {
    const desk = await applied()
    const done = await Promise.all([desk.run(ROLLBACK), desk.run(ROLLBACK)])
    expect(desk.github.pulls).toHaveLength(1)
    expect(done.map(({ code }) => code)).toContain(0)
    const refused = done.filter(({ code }) => code !== 0).map(({ stderr }) => stderr)
    for (const text of refused) expect(text).toMatch(/exists at origin already|rolls this apply back already/)
    expect(desk.inClone('worktree', 'list').split('\n')).toHaveLength(1)
  })

  it('an answer that is lost after it was opened is found again', async () => {
    const desk = await applied()
    desk.github.next('pulls/create', (proceed) => {
      proceed()
      return { status: 504, body: { message: 'Gateway Timeout', documentation_url: 'https://docs.github.com/rest' } }
    })
    expect(await desk.run(ROLLBACK)).toMatchObject({ code: 0, stdout: expect.stringContaining('Opened https://') })
    expect(desk.github.pulls).toHaveLength(1)
  })
})

describe('asking', () => {
  it('shows the rollback, and opens nothing without a yes', async () => {
    const desk = await applied()
    const asked = await desk.run('rollback --pull-request', { answer: 'n' })
    expect(asked.questions).toEqual([
      'Open a pull request at https://github.com/acme/models that reverts this apply? [y/N] ',
    ])
    expect(asked).toMatchObject({ code: 1, stdout: expect.stringMatching(/1 to delete[^]*No pull request was opened/) })
    expect(branchesOf(desk)).toEqual(['main'])
    expect((await desk.run('rollback --pull-request')).stderr).toContain('give --yes')
  })

  it('gives one JSON document', async () => {
    const desk = await applied()
    const { stdout } = await desk.run(`${ROLLBACK} --format json`)
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'opened',
      pullRequest: { url: expect.stringMatching(/^https:/), branch: BRANCH, unrestored: [] },
      plan: { outcome: 'changes' },
    })
  })
})
