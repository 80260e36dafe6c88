import {
  answerBy,
  FakeForge,
  JOB,
  page,
  type FakeComment,
  type FakeIssue,
  type FakePull,
  type Route,
} from './fake-forge.ts'

// GitLab's REST API, as far as jobs use it: https://docs.gitlab.com/api/{notes,merge_requests,commits,issues,users}.

export const GITLAB = 'https://gitlab.example.com'
export const PROJECT = { id: 278964, path: 'acme/models', namespace: 9970 } as const
/** https://docs.gitlab.com/administration/diff_limits/ */
const MOST_DIFFS = 1_000
const PAGE = `${GITLAB}/${PROJECT.path}`

export class FakeGitLab extends FakeForge {
  readonly token = 'glpat-of-the-project'

  readonly fetch = async (request: Request): Promise<Response> => {
    this.requests.push(`${request.method} ${new URL(request.url).pathname.replace('/api/v4', '')}`)
    if (request.headers.get('private-token') !== this.token)
      return Response.json({ message: '401 Unauthorized' }, { status: 401 })
    return this.nextFailure(request) ?? answerBy(this.#routes(), '/api/v4', request)
  }

  #routes(): Route[] {
    const home = `/projects/(?:${PROJECT.id}|acme%2Fmodels)`
    const pull = (number = '') => this.pulls.get(Number(number))
    const notes = new RegExp(`^${home}/merge_requests/(\\d+)/notes$`)
    const note = new RegExp(`^${home}/merge_requests/(\\d+)/notes/(\\d+)$`)
    return [
      { method: 'GET', path: /^\/user$/, answer: () => Response.json({ id: JOB, username: 'project_278964_bot' }) },
      {
        method: 'GET',
        path: notes,
        answer: ([number], url) => {
          const found = pull(number)
          return found === undefined ? null : page(found.comments.map(toNote), url, 'per_page', 100)
        },
      },
      {
        method: 'POST',
        path: notes,
        answer: ([number], _, body) => {
          const found = pull(number)
          return found === undefined
            ? null
            : Response.json(toNote(this.comment(found, JOB, String(body['body']))), { status: 201 })
        },
      },
      {
        method: 'PUT',
        path: note,
        answer: ([, id], _, body) => {
          const found = this.findComment(Number(id))
          if (found?.author !== JOB) return null
          found.body = String(body['body'])
          return Response.json(toNote(found))
        },
      },
      {
        method: 'DELETE',
        path: note,
        answer: ([, id]) => (this.removeComment(Number(id)) ? new Response(null, { status: 204 }) : null),
      },
      {
        method: 'GET',
        path: new RegExp(`^${home}/merge_requests$`),
        answer: (_, url) => {
          const found = this.openOf(url.searchParams.get('source_branch'))
          return page(found.map(toMergeRequest), url, 'per_page', 100)
        },
      },
      {
        method: 'POST',
        path: new RegExp(`^${home}/merge_requests$`),
        answer: (_, __, { source_branch: branch, target_branch: target, title, description }) => {
          const made = this.openPull(String(branch), String(target), String(title), String(description))
          if (made !== null) return Response.json(toMergeRequest(made), { status: 201 })
          const message = ['Another open merge request already exists for this source branch: !1']
          return Response.json({ message }, { status: 409 })
        },
      },
      {
        method: 'GET',
        path: new RegExp(`^${home}/merge_requests/(\\d+)$`),
        answer: ([number]) => {
          const found = pull(number)
          return found === undefined ? null : Response.json(toMergeRequest(found))
        },
      },
      {
        method: 'GET',
        path: new RegExp(`^${home}/merge_requests/(\\d+)/diffs$`),
        answer: ([number], url) => {
          const files = (pull(number)?.files ?? [])
            .slice(0, MOST_DIFFS)
            .map((path) => ({ old_path: path, new_path: path, diff: '' }))
          return page(files, url, 'per_page', 100)
        },
      },
      {
        method: 'GET',
        path: new RegExp(`^${home}/repository/commits/([0-9a-f]+)/merge_requests$`),
        answer: ([commit], url) => {
          const all = [...this.pulls.values()].filter(({ head, commits }) => [head, ...commits].includes(commit ?? ''))
          // The newest first.
          return page(all.toReversed().map(toMergeRequest), url, 'per_page', 100)
        },
      },
      {
        method: 'GET',
        path: new RegExp(`^${home}/issues$`),
        answer: (_, url) => {
          const label = url.searchParams.get('labels') ?? ''
          return page(this.issues.filter(({ labels }) => labels.includes(label)).map(toIssue), url, 'per_page', 100)
        },
      },
      {
        method: 'POST',
        path: new RegExp(`^${home}/issues$`),
        answer: (_, __, { title, description, labels }) => {
          const text = { title: String(title), body: String(description), labels: String(labels).split(',') }
          return Response.json(toIssue(this.addIssue({ author: JOB, ...text })), { status: 201 })
        },
      },
      {
        method: 'PUT',
        path: new RegExp(`^${home}/issues/(\\d+)$`),
        answer: ([number], _, body) => {
          const found = this.issues[Number(number) - 1]
          if (found === undefined) return null
          const state = body['state_event'] === 'close' ? 'closed' : 'open'
          const { title = found.title, description = found.body } = body
          Object.assign(found, { state, title, body: description })
          return Response.json(toIssue(found))
        },
      },
    ]
  }
}

function toNote({ id, author, body }: FakeComment): object {
  return { id, body, author: { id: author }, system: false }
}

function toMergeRequest({ number, head, state, target, mergeCommit, mergedAs, files, isOfFork }: FakePull): object {
  return {
    iid: number,
    web_url: `${PAGE}/-/merge_requests/${number}`,
    sha: head,
    state,
    target_branch: target,
    target_project_id: PROJECT.id,
    source_project_id: isOfFork ? PROJECT.id + 1 : PROJECT.id,
    merge_commit_sha: mergeCommit,
    merged_at: state === 'merged' ? new Date(mergedAs).toISOString() : null,
    squash_commit_sha: null,
    changes_count: files.length > MOST_DIFFS ? `${MOST_DIFFS}+` : String(files.length),
  }
}

function toIssue({ number, author, title, body, state, labels }: FakeIssue): object {
  return {
    iid: number,
    title,
    description: body,
    state: state === 'open' ? 'opened' : 'closed',
    labels,
    author: { id: author },
    web_url: `${PAGE}/-/issues/${number}`,
  }
}
