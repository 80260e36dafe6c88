import { reasonOf } from '../../client/platform-error.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import type { Io } from '../../shell/io.ts'

/** A repository at GitHub, by the ids that the tokens of its jobs have. After a rename, others can take its name. */
export interface GithubRepository {
  readonly name: string
  readonly id: string
  readonly ownerId: string
  /** Whether the owner of the repository is a person, who can be a code owner by that name. */
  readonly isPersonal: boolean
  readonly defaultBranch: string
}

/** The name of an owner has no dot. */
const NAME = /^[\w-]+\/[\w.-]+$/

/** Asks GitHub for a repository. A private one needs a token that may read it. */
export async function findRepository(name: string, io: Io): Promise<GithubRepository> {
  if (!NAME.test(name)) throw wrongName(name)
  const address = `${(io.env['GITHUB_API_URL'] || 'https://api.github.com').replace(/\/$/, '')}/repos/${name}`
  const token = io.env['GH_TOKEN'] || io.env['GITHUB_TOKEN']
  const headers = { accept: 'application/vnd.github+json', 'user-agent': 'holdfast', ...bearer(token) }
  const response = await io.fetch(new Request(address, { headers, signal: io.signal })).catch((error: unknown) => {
    if (io.signal.aborted) throw error
    throw new HoldfastError('UNAVAILABLE', unreachable(address, reasonOf(error)), { cause: error })
  })
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) throw refusal(name, response.status, token !== undefined)
  const found = repositoryOf(body)
  if (found === null) throw new HoldfastError('UNAVAILABLE', `${address} does not answer as GitHub does`)
  return found
}

function bearer(token: string | undefined): { readonly authorization?: string } {
  return token ? { authorization: `Bearer ${token}` } : {}
}

function repositoryOf(body: unknown): GithubRepository | null {
  if (!isObject(body) || !isObject(body['owner'])) return null
  const { full_name: name, id, default_branch: defaultBranch, owner } = body
  const { id: ownerId, type } = owner
  if (typeof name !== 'string' || !NAME.test(name) || typeof defaultBranch !== 'string') return null
  if (typeof id !== 'number' || typeof ownerId !== 'number') return null
  return { name, id: String(id), ownerId: String(ownerId), isPersonal: type === 'User', defaultBranch }
}

function unreachable(address: string, reason: string): string {
  return `${address} cannot be reached: ${reason}; nothing was made. Check the connection (behind a proxy, Node.js needs NODE_USE_ENV_PROXY=1 and HTTPS_PROXY), then run this again`
}

function wrongName(name: string): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', `${JSON.stringify(name)} is no repository of GitHub; write OWNER/NAME`)
}

function refusal(name: string, status: number, hasToken: boolean): HoldfastError {
  const advice = hasToken
    ? 'check the name, and that the token in GH_TOKEN may read it'
    : 'check the name; for a private repository set GH_TOKEN, as in: GH_TOKEN=$(gh auth token) holdfast trust github …'
  return new HoldfastError('NOT_FOUND', `GitHub shows no repository ${name} (status ${status}); ${advice}`)
}
