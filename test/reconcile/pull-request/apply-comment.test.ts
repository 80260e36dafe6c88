import { describe, expect, it } from 'vitest'
import type { Answer, FakeGitHub } from '../../support/fake-github.ts'
import { failure, FakePlatform } from '../fake-platform.ts'
import { live, models } from '../sample.ts'
import { workspace } from '../workspace.ts'
import { firstLine, githubWithPullRequest, HEAD, LATER, NUMBER, step, type StepOutcome } from './step.ts'

const PUSH = { event: 'push', commit: LATER, run: 9 } as const
const REVIEWED = 'apply --expect reviewed --comment'

interface World {
  readonly github: FakeGitHub
  readonly platform: FakePlatform
  apply(line?: string, run?: number): Promise<StepOutcome>
  /** The comment about the apply; '' where there is none. */
  comment(): string
  /** The comment with the plan. */
  planned(): string
}

function refuse(): Answer {
  return { status: 403, body: { message: 'Resource not accessible by integration' } }
}

function broken(): Promise<Response> {
  return Promise.reject(
    new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) }),
  )
}

function unreached(): Promise<Response> {
  return Promise.reject(
    new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }),
  )
}

/** A pull request whose plan was shown, and which was merged. */
async function merged(): Promise<World> {
  const github = await githubWithPullRequest()
  const platform = new FakePlatform(live('a', 'old'))
  const cwd = workspace({ 'models/a.json': models('a', 'b') })
  await step(github, { platform, cwd })
  github.addPullRequest({ number: NUMBER, head: HEAD, merged: true, mergeCommit: LATER })
  return {
    github,
    platform,
    apply: (line = REVIEWED, run = 9) => step(github, { line, event: { ...PUSH, run }, platform, cwd }),
    planned: () => github.comments(NUMBER).find(({ body }) => body.includes('<!-- holdfast plan '))?.body ?? '',
    comment: () => github.comments(NUMBER).find(({ body }) => body.includes('<!-- holdfast apply '))?.body ?? '',
  }
}

describe('apply --expect reviewed', () => {
  it('applies the plan that the merged pull request showed, whose comment ends as what was done', async () => {
    const { github, platform, apply, planned } = await merged()
    const shown = planned()
    const { code, stdout, output, summary } = await apply()
    expect(code).toBe(0)
    expect(stdout).toContain('Applied: 1 record created, 1 record deleted')
    expect(output).toMatch(/^outcome=applied\napply=00000000-/)
    expect(platform.applied).toHaveLength(1)
    expect(github.comments(NUMBER)).toHaveLength(1)
    const [, uuid = ''] = /^apply=(.*)$/m.exec(output) ?? []
    expect(planned().split('\n').slice(0, 5)).toEqual([
      '### ✅ Applied: 1 record created, 1 record deleted on `embedded`',
      '',
      `> By \`ann\` at 2026-01-02 03:04 UTC · apply \`${uuid}\` · [run 9](https://github.example/acme/models/actions/runs/9)`,
      '>',
      `> Roll back: \`holdfast rollback ${uuid} --pull-request\``,
    ])
    expect(firstLine(summary)).toBe(firstLine(planned()))
    expect(planned()).toContain('\n- characteristics/old\n')
    // The next runs of the job still find the plan that was reviewed.
    expect(planned().split('\n').at(-1)).toBe(
      shown.split('\n').at(-1)?.replace(' changes=', ` applied=${uuid} changes=`),
    )
  })

  it('once: what was applied stays so, whatever is planned or applied again later', async () => {
    const { github, apply, planned } = await merged()
    await apply()
    await step(github, { event: { event: 'pull_request', number: NUMBER, head: HEAD, run: 30 } })
    expect(firstLine(planned())).toMatch(/^### ✅ Applied: 1 record created/)
    await apply(REVIEWED, 31)
    expect(firstLine(planned())).toMatch(/^### ✅ Applied: /)
  })

  it('names the platform in the command that undoes it', async () => {
    const github = await githubWithPullRequest()
    const [platform, cwd] = [new FakePlatform(live('a', 'old')), workspace({ 'models/a.json': models('a', 'b') })]
    const env = { HOLDFAST_URL: 'https://acme.example.com/', HOLDFAST_TOKEN: 'x' }
    const reach = (request: Request) => (request.url.startsWith(github.url) ? fetch(request) : platform.fetch(request))
    await step(github, { platform, cwd, env, reach })
    github.addPullRequest({ number: NUMBER, head: HEAD, merged: true, mergeCommit: LATER })
    await step(github, { line: REVIEWED, event: PUSH, platform, cwd, env, reach })
    const [comment] = github.comments(NUMBER)
    expect(comment?.body).toMatch(/^### ✅ Applied: .* on `acme\.example\.com`$/m)
    expect(comment?.body).toMatch(
      /^> Roll back: `holdfast rollback [\w-]+ --pull-request --url https:\/\/acme\.example\.com`$/m,
    )
  })

  it('refuses another one: nothing is applied, and the pull request is told what is different', async () => {
    const { platform, apply, comment } = await merged()
    platform.live = live('a', 'old', 'another')
    const { code, stderr } = await apply()
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /the plan is not the expected one.*\n {2}delete characteristics\/another: nobody has reviewed it$/m,
    )
    expect(platform.applied).toEqual([])
    expect(firstLine(comment())).toBe('### ❌ Not applied on `embedded`')
    expect(comment()).toContain('> **Nothing was changed on the platform.**')
    expect(comment()).not.toContain('nobody has reviewed it')
    expect(comment()).toMatch(/#### Other than reviewed\n```diff\n# .*\n\+ delete characteristics\/another\n```/)
    expect(comment()).toMatch(/#### What to do\n- .*start the workflow by hand/)
    expect(comment()).toContain('### Plan: 1 to create, 2 to delete')
  })

  it('has nothing to refuse where everything is there already', async () => {
    const { platform, apply } = await merged()
    platform.live = live('a', 'b')
    expect((await apply()).code).toBe(0)
  })

  it('says that a commit without a pull request was reviewed by nobody', async () => {
    const { github, apply } = await merged()
    github.addPullRequest({ number: NUMBER, head: HEAD })
    const { code, stderr } = await apply()
    expect(stderr).toContain(
      `the commit ${LATER} belongs to no merged pull request, so nobody has reviewed what it changes`,
    )
    expect(code).toBe(1)
  })

  it('says that a pull request shows no plan', async () => {
    const { github, platform, apply, comment } = await merged()
    github.comments(NUMBER).length = 0
    const { stderr, summary } = await apply()
    expect(stderr).toContain('pull request 5 shows no plan for embedded, so nobody has reviewed what it changes')
    expect(platform.applied).toEqual([])
    // A plan that nobody has seen may hold what only this job knows.
    expect(comment()).toMatch(/^### ❌ Not applied/)
    expect(comment()).toMatch(/#### What to do\n- .*start the workflow by hand .*\n- Add a rule for the branch/)
    expect(`${comment()}${summary}`).not.toContain('### Plan')
  })

  it('believes nobody else', async () => {
    const { github, platform, apply } = await merged()
    const [own] = github.comments(NUMBER)
    github.comments(NUMBER).length = 0
    github.addComment(NUMBER, own?.body ?? '', 'mallory')
    expect((await apply()).code).toBe(1)
    expect(platform.applied).toEqual([])
  })

  it('applies nothing where GitHub does not tell', async () => {
    const { github, platform, apply } = await merged()
    github.next('repos/list-pull-requests-associated-with-commit', refuse)
    const { code, stderr } = await apply('apply --expect reviewed')
    expect(stderr).toContain('--expect reviewed: GitHub answered 403')
    expect([code, platform.applied]).toEqual([1, []])
  })

  it('is written exactly so', async () => {
    const { apply, platform } = await merged()
    const { stderr } = await apply('apply --expect reviewd')
    expect(stderr).toContain(
      '--expect "reviewd": give the whole digest of a plan, sha256: and 64 hexadecimal digits, or "reviewed"',
    )
    expect(platform.applied).toEqual([])
  })
})

describe('apply --comment', () => {
  it('tells the pull request that guards stop the apply, with the lines that acknowledge them', async () => {
    const { platform, apply, comment } = await merged()
    platform.neverManaged = ['characteristics']
    await apply('apply --yes --comment')
    expect(comment()).toContain('a guard stops the apply; nothing was applied\n  takes-over:characteristics')
    expect(comment()).toContain('- { code: takes-over, type: characteristics, reason: … }')
  })

  it('names the records that have moved, also of a plan from a file', async () => {
    const { platform, apply, comment } = await merged()
    await apply('plan --out plan.json')
    const details = [{ type: 'characteristics', key: 'old', reason: 'somebody has changed it' }]
    platform.next('applyImport', () => failure('STALE_PLAN', 'the platform is not as the plan saw it', details))
    const { stderr } = await apply('apply plan.json --comment')
    expect(comment()).toContain('  characteristics/old: somebody has changed it')
    expect(comment()).not.toContain('#### The present plan')
    expect(stderr).toContain('  characteristics/old: somebody has changed it')
  })

  it('says that nobody knows how it ended where no answer came', async () => {
    const { platform, apply, comment } = await merged()
    platform.next('applyImport', broken, broken, broken, broken)
    await apply('apply --yes --comment')
    expect(comment()).toContain('> **Everything was applied, or nothing**')
    expect(comment()).toContain('- Run this job again when the platform answers')
  })

  it.each([524, 500, 200, 401, 413])(
    'does not take a page with the status %d for the answer of the platform',
    async (status) => {
      const { platform, apply, comment } = await merged()
      const page = () => new Response('<html>', { status })
      platform.next('applyImport', page, page, page, page)
      await apply('apply --yes --comment')
      expect(comment()).toContain('> **Everything was applied, or nothing**')
      expect(comment()).not.toContain('by another pull request')
    },
  )

  it('knows how it ended where the platform was not even reached', async () => {
    const { platform, apply, comment } = await merged()
    platform.next('applyImport', unreached, unreached, unreached, unreached)
    await apply('apply --yes --comment')
    expect(comment()).toContain('> **Nothing was changed on the platform.**')
    platform.next('applyImport', broken, unreached, unreached, unreached)
    await apply('apply --yes --comment', 10)
    expect(comment()).toContain('> **Everything was applied, or nothing**')
  })

  it('knows how it ended where the platform was lost before the apply began', async () => {
    const { platform, apply, comment } = await merged()
    await apply('plan --out plan.json')
    platform.next('apply', broken)
    await apply('apply plan.json --comment')
    expect(comment()).toContain('> **Nothing was changed on the platform.**')
  })

  it('takes it back when a later run succeeds', async () => {
    const { platform, apply, comment } = await merged()
    platform.next('applyImport', () => failure('CONFLICT', 'another apply is under way'))
    await apply('apply --yes --comment')
    expect(firstLine(comment())).toBe('### ❌ Not applied on `embedded`')
    await apply('apply --yes --comment', 10)
    expect(firstLine(comment())).toBe('### ✅ Applied: 1 record created, 1 record deleted on `embedded`')
  })

  it('does not hide how the apply ended where GitHub refuses the comment', async () => {
    const { github, platform, apply } = await merged()
    github.next('repos/list-pull-requests-associated-with-commit', refuse)
    platform.next('applyImport', () => failure('CONFLICT', 'another apply is under way'))
    const { code, stderr } = await apply('apply --yes --comment')
    expect(stderr).toMatch(/^::warning title=Holdfast::.*pull-requests: write/m)
    expect(stderr).toContain('error: another apply is under way')
    expect(code).toBe(1)
  })

  it('of a push without a pull request is said in the log and in the summary', async () => {
    const { github, platform, apply } = await merged()
    github.addPullRequest({ number: NUMBER, head: HEAD })
    platform.next('applyImport', () => failure('CONFLICT', 'another apply is under way'))
    const { stderr, summary } = await apply('apply --yes --comment')
    expect(stderr).toContain(`No comment: the commit ${LATER} belongs to no merged pull request.`)
    expect(summary).toContain('### ❌ Not applied')
  })
})
