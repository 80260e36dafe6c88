import { describe, expect, it } from 'vitest'
import type { Environment } from '../../src/shell/io.ts'
import { data } from '../reconcile/fake-platform.ts'
import { holdfast, type Outcome } from '../reconcile/run-command.ts'
import { workspace } from '../reconcile/workspace.ts'

const PASSWORD = {
  HOLDFAST_CLIENT_ID: 'holdfast-cli.x',
  HOLDFAST_CLIENT_SECRET: 'client+secret',
  HOLDFAST_USERNAME: 'operator',
  HOLDFAST_PASSWORD: 'pass word',
}
const ACTIONS = {
  ACTIONS_ID_TOKEN_REQUEST_URL: 'https://actions.example/token?api-version=2',
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-token',
}

interface Seen {
  readonly outcome: Outcome
  readonly authorization: string | null | undefined
  readonly requests: readonly { url: string; body: string; authorization: string | null }[]
}

async function signIn(
  env: Environment,
  tokens: Response = Response.json({ access_token: 'from-password', value: 'from-actions' }),
): Promise<Seen> {
  const requests: { url: string; body: string; authorization: string | null }[] = []
  const fetch = async (request: Request) => {
    requests.push({ url: request.url, body: await request.text(), authorization: request.headers.get('authorization') })
    return request.url.endsWith('/graphql') ? data({ applies: { nodes: [] } }) : tokens
  }
  const outcome = await holdfast('history --url https://platform.example/base', {
    cwd: workspace(),
    env,
    fetch,
  })
  const last = requests.at(-1)
  return { outcome, requests, authorization: last?.url.endsWith('/graphql') ? last.authorization : undefined }
}

describe('the credential for a platform comes from', () => {
  it('HOLDFAST_TOKEN first', async () => {
    const { authorization, requests } = await signIn({ HOLDFAST_TOKEN: 'mine', ...PASSWORD, ...ACTIONS })
    expect(authorization).toBe('Bearer mine')
    expect(requests.map(({ url }) => url)).toEqual(['https://platform.example/base/graphql'])
  })

  it('then a PASSWORD grant', async () => {
    const { authorization, requests } = await signIn({ HOLDFAST_TOKEN: '', ...PASSWORD, ...ACTIONS })
    expect(authorization).toBe('Bearer from-password')
    expect(requests[0]?.url).toBe('https://platform.example/base/authenticate/token')
    expect(Object.fromEntries(new URLSearchParams(requests[0]?.body))).toEqual({
      grant_type: 'password',
      username: 'operator',
      password: 'pass word',
      client_id: 'holdfast-cli.x',
      client_secret: 'client+secret',
    })
  })

  it('then the OpenID token that GitLab has put into the job', async () => {
    const { authorization, requests } = await signIn({ HOLDFAST_ID_TOKEN: 'from-gitlab\n', ...ACTIONS })
    expect(authorization).toBe('Bearer from-gitlab')
    expect(requests).toHaveLength(1)
  })

  it('then the OpenID token of a GitHub job, for the platform as audience', async () => {
    const { authorization, requests } = await signIn(ACTIONS)
    expect(authorization).toBe('Bearer from-actions')
    expect(requests[0]).toMatchObject({
      url: 'https://actions.example/token?api-version=2&audience=https%3A%2F%2Fplatform.example%2Fbase',
      authorization: 'Bearer request-token',
    })
  })
})

async function noApplies(): Promise<Response> {
  return data({ applies: { nodes: [] } })
}

describe('without one', () => {
  it.each<[string, Environment, string]>([
    [
      'nothing is set',
      {},
      'https://platform.example/base/ needs a credential: set HOLDFAST_TOKEN, or HOLDFAST_CLIENT_ID, ',
    ],
    [
      'a GitHub job lacks the permission',
      { GITHUB_ACTIONS: 'true' },
      'give this job the permission "id-token: write" (a pull request from a fork never gets it)',
    ],
    [
      'a GitLab job has no token',
      { GITLAB_CI: 'true' },
      "give this job an ID token, id_tokens: { HOLDFAST_ID_TOKEN: { aud: 'https://platform.example/base' } }",
    ],
    [
      'a Forgejo job has no token',
      { GITHUB_ACTIONS: 'true', FORGEJO_ACTIONS: 'true' },
      'give this workflow "enable-openid-connect: true"',
    ],
    [
      'a part is missing',
      { ...PASSWORD, HOLDFAST_PASSWORD: '' },
      'to sign in with a password HOLDFAST_PASSWORD must be set too',
    ],
  ])('%s', async (_, env, message) => {
    const { outcome, requests } = await signIn(env)
    expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) })
    expect(requests).toEqual([])
  })

  it('a token that goes over the network in clear is warned of', async () => {
    const env = { HOLDFAST_TOKEN: 't' }
    const open = await holdfast('history --url http://platform.example', { cwd: workspace(), env, fetch: noApplies })
    expect(open.stderr).toContain('warning: http://platform.example/ is not encrypted')
    const local = await holdfast('history --url http://localhost:3000', { cwd: workspace(), env, fetch: noApplies })
    expect(local.stderr).toBe('')
  })
})

describe('which platform is meant', () => {
  const credentials = { clientId: 'holdfast-cli.x', clientSecret: 's', username: 'operator', password: 'p' }
  const server = { runningServer: () => Promise.resolve({ url: 'http://localhost:3000', credentials }) }
  const seen = async (line: string, env: Environment) => {
    const urls: string[] = []
    const fetch = async (request: Request) => {
      if (request.url.endsWith('/authenticate/token')) return Response.json({ access_token: 'of the server' })
      urls.push(`${request.url} ${request.headers.get('authorization')}`)
      return data({ applies: { nodes: [] } })
    }
    await holdfast(line, { cwd: workspace(), env, fetch, parts: server })
    return urls
  }

  it('--url before HOLDFAST_URL before the server that runs on the data directory', async () => {
    const env = { HOLDFAST_URL: 'https://b.example', HOLDFAST_TOKEN: 'mine' }
    expect(await seen('history --url https://a.example', env)).toEqual(['https://a.example/graphql Bearer mine'])
    expect(await seen('history', env)).toEqual(['https://b.example/graphql Bearer mine'])
    expect(await seen('history', { HOLDFAST_URL: '' })).toEqual(['http://localhost:3000/graphql Bearer of the server'])
  })

  it.each([
    ['history', {}, '.holdfast'],
    ['history', { HOLDFAST_DATA_DIR: 'from-env' }, 'from-env'],
    ['history --data-dir given', { HOLDFAST_DATA_DIR: 'from-env' }, 'given'],
  ])('%s %j: the embedded one in %s', async (line, env, expected) => {
    const cwd = workspace()
    const opened: string[] = []
    const openEmbedded = ({ dataDir }: { dataDir: string }) => {
      opened.push(dataDir)
      return Promise.resolve({
        fetch: async () => data({ applies: { nodes: [] } }),
        token: '',
        close: () => Promise.resolve(),
      })
    }
    await holdfast(line, { cwd, env, parts: { openEmbedded } })
    expect(opened).toEqual([`${cwd}/${expected}`])
  })
})
