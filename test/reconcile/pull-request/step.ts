import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { fakeGitHub, type FakeGitHub, type FakeGitHubOptions } from '../../support/fake-github.ts'
import type { FakeEvent } from '../../support/fake-github-environment.ts'
import { FakePlatform } from '../fake-platform.ts'
import { live, models } from '../sample.ts'
import { holdfast, type Outcome } from '../run-command.ts'
import { workspace } from '../workspace.ts'

export const HEAD = '1111111111111111111111111111111111111111'
export const LATER = '2222222222222222222222222222222222222222'
export const NUMBER = 5

/** GitHub with one pull request. */
export async function githubWithPullRequest(options: FakeGitHubOptions = {}): Promise<FakeGitHub> {
  const github = await fakeGitHub(options)
  github.addPullRequest({ number: NUMBER, head: HEAD })
  return github
}

export function pullRequestJob(
  more: { run?: number; attempt?: number; head?: string; fork?: boolean } = {},
): FakeEvent {
  return { event: 'pull_request', number: NUMBER, head: HEAD, ...more }
}

export interface Step {
  readonly line?: string
  readonly event?: FakeEvent
  readonly platform?: FakePlatform
  readonly cwd?: string
  /** The network; the real one where it is not given. */
  readonly reach?: (request: Request) => Promise<Response>
  readonly env?: { readonly [name: string]: string | undefined }
}

export interface StepOutcome extends Outcome {
  readonly summary: string
  readonly output: string
}

/** A step of a job of this GitHub, against the platform in memory, by the real network. */
export async function step(github: FakeGitHub, { line = 'plan --comment', ...step }: Step = {}): Promise<StepOutcome> {
  const { event = pullRequestJob(), platform = new FakePlatform(live('a', 'old')) } = step
  const files = github.environment(event)
  const cwd = step.cwd ?? workspace({ 'models/a.json': models('a', 'b') })
  const env = { ...files, ...step.env }
  const outcome = await holdfast(line, { cwd, platform, env, fetch: step.reach ?? onNetwork })
  const written = (name: string) => readFileSync(files[name] ?? '', 'utf8')
  return { ...outcome, summary: written('GITHUB_STEP_SUMMARY'), output: written('GITHUB_OUTPUT') }
}

function onNetwork(request: Request): Promise<Response> {
  return fetch(request)
}

/** The one comment that Holdfast keeps. */
export function onlyComment(github: FakeGitHub): string {
  const own = github.comments(NUMBER).filter(({ user }) => user === github.login)
  expect(own).toHaveLength(1)
  return own[0]?.body ?? ''
}

export function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
