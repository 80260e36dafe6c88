import { describe, expect, it } from 'vitest'
import { rightsOf } from '../../../src/auth/scopes.ts'
import type { Check } from '../../../src/reconcile/target/check.ts'
import type { Environment } from '../../../src/shell/io.ts'
import { checkClock, checkRights } from '../../../src/reconcile/target/platform-health.ts'
import { data, failure } from '../fake-platform.ts'
import { models } from '../sample.ts'
import { holdfast, type SessionOptions } from '../run-command.ts'
import { workspace } from '../workspace.ts'

const FILES = { 'models/a.json': models('a') }

interface Platform {
  readonly health?: Response
  readonly discovery?: Response
  readonly date?: string
  readonly issuer?: string
  readonly graphql?: () => Response
}

const ME = {
  currentDomain: { name: 'lindenhof' },
  me: {
    name: 'operator',
    scopes: ['openid', 'service'],
    rights: [...rightsOf(['service'])],
    roles: [{ role: 'ADMINISTRATOR', within: null }],
  },
}

/** A platform where everything is well, save what is said. */
function platform({
  date = 'Fri, 02 Jan 2026 03:04:00 GMT',
  issuer,
  health,
  discovery,
  graphql = () => data(ME),
}: Platform = {}) {
  return async ({ url }: Request) => {
    if (url.endsWith('/healthz')) return health ?? new Response('ok', { headers: { date } })
    if (url.endsWith('/.well-known/openid-configuration'))
      return discovery ?? Response.json({ issuer: issuer ?? new URL(url).origin })
    return graphql()
  }
}

/** The checks of a platform, without those of this machine. */
async function checks(url: string, fetch: SessionOptions['fetch'], env: Environment = { HOLDFAST_TOKEN: 't' }) {
  const line = `doctor --url ${url} --format json`
  const { code, stdout } = await holdfast(line, { cwd: workspace(FILES), env, ...(fetch && { fetch }) })
  const { checks: all } = JSON.parse(stdout) as { checks: readonly Check[] }
  expect(code).toBe(all.every(({ ok }) => ok) ? 0 : 1)
  return all.slice(2)
}

describe('doctor', () => {
  it('without a platform looks at what is here, and makes nothing', async () => {
    const cwd = workspace(FILES)
    const { code, stdout } = await holdfast('doctor', { cwd })
    expect(stdout.split('\n').map((line) => line.slice(0, 24).trimEnd())).toEqual([
      'ok       node',
      'ok       models',
      'ok       data directory',
      'ok       platform',
      '',
    ])
    expect(stdout).toContain(`${cwd}/.holdfast (made when it is needed)`)
    expect(code).toBe(0)
  })

  it('names references that are not resolved here', async () => {
    const users = [
      { username: 'a', password: '${env:ONE}' },
      { username: 'b', password: '${env:TWO}' },
    ]
    const cwd = workspace({ 'models/a.json': JSON.stringify({ machineUsers: users }) })
    const { code, stdout } = await holdfast('doctor', { cwd, env: { ONE: 'Zq7-8Kd02mfPq71L-of-the-test' } })
    expect(stdout).toMatch(
      /^problem +models +models is valid, but 1 reference of it is not resolved here: \$\{env:TWO\} \(models\/a\.json:1:\d+\); set/m,
    )
    expect(code).toBe(1)
  })

  it('names, to an administrator, the providers whose people have no role', async () => {
    const lostRights = [{ who: 'people of Corp', what: 'can sign in', advice: 'grant a role' }]
    const all = await checks('https://a.example', platform({ graphql: () => data({ ...ME, lostRights }) }))
    expect(all.at(-1)).toEqual({ name: 'no role', ok: true, message: 'people of Corp can sign in; grant a role' })
  })

  it('calls no platform well that has no directory', async () => {
    const { code, stdout } = await holdfast('doctor --data-dir models/a.json', { cwd: workspace(FILES) })
    expect(stdout).toMatch(/^problem +data directory +the data directory .* is a file; /m)
    expect(stdout).toMatch(/^problem +platform +embedded, which needs the data directory$/m)
    expect(code).toBe(1)
  })

  it('says that commands do not use the database of a server', async () => {
    const env = { DATABASE_URL: 'postgres://holdfast:hidden@db.example.com/holdfast' }
    const { code, stdout } = await holdfast('doctor', { cwd: workspace(FILES), env })
    expect(stdout).toMatch(/^problem +platform +DATABASE_URL is for the server, .* name it by --url or HOLDFAST_URL$/m)
    expect(stdout).not.toContain('hidden')
    expect(code).toBe(1)
  })

  it('looks at the whole chain to a platform', async () => {
    expect(await checks('https://a.example', platform())).toEqual([
      { name: 'platform', ok: true, message: 'https://a.example/ answers' },
      { name: 'encryption', ok: true, message: 'TLS, with a trusted certificate' },
      { name: 'clock', ok: true, message: 'within 5 s of the platform' },
      { name: 'discovery', ok: true, message: 'sign-in is at https://a.example' },
      { name: 'credential', ok: true, message: 'operator at domain lindenhof' },
      { name: 'rights', ok: true, message: 'enough for plan, apply, export' },
    ])
  })

  it.each<[string, string, Platform, string, RegExp]>([
    ['clear text', 'http://a.example', {}, 'encryption', /is not encrypted: .* use https/],
    [
      'a clock',
      'https://a.example',
      { date: 'Fri, 02 Jan 2026 04:04:05 GMT' },
      'clock',
      /^3600 s behind the platform: .* NTP/,
    ],
    [
      'another name',
      'https://a.example',
      { issuer: 'https://b.example' },
      'discovery',
      /calls itself https:\/\/b\.example; use that address, or set HOLDFAST_BASE_URL=https:\/\/a\.example on the server/,
    ],
    [
      'an address with a path too many',
      'https://a.example/graphql',
      { health: new Response('', { status: 404 }) },
      'platform',
      /^https:\/\/a\.example\/graphql\/ does not answer like a Holdfast platform \(status 404\); check the address$/,
    ],
    [
      'an address that moved',
      'https://a.example',
      { health: new Response(null, { status: 301, headers: { location: 'https://b.example/healthz' } }) },
      'platform',
      /redirects to https:\/\/b\.example\//,
    ],
    [
      'a platform that is ill',
      'https://a.example',
      { health: new Response('', { status: 500 }) },
      'platform',
      /is not well \(status 500\); look at its log$/,
    ],
    [
      'a name that the platform does not have',
      'https://a.example',
      { discovery: Response.json({ code: 'NOT_FOUND' }, { status: 421 }) },
      'discovery',
      /does not know itself by this name; use a name that it knows, or set HOLDFAST_BASE_URL on the server$/,
    ],
    [
      'an expired token',
      'https://a.example',
      { graphql: () => failure('UNAUTHENTICATED', 'the token has expired') },
      'credential',
      /^the token has expired; HOLDFAST_TOKEN may have expired/,
    ],
  ])('says what to do about %s', async (_, url, broken, name, message) => {
    const found = await checks(url, platform(broken))
    expect(found.filter(({ ok }) => !ok)).toEqual([{ name, ok: false, message: expect.stringMatching(message) }])
  })

  it('a credential that is missing does not hide what else is wrong', async () => {
    const found = await checks('https://a.example', platform({ issuer: 'https://b.example' }), {})
    expect(found.flatMap(({ name, ok }) => (ok ? [] : [name]))).toEqual(['discovery', 'credential'])
  })

  it('says in words what it found, and exits with 1 for a problem', async () => {
    const cwd = workspace({ 'models/a.json': '{' })
    const env = { HOLDFAST_TOKEN: 't' }
    const { code, stdout } = await holdfast('doctor --url http://localhost', { cwd, env, fetch: platform() })
    expect(stdout.split('\n').slice(1, 4)).toEqual([
      'problem  models          models is not valid; "validate" shows the errors',
      'ok       platform        http://localhost/ answers',
      'ok       encryption      none, and nothing leaves this machine',
    ])
    expect(code).toBe(1)
  })

  it('a platform that cannot be reached is one problem', async () => {
    const found = await checks('http://localhost:1', undefined)
    expect(found).toEqual([{ name: 'platform', ok: false, message: expect.stringContaining('nothing listens there') }])
  })

  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate authority is unknown here'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not speak TLS (an http address?)'],
  ])('says in words what is wrong with TLS: %s', async (code, words) => {
    const cause = Object.assign(new Error('from OpenSSL'), { code })
    const found = await checks('https://a.example', () => Promise.reject(new TypeError('fetch failed', { cause })))
    expect(found[0]?.message).toContain(words)
  })
})

describe('the rights of a token', () => {
  it.each([
    [['service'], true, 'enough for plan, apply, export'],
    [
      ['model:plan'],
      true,
      'enough for plan; apply needs a token with the scope model:apply or service; this one has only model:plan; export needs',
    ],
    [
      ['openid'],
      false,
      'plan needs a token with the scope model:plan or model:apply or service; this one has only openid',
    ],
  ])('%j: %s', (scopes, isOk, message) => {
    const rights = [...rightsOf(scopes)]
    const me = { name: 'operator', scopes, rights, roles: [{ role: 'ADMINISTRATOR', within: null }] } as const
    expect(checkRights(me)).toMatchObject({ ok: isOk, message: expect.stringContaining(message) })
  })
})

it.each([
  [60_000, true],
  [61_000, false],
  [-61_000, false],
])('a clock %i ms ahead: %s', (skew, isOk) => {
  const date = 'Fri, 02 Jan 2026 03:04:05 GMT'
  expect(checkClock(date, Date.parse(date) + skew).ok).toBe(isOk)
})
