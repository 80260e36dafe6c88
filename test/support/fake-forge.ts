// The common parts of the fakes of GitLab and Gitea: their state, and how they answer.

export interface FakeComment {
  id: number
  author: number
  body: string
}

export interface FakePull {
  readonly number: number
  head: string
  state: 'opened' | 'merged'
  target: string
  /** The merge commit on its target branch. */
  mergeCommit: string | null
  /** The commits that it added to its target branch. */
  commits: readonly string[]
  /** Its place in the order of merges. */
  mergedAs: number
  files: readonly string[]
  /** Whether its branch is one of a fork. */
  isOfFork: boolean
  /** The branch that it was opened from, with its title and text. */
  readonly branch: string
  readonly title: string
  readonly body: string
  readonly comments: FakeComment[]
}

export interface FakeIssue {
  readonly number: number
  readonly author: number
  readonly labels: readonly string[]
  title: string
  body: string
  state: 'open' | 'closed'
}

/** The ids of the accounts of the job and of a person. */
export const JOB = 4
export const PERSON = 7

export abstract class FakeForge {
  abstract readonly token: string
  readonly pulls = new Map<number, FakePull>()
  readonly issues: FakeIssue[] = []
  readonly labels: string[] = []
  /** Each request, as `POST /projects/…`. */
  readonly requests: string[] = []
  /**
   * The results of the next reads: a status; `lost`: no answer; `cut`: half an answer; `odd`: an unexpected answer.
   */
  readonly failures: (number | 'lost' | 'cut' | 'odd')[] = []
  #last = 0
  #merges = 0

  /** The answer to a read that fails; null if it does not. */
  nextFailure({ method }: Request): Response | null {
    const status = method === 'GET' ? this.failures.shift() : undefined
    if (status === undefined) return null
    if (status === 'lost')
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) })
    if (typeof status === 'string') return new Response(status === 'cut' ? '[{ "id": ' : '{}')
    const headers = status === 429 ? { 'retry-after': '1' } : {}
    return Response.json({ message: 'failed' }, { status, headers })
  }

  /** Opens a pull request, or pushes to it. */
  addPull(number: number, head: string, files: readonly string[] = ['models/a.yaml']): FakePull {
    const pull = this.pulls.get(number) ?? {
      number,
      head,
      state: 'opened' as const,
      target: 'main',
      mergeCommit: null,
      commits: [],
      mergedAs: 0,
      files,
      isOfFork: false,
      branch: `branch-${number}`,
      title: '',
      body: '',
      comments: [],
    }
    pull.head = head
    this.pulls.set(number, pull)
    return pull
  }

  openOf(branch: string | null): FakePull[] {
    return [...this.pulls.values()].filter((pull) => pull.branch === branch && pull.state === 'opened')
  }

  /** Opens a pull request by the API; null if its branch has one already. */
  openPull(branch: string, target: string, title: string, body: string): FakePull | null {
    if (this.openOf(branch).some(({ isOfFork }) => !isOfFork)) return null
    const number = Math.max(0, ...this.pulls.keys()) + 1
    const pull = { ...this.addPull(number, ''), branch, target, title, body }
    this.pulls.set(number, pull)
    return pull
  }

  /** `commits` are all commits on the target branch, if there are more than the last one. */
  merge(number: number, mergeCommit: string, commits: readonly string[] = [mergeCommit]): void {
    const pull = this.pulls.get(number)
    const mergedAs = (this.#merges += 1)
    if (pull !== undefined) Object.assign(pull, { state: 'merged', mergeCommit, commits, mergedAs })
  }

  comment(pull: FakePull, author: number, body: string): FakeComment {
    const comment = { id: (this.#last += 1), author, body }
    pull.comments.push(comment)
    return comment
  }

  addIssue(issue: Pick<FakeIssue, 'author' | 'labels' | 'title' | 'body'>): FakeIssue {
    const made = { ...issue, number: this.issues.length + 1, state: 'open' as const }
    this.issues.push(made)
    return made
  }

  removeComment(id: number): boolean {
    for (const { comments } of this.pulls.values()) {
      const at = comments.findIndex((comment) => comment.id === id)
      if (at >= 0) return comments.splice(at, 1).length === 1
    }
    return false
  }

  findComment(id: number): FakeComment | undefined {
    return [...this.pulls.values()].flatMap(({ comments }) => comments).find((comment) => comment.id === id)
  }

  /** The bodies of the job's own comments on a pull request. */
  ownBodies(number: number): string[] {
    return (this.pulls.get(number)?.comments ?? []).filter(({ author }) => author === JOB).map(({ body }) => body)
  }
}

/** A page of a list, with the header that links to the next page. */
export function page(items: readonly object[], url: URL, size: string, most: number): Response {
  const number = Number(url.searchParams.get('page') ?? 1)
  const wanted = Math.min(most, Number(url.searchParams.get(size) ?? 20))
  const more = items.length > number * wanted
  const headers = more ? { link: `<${url.origin}/next>; rel="next"` } : {}
  return Response.json(items.slice((number - 1) * wanted, number * wanted), { headers })
}

export interface Route {
  readonly method: string
  readonly path: RegExp
  answer(match: readonly string[], url: URL, body: { readonly [name: string]: unknown }): Response | null
}

/** Answers by the first matching route. If a route returns null, the answer is 404. */
export async function answerBy(routes: readonly Route[], base: string, request: Request): Promise<Response> {
  const url = new URL(request.url)
  const path = url.pathname.slice(base.length)
  const text = await request.text()
  const body = text === '' ? {} : (JSON.parse(text) as { readonly [name: string]: unknown })
  for (const route of routes) {
    const match = route.method === request.method ? route.path.exec(path) : null
    if (match === null) continue
    return route.answer(match.slice(1), url, body) ?? Response.json({ message: '404 Not found' }, { status: 404 })
  }
  return Response.json({ message: `404: there is no ${request.method} ${path}` }, { status: 404 })
}
