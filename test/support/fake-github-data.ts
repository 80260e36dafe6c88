import { example } from './github-openapi.ts'

// The data of the fake GitHub, and the form of its answers.

export interface FakeComment {
  readonly id: number
  body: string
  readonly user: string
}

export interface FakePullRequest {
  readonly number: number
  /** Its newest commit. */
  head: string
  readonly base?: string
  merged?: boolean
  mergeCommit?: string
  /** The paths that it changes. */
  files?: readonly string[]
  readonly branch?: string
  readonly title?: string
  readonly body?: string
}

export interface FakeCheckRun {
  readonly name: string
  readonly head_sha: string
  readonly conclusion: string
  readonly output: { readonly title: string; readonly summary: string }
}

export interface FakeIssue {
  readonly number: number
  readonly user: string
  title: string
  body: string
  state: 'open' | 'closed'
  state_reason: string | null
  labels: readonly string[]
}

export function userJson(login: string): object {
  return example('simple-user', { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' })
}

export function commentJson({ id, body, user }: FakeComment, repository: string, number: number): object {
  const html_url = `https://github.example/${repository}/pull/${number}#issuecomment-${id}`
  return example('issue-comment', { id, body, user: userJson(user), html_url })
}

export function issueJson(
  { number, user, title, body, state, state_reason, labels }: FakeIssue,
  repository: string,
): object {
  const html_url = `https://github.example/${repository}/issues/${number}`
  return example('issue', {
    number,
    title,
    body,
    state,
    state_reason,
    user: userJson(user),
    html_url,
    labels: labels.map((name) => ({ name })),
  })
}

type PullSchema = 'pull-request' | 'pull-request-simple'

export function pullRequestJson(schema: PullSchema, pull: FakePullRequest): object {
  const { number, head, base = 'main', merged = false, mergeCommit = null, branch = 'branch' } = pull
  const made = example(schema) as { readonly head: object; readonly base: object }
  return {
    ...made,
    number,
    html_url: `https://github.example/acme/models/pull/${number}`,
    merged_at: merged ? '2026-01-02T03:04:05Z' : null,
    merge_commit_sha: mergeCommit,
    head: { ...made.head, sha: head, ref: branch },
    base: { ...made.base, ref: base },
    ...(schema === 'pull-request' && { merged }),
  }
}
