import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { markerLine, type Marker } from '../../../src/reconcile/pull-request/marker.ts'
import { fakeGitHub, type FakeGitHub } from '../../support/fake-github.ts'
import { holdfast } from '../run-command.ts'
import { workspace } from '../workspace.ts'

// Which plan a merged pull request showed: that is the one to apply.

const HEAD = 'a'.repeat(40)
const MERGE = 'b'.repeat(40)
const DIGEST = `sha256:${'1'.repeat(64)}`

async function merged(): Promise<FakeGitHub> {
  const github = await fakeGitHub()
  github.addPullRequest({ number: 7, head: HEAD, merged: true, mergeCommit: MERGE })
  return github
}

function shows(github: FakeGitHub, marker: Partial<Marker> = {}, user = 'github-actions[bot]'): void {
  const run = { id: 42, attempt: 1 }
  const whole = {
    kind: 'plan',
    platform: 'acme.example',
    models: 'models',
    commit: HEAD,
    run,
    digest: DIGEST,
    ...marker,
  } as const
  github.addComment(7, `### Plan\n\n${markerLine(whole)}`, user)
}

async function ask(
  github: FakeGitHub,
  event: Parameters<FakeGitHub['environment']>[0] = { event: 'push', commit: MERGE },
) {
  const env = github.environment(event)
  const { code, stderr } = await holdfast('ci reviewed-plan --url https://acme.example', {
    cwd: workspace(),
    env,
    fetch: (request) => fetch(request),
  })
  return {
    code,
    stderr,
    outputs: readFileSync(env['GITHUB_OUTPUT'] ?? '', 'utf8')
      .split('\n')
      .filter(Boolean),
  }
}

describe('holdfast ci reviewed-plan', () => {
  it('says digest and run of the plan that the merged pull request showed', async () => {
    const github = await merged()
    shows(github)
    expect(await ask(github)).toMatchObject({
      code: 0,
      outputs: ['pull-request=7', `digest=${DIGEST}`, 'run-id=42'],
    })
  })

  it('and of the one that is in the merge queue', async () => {
    const github = await merged()
    shows(github)
    shows(github, { kind: 'queue', digest: `sha256:${'2'.repeat(64)}`, commit: MERGE })
    const { outputs } = await ask(github, { event: 'merge_group', number: 7, head: MERGE })
    expect(outputs).toEqual(['pull-request=7', `digest=${DIGEST}`, 'run-id=42'])
  })

  it('gives no run where the plan is of an older commit: what came later was not in it', async () => {
    const github = await merged()
    shows(github, { commit: 'c'.repeat(40) })
    const { outputs, stderr } = await ask(github)
    expect(outputs).toEqual(['pull-request=7', `digest=${DIGEST}`])
    expect(stderr).toContain('not of its last one')
  })

  it.each<[string, (github: FakeGitHub) => void]>([
    ['there is no comment', () => {}],
    ['the comment is for another platform', (github) => shows(github, { platform: 'other.example' })],
    ['somebody else has written it', (github) => shows(github, {}, 'mallory')],
    ['the plan could not be made', (github) => shows(github, { digest: null })],
  ])('gives nothing where %s', async (_, prepare) => {
    const github = await merged()
    prepare(github)
    expect(await ask(github)).toMatchObject({ code: 0, outputs: [], stderr: expect.stringContaining('shows no plan') })
  })

  it('gives nothing for a commit that nobody proposed', async () => {
    const github = await merged()
    const { code, outputs, stderr } = await ask(github, { event: 'push', commit: 'd'.repeat(40) })
    expect({ code, outputs }).toEqual({ code: 0, outputs: [] })
    expect(stderr).toContain('belongs to no merged pull request')
  })

  it('takes the pull request into the branch that was pushed to, and none into another one', async () => {
    const github = await fakeGitHub()
    github.addPullRequest({ number: 7, head: HEAD, base: 'release', merged: true, mergeCommit: MERGE })
    shows(github)
    const { outputs, stderr } = await ask(github)
    expect({ outputs, stderr }).toMatchObject({
      outputs: [],
      stderr: expect.stringContaining('no merged pull request'),
    })
    github.addPullRequest({ number: 8, head: HEAD, merged: true, mergeCommit: MERGE })
    expect((await ask(github)).stderr).toContain('Pull request 8 shows no plan')
  })

  it.each([
    [401, 'GitHub does not accept the token'],
    [403, 'add "pull-requests: read" to the permissions of the job'],
    [404, 'GitHub answered 404'],
  ])('names the remedy if GitHub answers %i', async (status, remedy) => {
    const github = await merged()
    const body = { message: 'no', documentation_url: 'https://docs.github.com/rest' }
    github.next('repos/list-pull-requests-associated-with-commit', () => ({ status, body }))
    const { code, stderr } = await ask(github)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(remedy) })
    expect(stderr).toMatch(/^error: the reviewed plan was not found: .*; nothing was applied$/m)
    expect(stderr).not.toContain('report it')
  })

  it('names the remedy if there is no connection to GitHub', async () => {
    // The client of GitHub waits for 14 s between its attempts.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const lost = new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) })
    const env = (await merged()).environment({ event: 'push', commit: MERGE })
    const fetch = () => Promise.reject(lost)
    const line = 'ci reviewed-plan --url https://acme.example'
    const asked = holdfast(line, { cwd: workspace(), env, fetch })
    while ((await Promise.race([asked, vi.advanceTimersByTimeAsync(1_000)])) === vi);
    expect(await asked).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^error: the reviewed plan was not found: no answer from GitHub at http:\S+: nothing listens there; nothing was applied$/m,
      ),
    })
  })

  it('outside of a job says what is missing', async () => {
    const outcome = await holdfast('ci reviewed-plan', { cwd: workspace() })
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('GITHUB_TOKEN') })
  })
})
