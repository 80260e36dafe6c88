import type { JWTPayload } from 'jose'

// What starts a run, in the words of GitHub's webhooks and of its OpenID tokens.

export const REPOSITORY = { full_name: 'acme/models', id: 1296269, default_branch: 'main', fork: false } as const
export const OWNER_ID = 583231

export interface Event {
  readonly name: string
  readonly ref: string
  readonly commit: string
  readonly payload: object
  readonly isFromFork: boolean
  /** That differ from those of a well-behaved repository. */
  readonly claims: JWTPayload
}

export interface PullRequest {
  readonly number: number
  readonly branch: string
  readonly head: string
  /** What GitHub makes of it and of the base. */
  readonly merged: string
}

const BASE = { isFromFork: false, claims: {} }

export function pullRequestEvent(
  { number, head, merged }: PullRequest,
  { from = REPOSITORY, user = 'ann' }: { readonly from?: object; readonly user?: string } = {},
): Event {
  const pull = {
    number,
    user: { login: user },
    head: { sha: head, repo: from },
    base: { ref: 'main', repo: REPOSITORY },
  }
  const payload = { action: 'synchronize', number, pull_request: pull, repository: REPOSITORY }
  return {
    ...BASE,
    name: 'pull_request',
    ref: `refs/pull/${number}/merge`,
    commit: merged,
    payload,
    isFromFork: from !== REPOSITORY,
  }
}

export const FORK = { full_name: 'stranger/models', id: 99, default_branch: 'main', fork: true } as const

/** `before` is where the branch was. */
export function pushEvent(commit: string, before?: string, ref = 'refs/heads/main'): Event {
  return { ...BASE, name: 'push', ref, commit, payload: { before, after: commit, ref, repository: REPOSITORY } }
}

export function mergeGroupEvent({ number, head }: PullRequest, group: string): Event {
  const ref = `refs/heads/gh-readonly-queue/main/pr-${number}-${head}`
  const payload = {
    action: 'checks_requested',
    merge_group: { head_sha: group, head_ref: ref, base_ref: 'refs/heads/main' },
    repository: REPOSITORY,
  }
  return { ...BASE, name: 'merge_group', ref, commit: group, payload }
}

/** Somebody starts the workflow by hand. */
export function dispatchEvent(commit: string): Event {
  return { ...scheduleEvent(commit), name: 'workflow_dispatch' }
}

export function scheduleEvent(commit: string): Event {
  return { ...BASE, name: 'schedule', ref: 'refs/heads/main', commit, payload: { repository: REPOSITORY } }
}

/** What GitHub says in the OpenID token of a job. */
export function claimsOf(event: Event, environment: string | null, jobWorkflowRef: string): JWTPayload {
  return {
    repository: REPOSITORY.full_name,
    repository_id: String(REPOSITORY.id),
    repository_owner: 'acme',
    repository_owner_id: String(OWNER_ID),
    event_name: event.name,
    ref: event.ref,
    sha: event.commit,
    runner_environment: 'github-hosted',
    job_workflow_ref: jobWorkflowRef,
    ...(environment !== null && { environment }),
    ...event.claims,
  }
}
