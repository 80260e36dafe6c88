import { describe, expect, it } from 'vitest'
import type { Environment } from '../../src/shell/io.ts'
import { failure } from './fake-platform.ts'
import { holdfast } from './run-command.ts'
import { workspace } from './workspace.ts'

// What a person is told who cannot sign in, or may not do what they want.

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
/** As the clock of test/reconcile/run-command.ts. */
const NOW = 'Fri, 02 Jan 2026 03:04:05 GMT'

interface Answers {
  /** Of the token endpoint, or of GitHub. */
  readonly tokens?: () => Response
  readonly graphql?: () => Response
}

async function told(env: Environment, { tokens, graphql }: Answers): Promise<string> {
  const { code, stderr } = await holdfast('history --url https://platform.example', {
    cwd: workspace(),
    env,
    fetch: async ({ url }) => {
      const answer = url.endsWith('/graphql') ? graphql : tokens
      return answer?.() ?? Response.json({ access_token: 'a', value: 'b' })
    },
  })
  expect(code).toBe(1)
  expect(stderr).not.toMatch(/pass word|client\+secret|request-token/)
  return stderr
}

function oauthError(error: string, status = 400, headers: { [name: string]: string } = {}) {
  return () => Response.json({ error, error_description: 'no' }, { status, headers })
}

function problem(status: number, code: string, detail: string, date = NOW) {
  return () => Response.json({ status, code, detail, traceId: 'abc' }, { status, headers: { date } })
}

describe('a PASSWORD grant that is refused', () => {
  it.each<[string, () => Response, RegExp]>([
    [
      'a wrong client secret',
      oauthError('invalid_client', 401),
      /refuses the sign-in \(invalid_client: no\); the application consumer is unknown .* check HOLDFAST_CLIENT_ID and HOLDFAST_CLIENT_SECRET$/m,
    ],
    [
      'a wrong password',
      oauthError('invalid_grant'),
      /; the user is unknown .* check HOLDFAST_USERNAME and HOLDFAST_PASSWORD$/m,
    ],
    ['a grant that is not listed', oauthError('unauthorized_client'), /add PASSWORD to its grantTypes/],
    [
      'a grant that is not listed, as oidc-provider says it',
      oauthError('invalid_request'),
      /add PASSWORD to its grantTypes/,
    ],
    ['scopes that are not listed', oauthError('invalid_scope'), /check its scopes \(HOLDFAST_CLIENT_ID and/],
    ['what nobody foresaw', oauthError('server_error'), /\(server_error: no\); check HOLDFAST_CLIENT_ID and/],
    ['what every object has', oauthError('constructor'), /\(constructor: no\); check HOLDFAST_CLIENT_ID and/],
    [
      'too many attempts',
      oauthError('slow_down', 429, { 'retry-after': '30' }),
      /signs nobody in now: there were too many attempts; try again in 30 s$/m,
    ],
    ['a platform that is down', () => new Response('', { status: 503 }), /status 503\); try again in a moment$/m],
    [
      'another address',
      () => new Response(null, { status: 302, headers: { location: 'https://b.example/' } }),
      /redirects to https:\/\/b\.example\/; use that address/,
    ],
    [
      'a name that the platform does not have',
      problem(421, 'NOT_FOUND', 'no domain has this name'),
      /does not know itself by this name; .* set HOLDFAST_BASE_URL/,
    ],
    [
      'something that is no platform',
      () => new Response('<html>', { status: 404 }),
      /does not answer like a Holdfast platform \(status 404\)/,
    ],
    [
      'a clock that is wrong',
      oauthError('invalid_grant', 400, { date: 'Fri, 02 Jan 2026 04:04:05 GMT' }),
      /; the clock of this machine is 3600 s behind the platform's: set both clocks by NTP$/m,
    ],
  ])('for %s', async (_, tokens, message) => {
    expect(await told(PASSWORD, { tokens })).toMatch(message)
  })
})

describe('a token that is refused', () => {
  const graphql = problem(401, 'UNAUTHENTICATED', 'the token is for the audience a, not b')

  it.each<[string, Environment, RegExp]>([
    [
      'HOLDFAST_TOKEN',
      { HOLDFAST_TOKEN: 't' },
      /error: the token is for the audience a, not b; HOLDFAST_TOKEN may have expired/,
    ],
    [
      'a password',
      PASSWORD,
      /not b; check that the user and the application consumer are ACTIVATED \(HOLDFAST_USERNAME/,
    ],
    [
      'a GitHub job',
      ACTIONS,
      /not b; this needs an ACTIVATED OpenID delegated authentication method with the issuer https:\/\/token\.actions\.githubusercontent\.com and the clientId https:\/\/platform\.example$/m,
    ],
  ])('from %s', async (_, env, message) => {
    const text = await told(env, { graphql })
    expect(text).toMatch(message)
    expect(text).toContain('trace-id abc')
  })

  it.each([
    ['https://github.example.com/', {}, 'https://github.example.com/_services/token'],
    ['https://octocorp.ghe.com', {}, 'https://token.actions.octocorp.ghe.com'],
    ['https://forge.example.com', { FORGEJO_ACTIONS: 'true' }, 'https://forge.example.com/api/actions'],
    ['no address', {}, 'https://token.actions.githubusercontent.com'],
  ])('from a job of %s names its issuer', async (server, more, issuer) => {
    const text = await told({ ...ACTIONS, GITHUB_SERVER_URL: server, ...more }, { graphql })
    expect(text).toContain(`method with the issuer ${issuer} and the clientId`)
  })

  it('because of the clock', async () => {
    const late = problem(401, 'UNAUTHENTICATED', 'it expired', 'Fri, 02 Jan 2026 02:04:05 GMT')
    expect(await told({ HOLDFAST_TOKEN: 't' }, { graphql: late })).toContain(
      'the clock of this machine is 3600 s ahead of the platform',
    )
  })

  it('by something in between', async () => {
    const text = await told({ HOLDFAST_TOKEN: 't' }, { graphql: () => new Response('<html>', { status: 401 }) })
    expect(text).toContain('https://platform.example/ does not accept the credential; HOLDFAST_TOKEN')
  })
})

function missingScope(): Response {
  return failure('FORBIDDEN', 'applies needs a token with the scope model:read or service; this one has only openid', [
    { right: 'model:read', scopes: ['model:read', 'service'] },
  ])
}

describe('a scope that is missing', () => {
  it.each<[string, Environment, RegExp]>([
    ['HOLDFAST_TOKEN', { HOLDFAST_TOKEN: 't' }, /has only openid; get HOLDFAST_TOKEN with one of these scopes$/m],
    ['a password', PASSWORD, /; add one of these scopes to the application consumer \(HOLDFAST_CLIENT_ID and/],
    ['a GitHub job', ACTIONS, /; the fitting rule of the authentication method limits this job/],
  ])('from %s', async (_, env, message) => {
    expect(await told(env, { graphql: missingScope })).toMatch(message)
  })
})

describe('GitHub that gives no token', () => {
  it('says what the job lacks', async () => {
    expect(await told(ACTIONS, { tokens: () => new Response('', { status: 403 }) })).toMatch(
      /gives this job no OpenID token \(status 403\); .*"id-token: write"/,
    )
  })
})
