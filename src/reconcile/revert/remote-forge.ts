import { isGiteaActions } from '../../client/sign-in.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { withoutPasswords } from '../models/git.ts'
import type { Environment } from '../../shell/io.ts'
import type { ForgeName } from '../forge/forge.ts'
import type { ForgePlace } from '../forge/open-forge.ts'

/** The environment variables with a person's token for each forge. */
const TOKENS: { readonly [forge in ForgeName]: readonly string[] } = {
  GitHub: ['GH_TOKEN', 'GITHUB_TOKEN'],
  GitLab: ['GITLAB_TOKEN', 'HOLDFAST_GITLAB_TOKEN'],
  Gitea: ['GITEA_TOKEN', 'FORGEJO_TOKEN'],
}

const NEEDS: { readonly [forge in ForgeName]: string } = {
  GitHub:
    'the permission "Pull requests: write", or the scope "repo"; for the token of a job the repository must also let GitHub Actions create pull requests',
  GitLab: 'the scope "api", and at least the role Developer',
  Gitea: 'the scope "write:repository"',
}

const HOSTS: { readonly [forge in ForgeName]: RegExp } = {
  GitHub: /(^|\.)github\.|\.ghe\.com$/,
  GitLab: /gitlab/,
  Gitea: /gitea|forgejo|codeberg/,
}

const FORGES: readonly ForgeName[] = ['GitHub', 'GitLab', 'Gitea']

/** The forge of a remote, for a person with a token, or for a job. */
export function forgeOfRemote(remote: string, env: Environment): ForgePlace & { readonly remedy: string } {
  const found = readAddress(remote)
  if (found === null)
    throw refused(`the remote ${withoutPasswords(remote)} is at no forge, so there is nowhere to open a pull request`)
  const { server, host, path } = found
  const forge = forgeNameOf(host, env)
  const job = forge === 'Gitea' && isGiteaActions(env) ? ['GITHUB_TOKEN'] : []
  const token = [...TOKENS[forge], ...job].map((name) => env[name]).find((value) => value)
  const remedy = `the token in ${TOKENS[forge][0]} needs ${NEEDS[forge]}`
  if (!token) throw noToken(forge, host)
  const [owner = '', repo = ''] = path.slice(-2)
  const base = [server, ...path.slice(0, -2)].join('/')
  if (forge === 'GitLab') {
    const apiUrl = (env['GITLAB_CI'] === 'true' && env['CI_API_V4_URL']) || `${server}/api/v4`
    return { forge, token, owner: '', repo: path.join('/'), apiUrl, repositoryUrl: [server, ...path].join('/'), remedy }
  }
  const apiUrl = forge === 'GitHub' ? githubApi(server, env) : `${base}/api/v1`
  return { forge, token, owner, repo, apiUrl, repositoryUrl: `${base}/${owner}/${repo}`, remedy }
}

function githubApi(server: string, env: Environment): string {
  const { host } = new URL(server)
  const known = host === 'github.com' || host.endsWith('.ghe.com') ? `https://api.${host}` : `${server}/api/v3`
  return (env['GITHUB_API_URL'] || known).replace(/\/$/, '')
}

interface Address {
  /** `https://github.com` */
  readonly server: string
  readonly host: string
  /** The parts of the name of the repository: two, or more for groups of GitLab or for a server below a path. */
  readonly path: readonly string[]
}

/** The address of a remote for a browser and an API; null for a local directory. */
function readAddress(remote: string): Address | null {
  const [, scpHost, scpPath] = /^(?:[^@/]+@)?([^/:]+):(?!\/\/)(.+)$/.exec(remote) ?? []
  const url = scpHost === undefined ? remote : `ssh://${scpHost}/${scpPath}`
  if (!/^(https?|ssh|git):\/\//.test(url) || !URL.canParse(url)) return null
  const { protocol, host, hostname, pathname } = new URL(url)
  const path = pathname
    .replace(/\.git\/?$/, '')
    .split('/')
    .filter((part) => part !== '')
  const server = /^https?:$/.test(protocol) ? `${protocol}//${host}` : `https://${hostname}`
  return path.length < 2 || hostname === '' ? null : { server, host: hostname, path }
}

/** The name of the forge. Many forges have host names of their own; then the only token that is set decides. */
function forgeNameOf(host: string, env: Environment): ForgeName {
  if (isGiteaActions(env)) return 'Gitea'
  const named = FORGES.find((forge) => HOSTS[forge].test(host))
  if (named !== undefined) return named
  const [given, ...others] = FORGES.filter((forge) => TOKENS[forge].some((name) => env[name]))
  if (given !== undefined && others.length === 0) return given
  const names = FORGES.map((forge) => `${TOKENS[forge][0]} (${forge === 'Gitea' ? 'Gitea, Forgejo' : forge})`)
  throw refused(
    `Holdfast does not know which forge ${host} is; set the token of one of them alone: ${names.join(', ')}`,
  )
}

function noToken(forge: ForgeName, host: string): HoldfastError {
  const how = forge === 'GitHub' ? ', as in: GH_TOKEN=$(gh auth token) holdfast …' : ''
  const name = TOKENS[forge][0]
  return new HoldfastError(
    'UNAUTHENTICATED',
    `to open a pull request at ${host}, set ${name} to a token with ${NEEDS[forge]}${how}; nothing was done`,
  )
}

function refused(message: string): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', `${message}; nothing was done`)
}
