import { describe, expect, it } from 'vitest'
import type { FakeGitHub } from '../../support/fake-github.ts'
import { FakePlatform } from '../fake-platform.ts'
import { characteristic, live, models } from '../sample.ts'
import { workspace } from '../workspace.ts'
import { firstLine, githubWithPullRequest, LATER, NUMBER, onlyComment, step } from './step.ts'

const QUEUE = { event: 'merge_group', number: NUMBER, head: LATER, run: 8 } as const

describe('plan --comment in the merge queue', () => {
  it('needs no comment where the plan is the reviewed one', async () => {
    const github = await githubWithPullRequest()
    await step(github)
    const { stderr } = await step(github, { event: QUEUE })
    expect(stderr).toContain('No comment: the plan is the reviewed one.')
    expect(github.comments(NUMBER)).toHaveLength(1)
  })

  it('takes back what it said of a plan that was another one', async () => {
    const github = await githubWithPullRequest()
    await step(github)
    await step(github, { event: QUEUE, platform: new FakePlatform(live('a', 'another')) })
    await step(github, { event: { ...QUEUE, run: 9 } })
    const [reviewed, queued] = github.comments(NUMBER)
    expect(firstLine(queued?.body ?? '')).toMatch(
      /^### In the merge queue · The plan is the reviewed one: digest `sha256:/,
    )
    expect(queued?.body).toMatch(/^<!-- holdfast queue platform=embedded commit=2{40} run=9\.1 digest=sha256:/m)
    expect(reviewed?.body).toContain('run=7.1')
  })

  it('says what is different, where other merges came first', async () => {
    const github = await githubWithPullRequest()
    await step(github)
    await step(github, { event: QUEUE, platform: new FakePlatform(live('a', 'another')) })
    const body = github.comments(NUMBER)[1]?.body ?? ''
    expect(firstLine(body)).toBe('### In the merge queue the plan is another one than in the pull request')
    expect(body).toContain('\n+ delete characteristics/another\n- delete characteristics/old\n')
    expect(body).toContain('### Plan: 1 to create, 1 to delete')
  })
})

function shownDigest(github: FakeGitHub): string {
  return /digest=(\S+)/.exec(onlyComment(github))?.[1] ?? ''
}

describe('ci still-holds --comment', () => {
  it('gives the pull request the reason and the remedy that the log has', async () => {
    const github = await githubWithPullRequest()
    const cwd = workspace({ 'models/a.json': models('a', 'b') })
    await step(github, { cwd, line: 'plan --comment --out reviewed.json' })
    const line = `ci still-holds now.json --comment --expect ${shownDigest(github)} --reviewed reviewed.json`
    await step(github, {
      cwd,
      event: QUEUE,
      line: 'plan --comment --out now.json',
      platform: new FakePlatform({ characteristics: [characteristic('a'), characteristic('old', { name: 'New' })] }),
    })
    const { code } = await step(github, { cwd, event: QUEUE, line })
    const [, queued] = github.comments(NUMBER)
    expect(queued?.body).toMatch(/^### ❌ Refused in the merge queue on `embedded`\n/)
    expect(queued?.body).toContain('a record is not as the reviewed plan saw it; bring the pull request up to date')
    expect(queued?.body).toContain('  characteristics/old: ')
    expect(queued?.body).toMatch(/#### What to do\n- Bring the branch/)
    expect([code, github.comments(NUMBER)]).toMatchObject([1, { length: 2 }])
  })

  it('corrects what it said of a plan that differs, where the reviewed one still holds', async () => {
    const github = await githubWithPullRequest()
    const cwd = workspace({ 'models/a.json': models('a', 'b') })
    await step(github, { cwd, line: 'plan --comment --out reviewed.json' })
    const line = `ci still-holds now.json --comment --expect ${shownDigest(github)} --reviewed reviewed.json`
    const platform = new FakePlatform(live('a', 'old', 'another'))
    await step(github, { cwd, event: QUEUE, line: 'plan --comment --out now.json', platform })
    const { code, stderr } = await step(github, { cwd, event: QUEUE, line })
    expect([code, stderr]).toMatchObject([0, expect.stringContaining('The comment is at ')])
    const queued = github.comments(NUMBER)[1]?.body ?? ''
    expect(firstLine(queued)).toBe('### In the merge queue · the reviewed plan still holds on `embedded`')
  })
})
