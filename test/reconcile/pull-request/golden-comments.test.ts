import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/lib/json.ts'
import { fakeGitHub } from '../../support/fake-github.ts'
import { golden } from '../../support/golden.ts'
import { htmlOf, readPage } from '../../plan/render/comment-html.ts'
import { failure, FakePlatform } from '../fake-platform.ts'
import { characteristic } from '../sample.ts'
import { workspace } from '../workspace.ts'
import { githubWithPullRequest, HEAD, LATER, NUMBER, onlyComment, step } from './step.ts'

// What people see on GitHub. `UPDATE_GOLDEN=1 npx vitest run test/reconcile/pull-request` writes the files anew.

function file(name: string): URL {
  return new URL(`golden/${name}.md`, import.meta.url)
}

/** Packed by zlib, whose versions pack differently. */
function stable(body: string): string {
  return body.replace(/ changes=[\w-]+/, ' changes=…')
}

/** The HTML comments in it, by their first words. */
function comments(body: string): (string | undefined)[] {
  return readPage(htmlOf(body)).comments.map((comment) => comment.split(' ')[1])
}

const PUSH = { event: 'push', commit: LATER, run: 9 } as const

function heating(more: JsonObject = {}): string {
  const sensors = ['flow', 'return', 'room'].map((code) => characteristic(`${code}-temperature`, { symbol: '°C' }))
  return JSON.stringify(
    { characteristics: [...sensors, characteristic('humidity', { name: 'Humidity <b>@all</b>', ...more })] },
    null,
    2,
  )
}

/** A house whose rooms have been called otherwise before, and which has one sensor too many. */
function house(): FakePlatform {
  const old = ['flow', 'return'].map((code) => characteristic(`${code}-temperature`, { symbol: 'C' }))
  return new FakePlatform({ characteristics: [...old, characteristic('flue-gas'), characteristic('humidity')] })
}

describe('the comment', () => {
  it('with a plan', async () => {
    const github = await githubWithPullRequest()
    await step(github, { platform: house(), cwd: workspace({ 'models/heating.json': heating() }) })
    const body = onlyComment(github)
    expect(`${stable(body)}\n`).toBe(golden(file('plan'), `${stable(body)}\n`))
    expect(comments(body)).toEqual(['holdfast'])
  })

  it('with a plan of a commit that is not the latest', async () => {
    const github = await githubWithPullRequest()
    github.addPullRequest({ number: NUMBER, head: LATER })
    await step(github, { platform: house(), cwd: workspace({ 'models/heating.json': heating() }) })
    const body = onlyComment(github)
    expect(`${stable(body)}\n`).toBe(golden(file('stale'), `${stable(body)}\n`))
    expect(comments(body)).toEqual(['holdfast'])
  })

  it('without a plan', async () => {
    const github = await githubWithPullRequest()
    const wrong = heating({ dataType: 'FLAOT', unit: '%' })
    await step(github, { platform: house(), cwd: workspace({ 'models/heating.json': wrong }) })
    const body = onlyComment(github)
    expect(`${stable(body)}\n`).toBe(golden(file('not-planned'), `${stable(body)}\n`))
    expect(comments(body)).toEqual(['holdfast'])
  })

  it('of the merge queue', async () => {
    const github = await githubWithPullRequest()
    const [platform, cwd] = [house(), workspace({ 'models/heating.json': heating() })]
    await step(github, { platform, cwd })
    platform.live = { characteristics: [characteristic('humidity', { name: 'Moisture' }), characteristic('added')] }
    await step(github, { platform, cwd, event: { event: 'merge_group', number: NUMBER, head: LATER, run: 8 } })
    const body = github.comments(NUMBER)[1]?.body ?? ''
    expect(`${stable(body)}\n`).toBe(golden(file('queue'), `${stable(body)}\n`))
    expect(comments(body)).toEqual(['holdfast'])
  })

  it('about an apply that was refused', async () => {
    const github = await githubWithPullRequest()
    const [platform, cwd] = [house(), workspace({ 'models/heating.json': heating() })]
    await step(github, { platform, cwd })
    github.addPullRequest({ number: NUMBER, head: HEAD, merged: true, mergeCommit: LATER })
    platform.live = { characteristics: [characteristic('humidity', { name: 'Moisture' }), characteristic('added')] }
    await step(github, { platform, cwd, event: PUSH, line: 'apply --expect reviewed --comment' })
    const body = github.comments(NUMBER)[1]?.body ?? ''
    expect(`${stable(body)}\n`).toBe(golden(file('not-applied'), `${stable(body)}\n`))
    expect(comments(body)).toEqual(['holdfast'])
  })

  it('about records that have moved since the review', async () => {
    const github = await githubWithPullRequest()
    const [platform, cwd] = [house(), workspace({ 'models/heating.json': heating() })]
    await step(github, { platform, cwd, line: 'plan --comment --out plan.json' })
    github.addPullRequest({ number: NUMBER, head: HEAD, merged: true, mergeCommit: LATER })
    const details = [{ type: 'characteristics', key: 'humidity', reason: 'it was changed since' }]
    platform.next('applyImport', () => failure('STALE_PLAN', 'a record is not as the plan saw it', details))
    await step(github, { platform, cwd, event: PUSH, line: 'apply plan.json --comment' })
    const body = github.comments(NUMBER)[1]?.body ?? ''
    expect(`${stable(body)}\n`).toBe(golden(file('moved'), `${stable(body)}\n`))
    expect(comments(body)).toEqual(['holdfast'])
  })
})

describe('the issue', () => {
  it('about drift', async () => {
    const github = await fakeGitHub()
    const cwd = workspace({ 'models/heating.json': heating() })
    const platform = house()
    platform.isDrifted = true
    await step(github, { platform, cwd, event: PUSH, line: 'plan --drift-issue' })
    const body = github.issues()[0]?.body ?? ''
    expect(`${stable(body)}\n`).toBe(golden(file('drift'), `${stable(body)}\n`))
    expect(comments(body)).toEqual(['holdfast'])
  })
})
