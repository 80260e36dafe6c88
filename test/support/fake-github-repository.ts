import {
  commentJson,
  issueJson,
  pullRequestJson,
  type FakeCheckRun,
  type FakeComment,
  type FakeIssue,
  type FakePullRequest,
} from './fake-github-data.ts'
import { example, type Operation } from './github-openapi.ts'

// A repository of the fake GitHub, with its answers if nothing goes wrong.

export interface Answer {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  readonly body?: unknown
}

export interface FakeRequest {
  readonly operation: Operation
  readonly query: URLSearchParams
  readonly body: { readonly [name: string]: unknown }
}

export interface FakeRepositoryOptions {
  readonly repository?: string
  /** The login of the token. */
  readonly login?: string
  /** Whether the token may only read: in a fork, or in a job without the permission. */
  readonly readOnly?: boolean
  readonly longestBody?: number
  /** Whether the token has `checks: write`. */
  readonly mayCheck?: boolean
}

const DOCUMENTATION = 'https://docs.github.com/rest'
const EXISTS: Answer = {
  status: 422,
  body: { message: 'A pull request already exists for acme:branch.', documentation_url: DOCUMENTATION },
}
const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found', documentation_url: DOCUMENTATION } }

export class FakeRepository {
  readonly repository: string
  readonly login: string
  readonly #readOnly: boolean
  readonly #longestBody: number
  readonly #mayCheck: boolean
  readonly #comments = new Map<number, FakeComment[]>()
  readonly #pulls = new Map<number, FakePullRequest>()
  readonly #issues: FakeIssue[] = []
  readonly checkRuns: FakeCheckRun[] = []
  #lastId = 1_000

  constructor({ repository, login, readOnly, longestBody, mayCheck }: FakeRepositoryOptions) {
    this.repository = repository ?? 'acme/models'
    this.login = login ?? 'github-actions[bot]'
    this.#readOnly = readOnly ?? false
    this.#longestBody = longestBody ?? 65_536
    this.#mayCheck = mayCheck ?? false
  }

  addPullRequest(pull: FakePullRequest): FakePullRequest {
    this.#pulls.set(pull.number, pull)
    return pull
  }

  get pulls(): readonly FakePullRequest[] {
    return [...this.#pulls.values()]
  }

  comments(number: number): FakeComment[] {
    const found = this.#comments.get(number) ?? []
    this.#comments.set(number, found)
    return found
  }

  addComment(number: number, body: string, user = 'somebody'): FakeComment {
    const comment = { id: (this.#lastId += 1), body, user }
    this.comments(number).push(comment)
    return comment
  }

  issues(): readonly FakeIssue[] {
    return this.#issues
  }

  addIssue(issue: Partial<FakeIssue>): FakeIssue {
    const number = (this.#lastId += 1)
    const standard = { user: 'somebody', title: '', body: '', state: 'open', state_reason: null, labels: [] } as const
    const made = { number, ...standard, ...issue }
    this.#issues.push(made)
    return made
  }

  perform({ operation, query, body }: FakeRequest): Answer {
    const { id, path, method } = operation
    if (`${path['owner']}/${path['repo']}` !== this.repository) return NOT_FOUND
    if (this.#readOnly && method !== 'get') return FORBIDDEN
    const perform = this.#operations[id]
    if (perform === undefined) throw new Error(`the fake does not know ${id}`)
    return this.#tooLong(body) ?? perform({ operation, query, body })
  }

  readonly #operations: { readonly [id: string]: (request: FakeRequest) => Answer } = {
    'issues/list-comments': (request) => {
      const number = numberIn(request)
      return page(
        this.comments(number).map((one) => commentJson(one, this.repository, number)),
        request,
      )
    },
    'issues/create-comment': (request) => {
      const number = numberIn(request)
      const made = this.addComment(number, String(request.body['body']), this.login)
      return { status: 201, body: commentJson(made, this.repository, number) }
    },
    'issues/update-comment': ({ operation, body }) => this.#updateComment(commentIn(operation), String(body['body'])),
    'issues/delete-comment': ({ operation }) => this.#deleteComment(commentIn(operation)),
    'pulls/get': (request) => {
      const pull = this.#pulls.get(numberIn(request))
      return pull === undefined ? NOT_FOUND : { status: 200, body: pullRequestJson('pull-request', pull) }
    },
    'pulls/list': ({ query }) => {
      const found = this.pulls.filter(({ branch }) => `acme:${branch}` === query.get('head'))
      return { status: 200, body: found.map((pull) => pullRequestJson('pull-request-simple', pull)) }
    },
    'pulls/create': ({ body }) => {
      const { head: branch, base, title, body: text } = body as { [name: string]: string }
      if (this.pulls.some((pull) => pull.branch === branch)) return EXISTS
      const pull = { number: (this.#lastId += 1), head: '', branch, base, title, body: text } as FakePullRequest
      return { status: 201, body: pullRequestJson('pull-request', this.addPullRequest(pull)) }
    },
    'pulls/list-files': (request) => {
      const files = this.#pulls.get(numberIn(request))?.files ?? ['models/a.yaml', 'site/models/a.yaml']
      return page(
        files.map((filename) => example('diff-entry', { filename, status: 'modified' })),
        request,
      )
    },
    'checks/create': ({ body }) => {
      if (!this.#mayCheck) return { ...FORBIDDEN, headers: { 'x-accepted-github-permissions': 'checks=write' } }
      this.checkRuns.push(body as unknown as FakeCheckRun)
      return { status: 201, body: example('check-run', { id: (this.#lastId += 1), name: body['name'] }) }
    },
    'repos/list-pull-requests-associated-with-commit': ({ operation }) => {
      const commit = operation.path['commit_sha']
      const found = [...this.#pulls.values()].filter(
        ({ head, mergeCommit }) => mergeCommit === commit || head === commit,
      )
      return { status: 200, body: found.map((pull) => pullRequestJson('pull-request-simple', pull)) }
    },
    'issues/list-for-repo': (request) => {
      const [label, state] = [request.query.get('labels') ?? '', request.query.get('state') ?? 'open']
      const found = this.#issues.filter((one) => one.labels.includes(label) && (state === 'all' || one.state === state))
      return page(
        found.map((one) => issueJson(one, this.repository)),
        request,
      )
    },
    'issues/create': ({ body }) => {
      const issue = this.addIssue({ user: this.login, ...(body as Partial<FakeIssue>) })
      return { status: 201, body: issueJson(issue, this.repository) }
    },
    'issues/update': (request) => {
      const issue = this.#issues.find(({ number }) => number === numberIn(request))
      if (issue === undefined) return NOT_FOUND
      return { status: 200, body: issueJson(Object.assign(issue, request.body), this.repository) }
    },
  }

  #updateComment(id: number, body: string): Answer {
    for (const [number, comments] of this.#comments) {
      const comment = comments.find((one) => one.id === id)
      if (comment === undefined) continue
      comment.body = body
      return { status: 200, body: commentJson(comment, this.repository, number) }
    }
    return NOT_FOUND
  }

  #deleteComment(id: number): Answer {
    for (const comments of this.#comments.values()) {
      const index = comments.findIndex((one) => one.id === id)
      if (index === -1) continue
      comments.splice(index, 1)
      return { status: 204 }
    }
    return NOT_FOUND
  }

  #tooLong({ body = '' }: FakeRequest['body']): Answer | null {
    if (Buffer.byteLength(String(body)) <= this.#longestBody) return null
    const message = 'Body is too long (maximum is 65536 characters)'
    const error = { resource: 'IssueComment', code: 'unprocessable', field: 'data', message }
    return { status: 422, body: { message: 'Validation Failed', documentation_url: DOCUMENTATION, errors: [error] } }
  }
}

const FORBIDDEN: Answer = {
  status: 403,
  headers: { 'x-accepted-github-permissions': 'issues=write; pull_requests=write' },
  body: { message: 'Resource not accessible by integration', documentation_url: DOCUMENTATION },
}

function numberIn({ operation: { path } }: FakeRequest): number {
  return Number(path['issue_number'] ?? path['pull_number'])
}

function commentIn({ path }: Operation): number {
  return Number(path['comment_id'])
}

/** The server completes the address of the next page, because only it knows its own address. */
function page(all: readonly object[], { operation, query }: FakeRequest): Answer {
  const [size, number] = [Number(query.get('per_page') ?? 30), Number(query.get('page') ?? 1)]
  const body = all.slice((number - 1) * size, number * size)
  if (all.length <= number * size) return { status: 200, body }
  const next = new URLSearchParams(query)
  next.set('page', String(number + 1))
  const path = operation.route.replaceAll(/\{(\w+)\}/g, (_, name: string) => operation.path[name] ?? '')
  return { status: 200, headers: { link: `<${path}?${next}>; rel="next"` }, body }
}
