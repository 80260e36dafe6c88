import { describe, expect, it } from 'vitest'
import { fakeGitHub, type FakeGitHub } from '../../support/fake-github.ts'
import type { FakeIssue } from '../../support/fake-github-data.ts'
import { FakePlatform } from '../fake-platform.ts'
import type { JsonObject } from '../../../src/lib/json.ts'
import { live, models } from '../sample.ts'
import { workspace } from '../workspace.ts'
import { HEAD, step, type StepOutcome } from './step.ts'

function look(github: FakeGitHub, run: number, platform: FakePlatform, cwd?: string): Promise<StepOutcome> {
  const event = { event: 'schedule', commit: HEAD, run } as const
  return step(github, { line: 'plan --drift-issue', event, platform, ...(cwd !== undefined && { cwd }) })
}

const drifted = () => changedByHand(live('a', 'b', 'made-in-the-console'))
function changedByHand(document: JsonObject): FakePlatform {
  const platform = new FakePlatform(document)
  platform.isDrifted = true
  return platform
}

const asItShouldBe = () => new FakePlatform(live('a', 'b'))

function only(github: FakeGitHub): FakeIssue {
  const [issue, ...others] = github.issues().filter(({ user }) => user === github.login)
  expect(others).toEqual([])
  if (issue === undefined) throw new Error('there is no issue')
  return issue
}

describe('plan --drift-issue', () => {
  it('opens an issue with the plan', async () => {
    const github = await fakeGitHub()
    const { code, stderr } = await look(github, 1, drifted())
    const issue = only(github)
    expect(issue.title).toBe('Drift: 1 record of embedded is not as the models say')
    expect([issue.state, issue.labels]).toEqual(['open', ['holdfast-drift']])
    expect(issue.body).toContain('\n- characteristics/made-in-the-console\n')
    expect(issue.body).toMatch(/<!-- holdfast drift platform=embedded commit=1{40} run=1\.1 digest=sha256:\w+ -->$/)
    expect(stderr).toContain('The drift is in https://github.example/acme/models/issues/')
    expect(code).toBe(0)
  })

  it('changes it, closes it and opens it again: it stays the same issue', async () => {
    const github = await fakeGitHub()
    await look(github, 1, drifted())
    await look(github, 2, changedByHand(live('a')))
    expect(only(github).body).toContain('`b` · [')
    await look(github, 3, asItShouldBe())
    expect(only(github)).toMatchObject({
      title: 'No drift any more: embedded',
      state: 'closed',
      state_reason: 'completed',
    })
    expect(only(github).body).toContain('### No drift any more')
    await look(github, 4, drifted())
    expect(only(github)).toMatchObject({ state: 'open' })
  })

  it('closes it without a claim about secrets that nobody could compare', async () => {
    const github = await fakeGitHub()
    const user = { username: 'gateway', password: '${env:GATEWAY_PASSWORD}' }
    const cwd = workspace({
      'models/a.json': models('a', 'b'),
      'models/users.json': JSON.stringify({ machineUsers: [user] }),
    })
    await look(github, 1, changedByHand({ ...live('a', 'b', 'made-in-the-console'), machineUsers: [user] }), cwd)
    await look(github, 2, new FakePlatform({ ...live('a', 'b'), machineUsers: [user] }), cwd)
    expect(only(github).state).toBe('closed')
    expect(only(github).body).toContain('Not compared: 1 secret (`machineUsers/gateway`)')
    expect(only(github).body).not.toContain('is as the models say')
  })

  it('opens it for what somebody changed in fields that no model names', async () => {
    const github = await fakeGitHub()
    const platform = asItShouldBe()
    const change = { actor: 'grace', at: '2026-05-01T10:00:00.000Z' }
    platform.drift = [{ type: 'characteristics', key: 'a', field: 'precision', before: null, after: 2, ...change }]
    const { stdout, code } = await look(github, 1, platform)
    expect([stdout.split('\n', 1)[0], code]).toEqual([expect.stringMatching(/^No changes on \S+\./), 0])
    expect(only(github).title).toBe(
      'Drift on embedded: somebody changed 1 field of 1 record that the models do not name',
    )
    expect(only(github).body).toContain('# by grace at 2026-05-01 10:00 UTC')
    await look(github, 2, asItShouldBe())
    expect(only(github).state).toBe('closed')
  })

  it('is none for what is merged and waits to be applied', async () => {
    const github = await fakeGitHub()
    const { code, stderr } = await look(github, 1, new FakePlatform(live('a')))
    expect(code).toBe(0)
    expect(stderr).toContain('1 change of the models waits to be applied, which is no drift.')
    expect(github.issues()).toEqual([])
  })

  it('makes none where there never was drift', async () => {
    const github = await fakeGitHub()
    await look(github, 1, asItShouldBe())
    expect(github.issues()).toEqual([])
  })

  it('leaves alone what somebody else has opened under the same label', async () => {
    const github = await fakeGitHub()
    const other = github.addIssue({ title: 'mine', labels: ['holdfast-drift'] })
    await look(github, 1, drifted())
    const copy = github.addIssue({
      title: 'copy',
      labels: ['holdfast-drift'],
      body: only(github).body,
      user: 'mallory',
    })
    await look(github, 2, asItShouldBe())
    expect([other.state, copy.state, only(github).state]).toEqual(['open', 'open', 'closed'])
  })

  it('finds its own among more than a page of others', async () => {
    const github = await fakeGitHub()
    for (let index = 0; index < 120; index += 1) github.addIssue({ labels: ['holdfast-drift'] })
    await look(github, 1, drifted())
    await look(github, 2, drifted())
    expect(only(github).body).toContain('run=2.1')
  })

  it('of an older run changes nothing', async () => {
    const github = await fakeGitHub()
    await look(github, 5, drifted())
    await look(github, 4, asItShouldBe())
    expect(only(github)).toMatchObject({ state: 'open' })
  })

  it('fails where nobody is told', async () => {
    const github = await fakeGitHub({ readOnly: true })
    const { code, stderr } = await look(github, 1, drifted())
    expect(stderr).toMatch(/error: the issue about drift is not up to date: .*add "issues: write" to the permissions/)
    expect(code).toBe(1)
  })

  it('waits where GitHub asks for it', async () => {
    const github = await fakeGitHub()
    github.next('issues/create', () => ({
      status: 403,
      headers: { 'retry-after': '1' },
      body: { message: 'secondary rate limit', documentation_url: 'https://docs.github.com/rest' },
    }))
    expect((await look(github, 1, drifted())).code).toBe(0)
    expect(only(github).state).toBe('open')
  })
})
