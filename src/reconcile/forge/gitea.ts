import type { Io } from '../../shell/io.ts'
import { memberOf, numberIn, textIn, ForgeError, restClient, type RestClient } from './rest-client.ts'
import type { ChangedFile, Forge, ForgeComment, ForgeIssue, IssueChange, PullRequestPage } from './forge.ts'

interface GiteaPlace {
  /** `https://gitea.example.com/api/v1` */
  readonly apiUrl: string
  readonly owner: string
  readonly repo: string
  readonly token: string
}

/** The account of the token that Gitea and Forgejo give to each job. */
const ACTIONS_ACCOUNT = -2

/** Gitea and Forgejo, by the REST API that they share (https://docs.gitea.com/api). */
export function giteaForge({ apiUrl, owner, repo, token }: GiteaPlace, io: Io): Forge {
  // A server returns 50 at most, unless its configuration allows more.
  const page = { size: 'limit', most: 50 }
  const client = restClient({ apiUrl, headers: { authorization: `token ${token}` }, page }, io)
  const home = `/repos/${owner}/${repo}`
  let self: number | undefined
  const isOwn = async (items: readonly unknown[]) => {
    const own = (self ??= await ownId(client))
    return items.filter((item) => memberOf(item, ['user', 'id']) === own)
  }
  return {
    name: 'Gitea',
    knowsLastCommitOnly: true,
    async ownComments(number) {
      const all = await isOwn(await client.list(`${home}/issues/${number}/comments`))
      return all.map(toComment).toSorted((a, b) => a.id - b.id)
    },
    createComment: async (number, body) =>
      numberIn(await client.send('POST', `${home}/issues/${number}/comments`, { body }), 'id'),
    async updateComment(_, id, body) {
      await client.send('PATCH', `${home}/issues/comments/${id}`, { body })
    },
    async deleteComment(_, id) {
      await client.send('DELETE', `${home}/issues/comments/${id}`)
    },
    async openPullRequest(branch) {
      const open = await client.list(`${home}/pulls?state=open`)
      const found = open.find((pull) => memberOf(pull, ['head', 'ref']) === branch && isOfNoFork(pull))
      return found === undefined ? null : toPage(found)
    },
    async createPullRequest({ branch: head, into: base, title, body }) {
      return toPage(await client.send('POST', `${home}/pulls`, { head, base, title, body }))
    },
    headOf: async (number) => textIn(await client.get(`${home}/pulls/${number}`), 'head', 'sha'),
    changedFiles: async (number) => (await client.list(`${home}/pulls/${number}/files`)).map(toFile),
    async mergedPullRequest(commit, branch) {
      const found = await client.get(`${home}/commits/${commit}/pull`).catch(nullIfNone)
      if (found === null || memberOf(found, ['merged']) !== true) return null
      return textIn(found, 'base', 'ref') === branch ? numberIn(found, 'number') : null
    },
    async ownIssues(label) {
      const query = `labels=${encodeURIComponent(label)}&state=all&type=issues`
      return (await isOwn(await client.list(`${home}/issues?${query}`)))
        .map(toIssue)
        .toSorted((a, b) => a.number - b.number)
    },
    async createIssue(label, { title, body }) {
      const labels = [await labelId(client, home, label)]
      const made = await client.send('POST', `${home}/issues`, { title, body, labels })
      return { number: numberIn(made, 'number'), url: textIn(made, 'html_url') }
    },
    async updateIssue(number, change) {
      await client.send('PATCH', `${home}/issues/${number}`, toUpdate(change))
    },
  }
}

/** The account that this job writes as. The token of a job may not be allowed to ask for it. */
async function ownId(client: RestClient): Promise<number> {
  try {
    return numberIn(await client.get('/user'), 'id')
  } catch (error) {
    if (error instanceof ForgeError && [401, 403, 404].includes(error.status)) return ACTIONS_ACCOUNT
    throw error
  }
}

/** The id of a label, which an issue needs. A label that does not exist is created first. */
async function labelId(client: RestClient, home: string, name: string): Promise<number> {
  const found = (await client.list(`${home}/labels`)).find((label) => memberOf(label, ['name']) === name)
  const label = found ?? (await client.send('POST', `${home}/labels`, { name, color: '#b45309' }))
  return numberIn(label, 'id')
}

/** Forks can have branches of the same name. */
function isOfNoFork(pull: unknown): boolean {
  return memberOf(pull, ['head', 'repo_id']) === memberOf(pull, ['base', 'repo_id'])
}

function nullIfNone(error: unknown): null {
  if (error instanceof ForgeError && error.status === 404) return null
  throw error
}

function toComment(comment: unknown): ForgeComment {
  return { id: numberIn(comment, 'id'), url: textIn(comment, 'html_url'), body: textIn(comment, 'body') }
}

function toPage(pull: unknown): PullRequestPage {
  return { number: numberIn(pull, 'number'), url: textIn(pull, 'html_url') }
}

function toFile(file: unknown): ChangedFile {
  const earlier = memberOf(file, ['previous_filename'])
  return { path: textIn(file, 'filename'), ...(typeof earlier === 'string' && { earlier }) }
}

function toIssue(issue: unknown): ForgeIssue {
  return {
    number: numberIn(issue, 'number'),
    url: textIn(issue, 'html_url'),
    isOpen: textIn(issue, 'state') === 'open',
    body: textIn(issue, 'body'),
  }
}

function toUpdate({ title, body, state }: IssueChange): object {
  return {
    ...(title !== undefined && { title }),
    ...(body !== undefined && { body }),
    state: state === 'open' ? 'open' : 'closed',
  }
}
