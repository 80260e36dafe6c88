import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { FakeGitHub } from './fake-github.ts'

/** The event that starts a job, as far as its steps can see it. */
export type FakeEvent = {
  readonly run?: number
  readonly attempt?: number
} & (
  | {
      readonly event: 'pull_request' | 'pull_request_target'
      readonly number: number
      readonly head: string
      readonly fork?: boolean
    }
  | { readonly event: 'merge_group'; readonly number: number; readonly head: string }
  | { readonly event: 'push' | 'schedule' | 'workflow_dispatch'; readonly commit: string }
)

/** The variables that GitHub gives to the steps of a job, with the files that they name. */
export function environmentOf(
  { url, token, repository }: Pick<FakeGitHub, 'url' | 'token' | 'repository'>,
  event: FakeEvent,
): { readonly [name: string]: string } {
  const directory = mkdtempSync(join(tmpdir(), 'github-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const file = (name: string, text: string) => {
    writeFileSync(join(directory, name), text)
    return join(directory, name)
  }
  const { event: name, run = 7, attempt = 1 } = event
  return {
    GITHUB_ACTIONS: 'true',
    GITHUB_TOKEN: token,
    GITHUB_ACTOR: 'ann',
    GITHUB_REPOSITORY: repository,
    GITHUB_API_URL: url,
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_EVENT_NAME: name,
    GITHUB_EVENT_PATH: file('event.json', JSON.stringify(payloadOf(event))),
    GITHUB_SHA: 'commit' in event ? event.commit : MERGE_OF_THE_PULL_REQUEST,
    GITHUB_REF: 'commit' in event ? 'refs/heads/main' : 'refs/pull/1/merge',
    GITHUB_RUN_ID: String(run),
    GITHUB_RUN_ATTEMPT: String(attempt),
    GITHUB_STEP_SUMMARY: file('summary.md', ''),
    GITHUB_OUTPUT: file('output.txt', ''),
  }
}

const MERGE_OF_THE_PULL_REQUEST = 'c0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ff'

/** The part of GitHub's payload that identifies the event. */
function payloadOf(event: FakeEvent): object {
  if (event.event === 'merge_group') {
    const { number, head } = event
    return { merge_group: { head_sha: head, head_ref: `refs/heads/gh-readonly-queue/main/pr-${number}-${head}` } }
  }
  if ('commit' in event) return { after: event.commit, ref: 'refs/heads/main' }
  const { number, head, fork = false } = event
  return {
    number,
    pull_request: { number, head: { sha: head, repo: { id: fork ? 2 : 1 } }, base: { ref: 'main', repo: { id: 1 } } },
  }
}
