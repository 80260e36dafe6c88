import { beforeEach, describe, expect, it } from 'vitest'
import type { Forge } from '../../../src/reconcile/forge/forge.ts'
import { giteaForge } from '../../../src/reconcile/forge/gitea.ts'
import { gitlabForge } from '../../../src/reconcile/forge/gitlab.ts'
import type { Io } from '../../../src/shell/io.ts'
import { PERSON, type FakeForge } from '../../support/fake-forge.ts'
import { FakeGitea, GITEA } from '../../support/fake-gitea.ts'
import { FakeGitLab, GITLAB, PROJECT } from '../../support/fake-gitlab.ts'

// One suite for every forge, against fakes of their documented APIs. GitHub's own is tested through the comments.

const noWait = () => Promise.resolve()

function ioOf(fetch: Io['fetch']): Io {
  return { fetch, now: Date.now, signal: new AbortController().signal, wait: noWait } as unknown as Io
}

const FORGES = [
  {
    name: 'GitLab',
    open() {
      const fake = new FakeGitLab()
      const place = {
        apiUrl: `${GITLAB}/api/v4`,
        repositoryUrl: `${GITLAB}/${PROJECT.path}`,
        project: String(PROJECT.id),
      }
      return { fake, open: (token = fake.token) => gitlabForge({ ...place, token }, ioOf(fake.fetch)) }
    },
  },
  {
    name: 'Gitea',
    open() {
      const fake = new FakeGitea()
      const place = { apiUrl: `${GITEA}/api/v1`, owner: 'acme', repo: 'models' }
      return { fake, open: (token = fake.token) => giteaForge({ ...place, token }, ioOf(fake.fetch)) }
    },
  },
]

it('GitLab without a token says which one it needs', () => {
  expect(() => FORGES[0]?.open().open('')).toThrow('set HOLDFAST_GITLAB_TOKEN')
})

it('GitLab does not say which files are changed where it lists only some', async () => {
  const fake = new FakeGitLab()
  const place = { apiUrl: `${GITLAB}/api/v4`, repositoryUrl: GITLAB, project: String(PROJECT.id), token: fake.token }
  fake.addPull(
    5,
    'a1',
    Array.from({ length: 1_001 }, (_, index) => `${index}.yaml`),
  )
  expect(await gitlabForge(place, ioOf(fake.fetch)).changedFiles(5)).toBe(null)
})

describe.each(FORGES)('$name', ({ open: openBoth }) => {
  let fake: FakeForge
  let openForge: (token?: string) => Forge
  let forge: Forge
  beforeEach(() => {
    const both = openBoth()
    fake = both.fake
    openForge = both.open
    forge = openForge()
  })

  it('keeps the comments of the job apart from those of people', async () => {
    const pull = fake.addPull(5, 'a1')
    fake.comment(pull, PERSON, 'mine')
    const id = await forge.createComment(5, 'first')
    await forge.updateComment(5, id, 'second')
    const [own, ...others] = await forge.ownComments(5)
    expect(own).toMatchObject({ id, body: 'second', url: expect.stringMatching(/^https:.*5#/) })
    expect(others).toEqual([])
    await forge.deleteComment(5, id)
    expect(await forge.ownComments(5)).toEqual([])
    expect(pull.comments.map(({ body }) => body)).toEqual(['mine'])
    await expect(forge.updateComment(5, id, 'third')).rejects.toMatchObject({ status: 404 })
  })

  it('finds all of them, however many there are, and all files', async () => {
    const files = Array.from({ length: 130 }, (_, index) => `models/${index}.yaml`)
    fake.addPull(5, 'a1', files)
    for (let number = 0; number < 120; number += 1) await forge.createComment(5, `${number}`)
    expect(await forge.ownComments(5)).toHaveLength(120)
    expect((await forge.changedFiles(5))?.map(({ path }) => path)).toEqual(files)
  })

  it('tells the head of a pull request, and which one brought a commit to a branch', async () => {
    fake.addPull(5, 'a1')
    fake.addPull(5, 'a2')
    expect(await forge.headOf(5)).toBe('a2')
    expect(await forge.mergedPullRequest('b1', 'main')).toBeNull()
    fake.merge(5, 'b1')
    expect(await forge.mergedPullRequest('b1', 'main')).toBe(5)
    expect(await forge.mergedPullRequest('b1', 'other')).toBeNull()
  })

  it('finds the open pull request of a branch of its own, and none of a fork', async () => {
    const { branch } = Object.assign(fake.addPull(5, 'a1'), { isOfFork: true })
    expect(await forge.openPullRequest(branch)).toBeNull()
    const made = await forge.createPullRequest({ branch, into: 'main', title: 'x', body: '' })
    expect(await forge.openPullRequest(branch)).toEqual(made)
  })

  it('opens, changes and closes an issue with a label', async () => {
    fake.addIssue({ author: PERSON, labels: ['drift'], title: 'Theirs', body: '' })
    const { number, url } = await forge.createIssue('drift', { title: 'One', body: 'x' })
    await forge.createIssue('drift', { title: 'Two', body: 'y' })
    await forge.updateIssue(number, { state: { closed: 'done' }, body: 'z' })
    expect(await forge.ownIssues('drift')).toMatchObject([
      { number, url, isOpen: false, body: 'z' },
      { isOpen: true, body: 'y' },
    ])
    await forge.updateIssue(number, { state: 'open', title: 'Again' })
    expect(fake.issues[number - 1]).toMatchObject({ state: 'open', title: 'Again', body: 'z' })
    expect(await forge.ownIssues('other')).toEqual([])
  })

  it('asks again where a read failed, and sends once what changes something', async () => {
    fake.addPull(5, 'a1')
    fake.failures.push(502, 503)
    expect(await forge.headOf(5)).toBe('a1')
    fake.failures.push(500, 500, 500)
    await expect(forge.headOf(5)).rejects.toMatchObject({ status: 500 })
    const before = fake.requests.length
    await expect(forge.createComment(6, 'x')).rejects.toMatchObject({ status: 404 })
    expect(fake.requests.slice(before)).toHaveLength(1)
  })

  it('does not take a part of an answer, or another answer, for an empty list', async () => {
    const pull = fake.addPull(5, 'a1', ['models/a.yaml'])
    await forge.createComment(5, 'mine')
    fake.failures.push('cut')
    expect(await forge.ownComments(5)).toHaveLength(1)
    fake.failures.push('cut', 'cut', 'cut')
    await expect(forge.changedFiles(pull.number)).rejects.toMatchObject({ name: 'UnansweredError', status: 500 })
    fake.failures.push('odd')
    await expect(forge.ownComments(5)).rejects.toThrow('the forge answers without a list')
  })

  it('says that it does not accept a token', async () => {
    fake.addPull(5, 'a1')
    await expect(openForge('wrong').headOf(5)).rejects.toMatchObject({ status: 401, response: { data: {} } })
  })
})
