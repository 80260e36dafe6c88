import type { Io } from '../../shell/io.ts'
import type { Forge, WhyClosed } from './forge.ts'
import { connectGitHub } from './github-client.ts'
import type { Job } from './job.ts'

/** GitHub lists this many files of a pull request at most. */
const MOST_LISTED = 3_000

const REASONS: { readonly [why in WhyClosed]: 'completed' | 'not_planned' } = {
  done: 'completed',
  surplus: 'not_planned',
}

/** GitHub, by its own client. */
export async function githubForge(job: Pick<Job, 'token' | 'apiUrl' | 'owner' | 'repo'>, io: Io): Promise<Forge> {
  const { rest, paginate, ownLogin } = await connectGitHub(job, io)
  const { owner, repo } = job
  return {
    name: 'GitHub',
    async ownComments(number) {
      const login = await ownLogin()
      const all = await paginate(rest.issues.listComments, { owner, repo, issue_number: number, per_page: 100 })
      return all
        .filter(({ user }) => user?.login === login)
        .map(({ id, html_url: url, body = '' }) => ({ id, url, body }))
        .toSorted((a, b) => a.id - b.id)
    },
    async createComment(number, body) {
      const { data } = await rest.issues.createComment({ owner, repo, issue_number: number, body })
      return data.id
    },
    async updateComment(_, id, body) {
      await rest.issues.updateComment({ owner, repo, comment_id: id, body })
    },
    async deleteComment(_, id) {
      await rest.issues.deleteComment({ owner, repo, comment_id: id })
    },
    async openPullRequest(branch) {
      const { data } = await rest.pulls.list({ owner, repo, head: `${owner}:${branch}`, state: 'open' })
      // A fork of the same owner can have a branch of the same name.
      const found = data.find(({ head, base }) => head.repo?.id === base.repo.id)
      return found === undefined ? null : { number: found.number, url: found.html_url }
    },
    async createPullRequest({ branch: head, into: base, title, body }) {
      const { data } = await rest.pulls.create({ owner, repo, head, base, title, body })
      return { number: data.number, url: data.html_url }
    },
    async headOf(number) {
      const { data } = await rest.pulls.get({ owner, repo, pull_number: number })
      return data.head.sha
    },
    async changedFiles(number) {
      const all = await paginate(rest.pulls.listFiles, { owner, repo, pull_number: number, per_page: 100 })
      if (all.length >= MOST_LISTED) return null
      return all.map(({ filename: path, previous_filename: earlier }) => ({
        path,
        ...(earlier !== undefined && { earlier }),
      }))
    },
    async mergedPullRequest(commit, branch) {
      const query = { owner, repo, commit_sha: commit, per_page: 100 }
      const all = await paginate(rest.repos.listPullRequestsAssociatedWithCommit, query)
      const merged = all.filter(({ merged_at, base }) => merged_at !== null && base.ref === branch)
      const made = merged.find(({ merge_commit_sha }) => merge_commit_sha === commit)
      const [oldest] = merged.toSorted((a, b) => Date.parse(a.merged_at ?? '') - Date.parse(b.merged_at ?? ''))
      return (made ?? oldest)?.number ?? null
    },
    async ownIssues(label) {
      const login = await ownLogin()
      const query = { owner, repo, labels: label, state: 'all', per_page: 100 } as const
      const all = await paginate(rest.issues.listForRepo, query)
      return all
        .filter(({ user, pull_request }) => user?.login === login && pull_request === undefined)
        .map(({ number, html_url: url, state, body }) => ({ number, url, isOpen: state === 'open', body: body ?? '' }))
        .toSorted((a, b) => a.number - b.number)
    },
    async createIssue(label, text) {
      // GitHub creates the label if it does not exist.
      const { data } = await rest.issues.create({ owner, repo, labels: [label], ...text })
      return { number: data.number, url: data.html_url }
    },
    async updateIssue(number, { state, ...text }) {
      const to =
        state === 'open' ? ({ state } as const) : ({ state: 'closed', state_reason: REASONS[state.closed] } as const)
      await rest.issues.update({ owner, repo, issue_number: number, ...to, ...text })
    },
    async addCheck({ name, commit, conclusion, title, summary, page }) {
      await rest.checks.create({
        owner,
        repo,
        name,
        head_sha: commit,
        status: 'completed',
        conclusion,
        details_url: page,
        output: { title, summary },
      })
    },
  }
}
