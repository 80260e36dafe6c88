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

// The REST API that Gitea and Forgejo share, as far as jobs use it: https://docs.gitea.com/api.

export const GITEA = 'https://gitea.example.com'
const PAGE = `${GITEA}/acme/models`

export class FakeGitea extends FakeForge {
  readonly token = 'token-of-the-job'

  readonly fetch = async (request: Request): Promise<Response> => {
    this.requests.push(`${request.method} ${new URL(request.url).pathname.replace('/api/v1', '')}`)
    if (request.headers.get('authorization') !== `token ${this.token}`)
      return Response.json({ message: 'token is required' }, { status: 401 })
    return this.nextFailure(request) ?? answerBy(this.#routes(), '/api/v1', request)
  }

  #routes(): Route[] {
    const home = '/repos/acme/models'
    const pull = (number = '') => this.pulls.get(Number(number))
    const comments = new RegExp(`^${home}/issues/(\\d+)/comments$`)
    const comment = new RegExp(`^${home}/issues/comments/(\\d+)$`)
    return [
      { method: 'GET', path: /^\/user$/, answer: () => Response.json({ id: JOB, login: 'holdfast-bot' }) },
      {
        // Gitea does not page these.
        method: 'GET',
        path: comments,
        answer: ([number]) => {
          const found = pull(number)
          return found === undefined ? null : Response.json(found.comments.map((one) => toComment(one, found)))
        },
      },
      {
        method: 'POST',
        path: comments,
        answer: ([number], _, body) => {
          const found = pull(number)
          if (found === undefined) return null
          return Response.json(toComment(this.comment(found, JOB, String(body['body'])), found), { status: 201 })
        },
      },
      {
        method: 'PATCH',
        path: comment,
        answer: ([id], _, body) => {
          const found = this.findComment(Number(id))
          if (found?.author !== JOB) return null
          found.body = String(body['body'])
          return Response.json({ id: found.id, body: found.body })
        },
      },
      {
        method: 'DELETE',
        path: comment,
        answer: ([id]) => (this.removeComment(Number(id)) ? new Response(null, { status: 204 }) : null),
      },
      {
        method: 'GET',
        path: new RegExp(`^${home}/pulls/(\\d+)$`),
        answer: ([number]) => {
          const found = pull(number)
          return found === undefined ? null : Response.json(toPull(found))
        },
      },
      {
        method: 'GET',
        path: new RegExp(`^${home}/pulls$`),
        answer: (_, url) => {
          const open = [...this.pulls.values()].filter(({ state }) => state === 'opened')
          return page(open.map(toPull), url, 'limit', 50)
        },
      },
      {
        method: 'POST',
        path: new RegExp(`^${home}/pulls$`),
        answer: (_, __, { head, base, title, body }) => {
          const made = this.openPull(String(head), String(base), String(title), String(body))
          if (made !== null) return Response.json(toPull(made), { status: 201 })
          return Response.json({ message: 'pull request already exists for these targets' }, { status: 409 })
        },
      },
      {
        method: 'GET',
        path: new RegExp(`^${home}/pulls/(\\d+)/files$`),
        answer: ([number], url) =>
          page(
            (pull(number)?.files ?? []).map((filename) => ({ filename })),
            url,
            'limit',
            50,
          ),
      },
      {
        method: 'GET',
        path: new RegExp(`^${home}/commits/([0-9a-f]+)/pull$`),
        answer: ([commit]) => {
          const found = [...this.pulls.values()].find(({ mergeCommit }) => mergeCommit === commit)
          return found === undefined ? null : Response.json(toPull(found))
        },
      },
      {
        method: 'GET',
        path: new RegExp(`^${home}/labels$`),
        answer: (_, url) =>
          page(
            this.labels.map((name, index) => ({ id: index + 1, name })),
            url,
            'limit',
            50,
          ),
      },
      {
        method: 'POST',
        path: new RegExp(`^${home}/labels$`),
        answer: (_, __, body) => Response.json({ id: this.labels.push(String(body['name'])) }, { status: 201 }),
      },
      {
        method: 'GET',
        path: new RegExp(`^${home}/issues$`),
        answer: (_, url) => {
          const label = url.searchParams.get('labels') ?? ''
          return page(this.issues.filter(({ labels }) => labels.includes(label)).map(toIssue), url, 'limit', 50)
        },
      },
      {
        method: 'POST',
        path: new RegExp(`^${home}/issues$`),
        answer: (_, __, { title, body, labels }) => {
          const ids = Array.isArray(labels) ? labels : []
          if (!ids.every((id) => typeof id === 'number' && this.labels[id - 1] !== undefined))
            return Response.json({ message: 'labels are ids' }, { status: 422 })
          const names = ids.map((id) => this.labels[Number(id) - 1] ?? '')
          const made = this.addIssue({ author: JOB, title: String(title), body: String(body), labels: names })
          return Response.json(toIssue(made), { status: 201 })
        },
      },
      {
        method: 'PATCH',
        path: new RegExp(`^${home}/issues/(\\d+)$`),
        answer: ([number], _, body) => {
          const found = this.issues[Number(number) - 1]
          if (found === undefined) return null
          Object.assign(found, body)
          return Response.json(toIssue(found), { status: 201 })
        },
      },
    ]
  }
}

function toComment({ id, author, body }: FakeComment, { number }: FakePull): object {
  return { id, body, user: { id: author }, html_url: `${PAGE}/pulls/${number}#issuecomment-${id}` }
}

function toPull({ number, head, state, target, mergeCommit, branch, isOfFork }: FakePull): object {
  return {
    number,
    html_url: `${PAGE}/pulls/${number}`,
    state: state === 'merged' ? 'closed' : 'open',
    merged: state === 'merged',
    merge_commit_sha: mergeCommit,
    head: { sha: head, ref: branch, repo_id: isOfFork ? 2 : 1 },
    base: { ref: target, repo_id: 1 },
  }
}

function toIssue({ number, author, title, body, state }: FakeIssue): object {
  return { number, title, body, state, user: { id: author }, html_url: `${PAGE}/issues/${number}` }
}
