import { describe, expect, it } from 'vitest'
import { fakeGitHub } from '../../support/fake-github.ts'
import { FakePlatform } from '../fake-platform.ts'
import { live, models } from '../sample.ts'
import { holdfast } from '../run-command.ts'
import { workspace } from '../workspace.ts'
import { firstLine, githubWithPullRequest, HEAD, LATER, NUMBER, onlyComment, pullRequestJob, step } from './step.ts'

describe('plan --comment in the job of a pull request', () => {
  it('shows the plan: the verdict first, deletes in sight, what it is for in a last line', async () => {
    const github = await githubWithPullRequest()
    const { code, stderr } = await step(github)
    const body = onlyComment(github)
    expect(firstLine(body)).toBe('### Plan: 1 to create, 1 to delete on `embedded` · domain `local`')
    expect(body).toContain('\n- characteristics/old\n')
    expect(body.split('\n').at(-1)).toMatch(
      /^<!-- holdfast plan platform=embedded commit=1{40} run=7\.1 digest=sha256:[0-9a-f]{64} changes=[\w-]+ -->$/,
    )
    expect(stderr).toMatch(/^The comment is at https:\/\/github\.example\/acme\/models\/pull\/5#issuecomment-\d+\.$/m)
    expect(code).toBe(0)
  })

  it('hands over the digest, the outcome and the address of the comment', async () => {
    const github = await githubWithPullRequest()
    const { output } = await step(github)
    const [, digest] = /digest=(sha256:\w+)/.exec(onlyComment(github)) ?? []
    expect(output).toBe(
      `digest=${digest}\noutcome=changes\ncomment-url=https://github.example/acme/models/pull/5#issuecomment-1001\n`,
    )
  })

  it('writes the whole plan into the summary of the step', async () => {
    const { summary } = await step(await githubWithPullRequest())
    expect(firstLine(summary)).toBe('### Plan: 1 to create, 1 to delete on `embedded` · domain `local`')
    expect(summary).toContain('name: B · characteristicType: MEASUREMENT')
  })

  it('is about the platform that it has asked: another one has a comment of its own', async () => {
    const github = await githubWithPullRequest()
    const cwd = workspace({ 'models/a.json': models('a'), 'live.json': JSON.stringify(live('a', 'b')) })
    await step(github, { line: 'plan --comment --against live.json', cwd })
    await step(github)
    const shown = github.comments(NUMBER).map(({ body }) => /platform=(\S+)/.exec(body)?.[1])
    expect(shown).toEqual(['offline', 'embedded'])
  })

  it('links to the lines of the commit, from the root of the repository, also in a directory below it', async () => {
    const github = await githubWithPullRequest()
    const root = workspace({ 'site/models/größe #1.json': models('a', 'b') })
    github.addPullRequest({ number: NUMBER, head: HEAD, files: ['site/models/größe #1.json'] })
    await step(github, { cwd: `${root}/site`, env: { GITHUB_WORKSPACE: root } })
    expect(onlyComment(github)).toContain(
      `https://github.example/acme/models/blob/${HEAD}/site/models/gr%C3%B6%C3%9Fe%20%231.json#L1)`,
    )
  })

  it('updates its comment in place', async () => {
    const github = await githubWithPullRequest()
    const platform = new FakePlatform(live('a', 'old'))
    await step(github, { platform })
    const [{ id } = { id: 0 }] = github.comments(NUMBER)
    platform.live = live('a', 'b')
    await step(github, { platform, event: pullRequestJob({ run: 8 }) })
    expect(github.comments(NUMBER).map((comment) => comment.id)).toEqual([id])
    expect(firstLine(onlyComment(github))).toMatch(/^### ✅ No changes on `embedded`\. /)
  })

  it('ends as the plan does', async () => {
    const { code } = await step(await githubWithPullRequest(), { line: 'plan --comment --detailed-exitcode' })
    expect(code).toBe(2)
  })
})

describe('plan --comment when there is no plan', () => {
  it('says what is wrong with the models, in the place of the plan before', async () => {
    const github = await githubWithPullRequest()
    const cwd = workspace({ 'models/a.json': models('a') })
    await step(github, { cwd })
    const wrong = workspace({ 'models/a.json': '{"characteristics": [{"code": "a"}]}' })
    const { code, stderr, summary } = await step(github, { cwd: wrong, event: pullRequestJob({ run: 8 }) })
    const body = onlyComment(github)
    expect(firstLine(body)).toBe('### ❌ Not planned: 3 errors on `embedded`')
    expect(body).toContain(
      `- **error** \`missing-key\` [\`models/a.json:1:22\`](https://github.example/acme/models/blob/${HEAD}`,
    )
    expect(body).not.toContain('digest=')
    expect(summary).toContain('### ❌ Not planned')
    expect(stderr).toMatch(/^::error file=models\/a\.json,line=1,col=22,title=missing-key::/m)
    expect(code).toBe(1)
  })

  it('says what to do where the pull request leaves no models', async () => {
    const github = await githubWithPullRequest()
    await step(github, { cwd: workspace({ 'README.md': '' }) })
    expect(onlyComment(github)).toContain('no models in models: it does not exist')
    expect(onlyComment(github)).toMatch(/#### What to do\n- If the models are in another directory now, .*\n- If every/)
  })

  it('says that the platform does not answer', async () => {
    const github = await githubWithPullRequest()
    const platform = new FakePlatform()
    platform.next('planImport', () =>
      Promise.reject(
        new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }),
      ),
    )
    const { code } = await step(github, { platform })
    expect(firstLine(onlyComment(github))).toBe('### ❌ Not planned on `embedded`')
    expect(onlyComment(github)).toMatch(/^no answer from /m)
    expect(code).toBe(1)
  })
})

describe('plan --comment for a commit that is not the head any more', () => {
  it('says so', async () => {
    const github = await githubWithPullRequest()
    github.addPullRequest({ number: NUMBER, head: LATER })
    await step(github)
    expect(onlyComment(github)).toMatch(
      /^> \*\*Not the latest commit\*\*: this is about \[`1111111`\]\(\S+\), and the pull request is at \[`2222222`\]\(\S+\) by now\.$/m,
    )
  })

  it('leaves the plan of the head as it is, also when its own run is the later one', async () => {
    const github = await githubWithPullRequest()
    github.addPullRequest({ number: NUMBER, head: LATER })
    await step(github, { event: pullRequestJob({ head: LATER, run: 7 }) })
    const before = onlyComment(github)
    const { stderr } = await step(github, { event: pullRequestJob({ run: 9 }) })
    expect(onlyComment(github)).toBe(before)
    expect(stderr).toContain('(it shows the plan of the newer run 7)')
  })
})

describe('an older run', () => {
  it.each([
    ['of less than the number', { run: 6 }],
    ['of an attempt before', { run: 7, attempt: 1 }],
  ])('%s writes over nothing', async (_, older) => {
    const github = await githubWithPullRequest()
    await step(github, { event: pullRequestJob({ run: 7, attempt: 2 }) })
    const before = onlyComment(github)
    await step(github, { event: pullRequestJob(older), platform: new FakePlatform() })
    expect(onlyComment(github)).toBe(before)
  })
})

describe('plan --comment in another job', () => {
  it('of a push has no pull request to comment on, and says so', async () => {
    const github = await githubWithPullRequest()
    const { code, stderr, summary } = await step(github, { event: { event: 'push', commit: HEAD } })
    expect(stderr).toContain('No comment: the event "push" belongs to no pull request.')
    expect(firstLine(summary)).toMatch(/^### Plan: /)
    expect([code, github.asked]).toEqual([0, []])
  })
})

describe('plan --comment outside of GitHub Actions', () => {
  it('says what is missing, before anything is planned', async () => {
    const cwd = workspace({ 'models/a.json': models('a') })
    const { code, stdout, stderr } = await holdfast('plan --comment', { cwd, platform: new FakePlatform() })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(
      '--comment works inside a job of GitHub Actions; missing in the environment: GITHUB_TOKEN (',
    )
    expect(stderr).toContain('--format markdown')
  })

  it('names only what is missing', async () => {
    const github = await fakeGitHub()
    const { stderr } = await step(github, { env: { GITHUB_TOKEN: undefined } })
    expect(stderr).toContain(
      'missing in the environment: GITHUB_TOKEN (give it to the step: `env: { GITHUB_TOKEN: ${{ github.token }} }`).',
    )
  })

  it('says that the event cannot be read', async () => {
    const github = await fakeGitHub()
    const { stderr } = await step(github, { env: { GITHUB_EVENT_PATH: '/nowhere/event.json' } })
    expect(stderr).toContain('GITHUB_EVENT_PATH /nowhere/event.json cannot be read: it does not exist')
  })
})
