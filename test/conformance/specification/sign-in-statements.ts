import { expect } from 'vitest'
import { createDelegatedMethod, deleteMethod, listMethods, updateMethod } from '../../../src/platform/access/methods.ts'
import type { Status } from '../../../src/platform/access/status.ts'
import { begin, discover, enterPassword, landing, post, signIn } from '../../server/oidc/application.ts'
import { CALLBACK, change, makeConsumer, makeMachineUser, makePerson } from '../../server/oidc/people.ts'
import type { Consumer, ConsumerOptions } from '../../server/oidc/people.ts'
import { AUDIENCE } from '../../support/company.ts'
import { CookieClient, type Reply } from '../../support/cookie-client.ts'
import { section, type Sent, type Statement, type World } from './statement.ts'

// Sections 3 and 5: who signs in, and how.

const PATH = '/authenticate/token'
const GIVEN = { status: 200, body: { access_token: expect.any(String) as string } }
const TERMS = { emailDomains: ['corp.example'], scopes: ['openid', 'email', 'service'] }

/** The PASSWORD grant of a new person by a new consumer. */
function withPassword(
  options: ConsumerOptions,
  send: (consumer: Consumer, fields: { [name: string]: string }) => Parameters<typeof post>[3] & object,
  more: { readonly [name: string]: string } = {},
): Sent {
  return async ({ signIn: { access, url } }) => {
    const consumer = await makeConsumer(access, { grantTypes: ['PASSWORD'], ...options })
    const { login: username, password } = await makePerson(access)
    const fields = { grant_type: 'password', username, password, ...more }
    return post(url, PATH, fields, send(consumer, fields))
  }
}

const byBasic = (consumer: Consumer) => ({ consumer })
const byParameters = ({ clientId, secret }: Consumer, fields: { [name: string]: string }) => {
  Object.assign(fields, { client_id: clientId, client_secret: secret })
  return {}
}

/** Signed in by a code, in a new browser. */
function byCode(options: ConsumerOptions, scope = 'openid service'): Sent {
  return async ({ signIn: { access, url } }) => {
    const client = await discover(url, await makeConsumer(access, options))
    const { reply, tokens } = await signIn(client, await makePerson(access), { scope })
    const { origin, pathname } = landing(reply)
    return {
      landing: origin + pathname,
      isGiven: tokens.access_token !== '',
      isRefreshed: tokens.refresh_token !== undefined,
      scope: tokens.scope,
    }
  }
}

/** What somebody sees whom an application has just sent there. */
async function arrive({ signIn: { access, url } }: World, browser = new CookieClient()) {
  const { url: address } = await begin(await discover(url, await makeConsumer(access)))
  const first = await browser.get(address)
  return { browser, first, page: await browser.follow(first) }
}

/** With these methods and no others; afterwards only the internal one is there again. */
async function withMethods<T>(
  world: World,
  work: () => Promise<T>,
  external: Status | null,
  internal: Status,
): Promise<T> {
  const { access } = world.signIn
  const [own] = await listMethods(access)
  const made =
    external === null
      ? null
      : await createDelegatedMethod(access, {
          status: external,
          name: 'The company',
          configuration: { clientId: AUDIENCE, issuer: world.company.issuer, ...TERMS },
        })
  await updateMethod(access, own?.uuid ?? '', { status: internal })
  return work().finally(async () => {
    await updateMethod(access, own?.uuid ?? '', { status: 'ACTIVATED' })
    if (made !== null) await deleteMethod(access, made.uuid)
  })
}

function arriving(external: Status | null, internal: Status = 'ACTIVATED'): Sent {
  return (world) =>
    withMethods(
      world,
      async () => {
        const { first, page } = await arrive(world)
        const { pathname, searchParams } = new URL(page.url)
        return { path: pathname, parameters: [...searchParams.keys()], ...seen(page), leaves: first.headers.location }
      },
      external,
      internal,
    )
}

const seen = ({ text }: Reply) => ({
  asksForPassword: text.includes('type="password"'),
  namesCompany: text.includes('The company'),
})

const PARAMETERS: unknown = expect.arrayContaining(['client_id', 'redirect_uri', 'response_type', 'scope', 'state'])

/** What somebody may with a token of the company. */
function asForeigner(claims: object, times = 1): Sent {
  return (world) =>
    withMethods(
      world,
      async () => {
        const email = `eve-${crypto.randomUUID().slice(0, 8)}@corp.example`
        const token = await world.company.sign({ sub: email, email, email_verified: true, ...claims })
        const answers = []
        for (let time = 0; time < times; time++) answers.push(await whoIs(world, token))
        const [{ status, me } = { status: 0, me: undefined }] = answers
        return { status, isThem: me === email, isSame: answers.every((answer) => answer.me === me) }
      },
      'ACTIVATED',
      'ACTIVATED',
    )
}

async function whoIs({ signIn: { url } }: World, token: string): Promise<{ status: number; me?: string | undefined }> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: '{"query":"{ me { login } }"}',
  })
  const { data } = (await answer.json()) as { data?: { me?: { login: string } } }
  return { status: answer.status, me: data?.me?.login }
}

/** Of somebody, or an application, whose record is in this state. */
function inState(status: Status, who: 'person' | 'machine' | 'client'): Sent {
  return async ({ signIn: { access, url } }) => {
    const consumer = await makeConsumer(access, { grantTypes: ['PASSWORD'] })
    const account = await (who === 'machine' ? makeMachineUser(access) : makePerson(access))
    await change(access, who === 'client' ? consumer.uuid : account.uuid, { status })
    const fields = { grant_type: 'password', username: account.login, password: account.password }
    return { isGiven: (await post(url, PATH, fields, { consumer })).status === 200 }
  }
}

const STATES = (['person', 'machine', 'client'] as const).flatMap((who) => {
  const name = { person: 'a User', machine: 'a MachineUser', client: 'an ApplicationConsumer' }[who]
  return (['ACTIVATED', 'DEACTIVATED', 'ARCHIVED'] as const).map(
    (status) => [`${name} may be ${status}`, inState(status, who), { isGiven: status === 'ACTIVATED' }] as const,
  )
})

export const SIGN_IN_STATEMENTS: readonly Statement[] = [
  ...section(
    '3 States',
    ...STATES,
    ['the login UI shows an ACTIVATED method', arriving('ACTIVATED'), { namesCompany: true }],
    ['and not one that is DEACTIVATED', arriving('DEACTIVATED'), { namesCompany: false }],
    ['nor one that is ARCHIVED', arriving('ARCHIVED'), { namesCompany: false }],
  ),
  ...section(
    '5 Client credentials',
    ['are sent as parameters', withPassword({}, byParameters), GIVEN],
    ['or by Basic', withPassword({}, byBasic), GIVEN],
    [
      'and are looked at',
      withPassword({}, ({ clientId }) => ({ consumer: { clientId, secret: 'other', uuid: '' } })),
      { status: 401, body: { error: 'invalid_client' } },
    ],
  ),
  ...section(
    '5 Password',
    ['a consumer with PASSWORD gets an access token', withPassword({}, byBasic), GIVEN],
    ['and no other one does', withPassword({ grantTypes: ['AUTHORIZATION_CODE'] }, byBasic), { status: 400 }],
    [
      'nor somebody with another password',
      withPassword({}, byBasic, { password: 'other' }),
      { status: 400, body: { error: 'invalid_grant' } },
    ],
    [
      'a machine user gets one too',
      async ({ signIn: { access, url } }) => {
        const consumer = await makeConsumer(access, { grantTypes: ['PASSWORD'] })
        const { login: username, password } = await makeMachineUser(access)
        return post(url, PATH, { grant_type: 'password', username, password }, { consumer })
      },
      GIVEN,
    ],
  ),
  ...section(
    '5 Authorization code',
    ['leads back to the registered address, with tokens', byCode({}), { landing: CALLBACK, isGiven: true }],
    [
      'REFRESH_TOKEN gives a refresh token',
      byCode({ grantTypes: ['AUTHORIZATION_CODE', 'REFRESH_TOKEN'] }),
      { isRefreshed: true },
    ],
    ['without it there is none', byCode({ grantTypes: ['AUTHORIZATION_CODE'] }), { isRefreshed: false }],
    [
      'the scopes service and email are registered, and openid is asked for as well',
      byCode({ scopes: ['service', 'email'] }, 'openid email'),
      { scope: 'openid email' },
    ],
    [
      'an address that is not registered is refused',
      async ({ signIn: { access, url } }) => {
        const { clientId } = await makeConsumer(access)
        const query = `client_id=${clientId}&response_type=code&redirect_uri=https://other.example/`
        const { status, headers } = await new CookieClient().get(`${url}/authenticate?${query}`)
        return { status, isSentThere: headers.location !== undefined }
      },
      { status: 400, isSentThere: false },
    ],
    [
      'the flag says whether consent is asked for',
      async (world) => {
        const { access, url } = world.signIn
        const begun = await begin(await discover(url, await makeConsumer(access, { noExplicitConsentRequired: false })))
        const browser = new CookieClient()
        const reply = await enterPassword(browser, await browser.open(begun.url), await makePerson(access))
        return { status: reply.status, asks: /name="decision" value="allow"/.test(reply.text) }
      },
      { status: 200, asks: true },
    ],
  ),
  ...section(
    '5 Which method',
    [
      '(a) several: /login, with the same parameters, lists those that are ACTIVATED',
      arriving('ACTIVATED'),
      { path: '/login', parameters: PARAMETERS, asksForPassword: true, namesCompany: true },
    ],
    [
      '(b) one external: straight to that provider',
      arriving('ACTIVATED', 'DEACTIVATED'),
      { leaves: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/authorize\?/) as string },
    ],
    [
      '(c) the internal one: a form that asks for user name and password',
      arriving(null),
      { path: '/login', asksForPassword: true, namesCompany: false },
    ],
  ),
  ...section(
    '5 OpenID delegated',
    ['a token of a trusted provider is a bearer token', asForeigner({}), { status: 200 }],
    ['its issuer is looked at', asForeigner({ iss: 'https://other.example' }), { status: 401 }],
    ['and its audience', asForeigner({ aud: 'other' }), { status: 401 }],
    ['and its signature', foreignTokenOfAnotherKey(), { status: 401 }],
    ['and whether it has expired', asForeigner({ exp: 1_700_000_000 }), { status: 401 }],
    ['a user who does not exist is made', asForeigner({}), { isThem: true }],
    ['and is the same one the next time', asForeigner({}, 3), { isThem: true, isSame: true }],
    [
      'the platform gives an internal token for it',
      async (world) =>
        withMethods(
          world,
          async () => {
            const { access, url } = world.signIn
            const consumer = await makeConsumer(access)
            const claims = { sub: 'zoe', email: 'zoe@corp.example', email_verified: true }
            const fields = {
              grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
              subject_token: await world.company.sign(claims),
              subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
            }
            return post(url, PATH, fields, { consumer })
          },
          'ACTIVATED',
          'ACTIVATED',
        ),
      GIVEN,
    ],
  ),
  ...section('4 /authenticate/userinfo', [
    'answers a bearer token with user information',
    async ({ signIn: { access, url } }) => {
      const { tokens } = await signIn(await discover(url, await makeConsumer(access)), await makePerson(access))
      const headers = { authorization: `Bearer ${tokens.access_token}` }
      const answer = await fetch(`${url}/authenticate/userinfo`, { headers })
      return { status: answer.status, body: await answer.json() }
    },
    { status: 200, body: { name: 'Ann Example', email: expect.stringContaining('@example.org') as string } },
  ]),
]

function foreignTokenOfAnotherKey(): Sent {
  return (world) =>
    withMethods(
      world,
      async () => {
        const token = await world.company.sign({ email: 'eve@corp.example', email_verified: true })
        return whoIs(world, `${token.slice(0, -10)}AAAAAAAAAA`)
      },
      'ACTIVATED',
      'ACTIVATED',
    )
}
