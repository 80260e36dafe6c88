import { HoldfastError } from '../../lib/errors.ts'
import type { Io } from '../../shell/io.ts'
import { memberOf, numberIn, textIn, restClient } from './rest-client.ts'
import type { ChangedFile, Forge, ForgeComment, ForgeIssue, IssueChange, PullRequestPage } from './forge.ts'

interface GitLabPlace {
  /** `https://gitlab.example.com/api/v4` */
  readonly apiUrl: string
  /** The page of the project. */
  readonly repositoryUrl: string
  readonly project: string
  /** A project access token with the scope `api`, because the token of a job may not write notes. */
  readonly token: string
}

/** GitLab, by its REST API (https://docs.gitlab.com/api/rest/). A pull request is a merge request, a comment a note. */
export function gitlabForge({ apiUrl, repositoryUrl, project, token }: GitLabPlace, io: Io): Forge {
  if (token === '') throw new HoldfastError('UNAUTHENTICATED', NO_TOKEN)
  const page = { size: 'per_page', most: 100 }
  const client = restClient({ apiUrl, headers: { 'private-token': token }, page }, io)
  const home = `/projects/${encodeURIComponent(project)}`
  let self: number | undefined
  const ownId = async () => (self ??= numberIn(await client.get('/user'), 'id'))
  const notes = (number: number) => `${home}/merge_requests/${number}/notes`
  const isOwn = async (items: readonly unknown[]) => {
    const own = await ownId()
    return items.filter((item) => memberOf(item, ['author', 'id']) === own)
  }
  return {
    name: 'GitLab',
    async ownComments(number) {
      const all = await isOwn(await client.list(`${notes(number)}?sort=asc&order_by=created_at`))
      return all
        .map((note) => toComment(note, `${repositoryUrl}/-/merge_requests/${number}`))
        .toSorted((a, b) => a.id - b.id)
    },
    createComment: async (number, body) => numberIn(await client.send('POST', notes(number), { body }), 'id'),
    async updateComment(number, id, body) {
      await client.send('PUT', `${notes(number)}/${id}`, { body })
    },
    async deleteComment(number, id) {
      await client.send('DELETE', `${notes(number)}/${id}`)
    },
    async openPullRequest(branch) {
      const query = `source_branch=${encodeURIComponent(branch)}&state=opened`
      const found = (await client.list(`${home}/merge_requests?${query}`)).find(isOfNoFork)
      return found === undefined ? null : toPage(found)
    },
    async createPullRequest({ branch, into, title, body }) {
      const text = { source_branch: branch, target_branch: into, title, description: body, remove_source_branch: true }
      return toPage(await client.send('POST', `${home}/merge_requests`, text))
    },
    headOf: async (number) => textIn(await client.get(`${home}/merge_requests/${number}`), 'sha'),
    async changedFiles(number) {
      const files = await client.list(`${home}/merge_requests/${number}/diffs`)
      // GitLab lists a diff over the limits of the server only in part, and then reports the count "1000+".
      const count = memberOf(await client.get(`${home}/merge_requests/${number}`), ['changes_count'])
      return count === String(files.length) ? files.map(toFile) : null
    },
    async mergedPullRequest(commit, branch) {
      const all = await client.list(`${home}/repository/commits/${commit}/merge_requests`)
      const merged = all.filter((one) => textIn(one, 'state') === 'merged' && textIn(one, 'target_branch') === branch)
      const made = merged.filter((one) => MADE_BY.some((field) => memberOf(one, [field]) === commit))
      // GitLab lists the newest first. If a merge request was stacked on another one, it has the commits of both.
      const [oldest] = (made.length > 0 ? made : merged).toSorted(byMergeTime)
      return oldest === undefined ? null : numberIn(oldest, 'iid')
    },
    async ownIssues(label) {
      const all = await client.list(`${home}/issues?labels=${encodeURIComponent(label)}&state=all&scope=all`)
      return (await isOwn(all)).map(toIssue).toSorted((a, b) => a.number - b.number)
    },
    async createIssue(label, { title, body }) {
      const made = await client.send('POST', `${home}/issues`, { title, description: body, labels: label })
      return { number: numberIn(made, 'iid'), url: textIn(made, 'web_url') }
    },
    async updateIssue(number, change) {
      await client.send('PUT', `${home}/issues/${number}`, toUpdate(change))
    },
  }
}

const NO_TOKEN =
  'GitLab lets no job write with its own token: set HOLDFAST_GITLAB_TOKEN, a masked variable with a project access token of the scope "api" and the role Reporter'

/** The fields with the commits that a merge request leaves on its target branch. */
const MADE_BY = ['merge_commit_sha', 'squash_commit_sha', 'sha']

function byMergeTime(a: unknown, b: unknown): number {
  return (
    Date.parse(textIn(a, 'merged_at')) - Date.parse(textIn(b, 'merged_at')) || numberIn(a, 'iid') - numberIn(b, 'iid')
  )
}

/** Forks can have branches of the same name. */
function isOfNoFork(request: unknown): boolean {
  return memberOf(request, ['source_project_id']) === memberOf(request, ['target_project_id'])
}

function toComment(note: unknown, page: string): ForgeComment {
  const id = numberIn(note, 'id')
  return { id, url: `${page}#note_${id}`, body: textIn(note, 'body') }
}

function toPage(request: unknown): PullRequestPage {
  return { number: numberIn(request, 'iid'), url: textIn(request, 'web_url') }
}

function toFile(diff: unknown): ChangedFile {
  return { path: textIn(diff, 'new_path'), earlier: textIn(diff, 'old_path') }
}

function toIssue(issue: unknown): ForgeIssue {
  const body = memberOf(issue, ['description'])
  return {
    number: numberIn(issue, 'iid'),
    url: textIn(issue, 'web_url'),
    isOpen: textIn(issue, 'state') === 'opened',
    body: typeof body === 'string' ? body : '',
  }
}

function toUpdate({ title, body, state }: IssueChange): object {
  return {
    ...(title !== undefined && { title }),
    ...(body !== undefined && { description: body }),
    state_event: state === 'open' ? 'reopen' : 'close',
  }
}
