import { describe, expect, it } from 'vitest'
import type { Answer, FakeGitHub } from '../../support/fake-github.ts'
import { models } from '../sample.ts'
import { workspace } from '../workspace.ts'
import { markerLine, readMarker } from '../../../src/reconcile/pull-request/marker.ts'
import { firstLine, githubWithPullRequest, HEAD, NUMBER, onlyComment, pullRequestJob, step } from './step.ts'

const DOCUMENTATION = 'https://docs.github.com/rest'

function answer(status: number, message: string, headers: { [name: string]: string } = {}): () => Answer {
  return () => ({ status, headers, body: { message, documentation_url: DOCUMENTATION } })
}

describe('among many comments', () => {
  it('finds its own on a later page', async () => {
    const github = await githubWithPullRequest()
    for (let index = 0; index < 120; index += 1) github.addComment(NUMBER, `comment ${index}`)
    await step(github)
    await step(github, { event: pullRequestJob({ run: 8 }) })
    expect(github.comments(NUMBER)).toHaveLength(121)
    expect(onlyComment(github)).toContain('run=8.1')
  })

  it('somebody else may write what looks like it', async () => {
    const github = await githubWithPullRequest()
    const marker = markerLine({
      kind: 'plan',
      platform: 'embedded',
      models: 'models',
      commit: HEAD,
      run: { id: 999, attempt: 1 },
      digest: `sha256:${'0'.repeat(64)}`,
    })
    const copy = github.addComment(NUMBER, `### Plan: nothing to see here\n\n${marker}`, 'mallory')
    await step(github)
    expect(copy.body).toContain('nothing to see here')
    expect(onlyComment(github)).toContain('run=7.1')
  })
})

describe('two runs at once', () => {
  it('that both see no comment leave one', async () => {
    const github = await githubWithPullRequest()
    let waiting: (() => void)[] = []
    const together = async (proceed: () => Answer) => {
      const seen = proceed()
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        if (waiting.length === 2) waiting.forEach((go) => go())
      })
      return seen
    }
    github.next('issues/list-comments', together, together)
    await Promise.all([step(github), step(github, { event: pullRequestJob({ run: 8 }) })])
    expect(github.asked.filter((operation) => operation === 'issues/create-comment')).toHaveLength(2)
    expect(onlyComment(github)).toContain('run=8.1')
  })
})

describe('GitHub refuses', () => {
  it('a comment that is too long: then it becomes shorter', async () => {
    const github = await githubWithPullRequest({ longestBody: 20_000 })
    const cwd = workspace({ 'models/a.json': models(...[...Array(400).keys()].map((index) => `sensor-${index}`)) })
    const { code, summary } = await step(github, { cwd })
    expect(onlyComment(github)).toMatch(
      /^> Too long for one comment; left out: .*The \[summary of this run\]\(\S+\) shows everything\.$/m,
    )
    expect(summary).toContain('`sensor-399`')
    expect(code).toBe(0)
  })

  it('a job without the permission: it shows the plan, names the permission, and fails', async () => {
    const github = await githubWithPullRequest({ readOnly: true })
    const { code, stderr, stdout, summary } = await step(github)
    expect(stderr).toMatch(/^::warning title=Holdfast::.*add "pull-requests: write" to the permissions of the job/m)
    expect(stderr).toContain('issues=write; pull_requests=write')
    expect(stdout + summary).toContain('1 to create, 1 to delete')
    expect(code).toBe(1)
  })

  it('the job of a fork, which may only read', async () => {
    const github = await githubWithPullRequest({ readOnly: true })
    const { code, stderr } = await step(github, { event: pullRequestJob({ fork: true }) })
    expect(stderr).toMatch(/^::warning title=Holdfast::.*the pull request comes from a fork/m)
    expect(code).toBe(0)
  })

  it('a token that has ended', async () => {
    const github = await githubWithPullRequest()
    const { code, stderr } = await step(github, { env: { GITHUB_TOKEN: 'ghs_old' } })
    expect(stderr).toContain('GitHub does not accept the token')
    expect(stderr).not.toContain('ghs_old')
    expect(code).toBe(1)
  })

  it('what it does not know', async () => {
    const github = await githubWithPullRequest()
    const { stderr } = await step(github, { env: { GITHUB_REPOSITORY: 'acme/another' } })
    expect(stderr).toContain('GitHub answered 404: Not Found')
  })
})

function asked(github: FakeGitHub, operation: string): number {
  return github.asked.filter((one) => one === operation).length
}

describe('GitHub asks for patience', () => {
  it.each([
    ['a secondary rate limit', answer(403, 'You have exceeded a secondary rate limit.', { 'retry-after': '1' })],
    [
      'a primary rate limit',
      answer(429, 'API rate limit exceeded', { 'retry-after': '1', 'x-ratelimit-remaining': '0' }),
    ],
    ['a broken server', answer(502, 'Server Error')],
  ])('%s when a comment is made: it is made later, once', async (_, trouble) => {
    const github = await githubWithPullRequest()
    github.next('issues/create-comment', trouble)
    await step(github)
    expect(firstLine(onlyComment(github))).toMatch(/^### Plan: /)
    expect(asked(github, 'issues/list-comments')).toBeGreaterThan(asked(github, 'issues/create-comment'))
  })

  it('an answer that is lost after the comment was made: it is not made twice', async () => {
    const github = await githubWithPullRequest()
    github.next('issues/create-comment', (proceed) => {
      proceed()
      return answer(504, 'Gateway Timeout')()
    })
    await step(github)
    expect(asked(github, 'issues/create-comment')).toBe(1)
    expect(firstLine(onlyComment(github))).toMatch(/^### Plan: /)
  })

  it('when its own comment is gone in between: it makes another one', async () => {
    const github = await githubWithPullRequest()
    await step(github)
    github.next('issues/update-comment', (proceed) => {
      github.comments(NUMBER).length = 0
      return proceed()
    })
    await step(github, { event: pullRequestJob({ run: 8 }) })
    expect(onlyComment(github)).toContain('run=8.1')
  })

  it('a broken server when it is read', async () => {
    const github = await githubWithPullRequest()
    github.next('pulls/get', answer(503, 'Service Unavailable'))
    await step(github)
    expect(firstLine(onlyComment(github))).toMatch(/^### Plan: /)
  })

  it('for longer than a job waits: then it says so and fails', async () => {
    const github = await githubWithPullRequest()
    github.next('issues/create-comment', answer(403, 'secondary rate limit', { 'retry-after': '3600' }))
    const { code, stderr } = await step(github)
    expect(stderr).toContain("GitHub's rate limit is used up; it asks to wait for 3600 s")
    expect(code).toBe(1)
  })
})

describe('a repository that has been renamed', () => {
  it('is found where it is now', async () => {
    const github = await githubWithPullRequest({ formerly: 'acme/old' })
    await step(github, { env: { GITHUB_REPOSITORY: 'acme/old' } })
    await step(github, { env: { GITHUB_REPOSITORY: 'acme/old' }, event: pullRequestJob({ run: 8 }) })
    expect(readMarker(onlyComment(github))?.run).toEqual({ id: 8, attempt: 1 })
  })
})
