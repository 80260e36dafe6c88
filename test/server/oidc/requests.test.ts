import { describe, expect, it } from 'vitest'
import { saveDomainSettings } from '../../../src/store/domain-settings.ts'
import { CookieClient } from '../../support/cookie-client.ts'
import { enterPassword, landing, obtainCode, post, signIn, discover } from './application.ts'
import { type Fields, at, useAttacked } from './attacked-server.ts'
import { CALLBACK, makeConsumer } from './people.ts'

useAttacked()

function demandPkce(requiresPkce: boolean): Promise<void> {
  const { database, server } = at
  return database.transaction((sql) =>
    saveDomainSettings(sql, server.access.domain.id, { requiresPkce, allowedOrigins: [] }),
  )
}

describe('PKCE', () => {
  it.each([
    ['without a verifier', () => ({})],
    ['with another verifier', () => ({ code_verifier: 'x'.repeat(43) })],
    ['with the challenge for a verifier', (verifier: string) => ({ code_verifier: verifier.toUpperCase() })],
  ])('a code is not redeemed %s, and still is with the right one', async (_, fields) => {
    const { code, verifier } = await obtainCode(at.client, at.person)
    expect((await at.redeem(code, fields(verifier))).body).toMatchObject({ error: 'invalid_grant' })
    expect((await at.redeem(code, { code_verifier: verifier })).status).toBe(200)
  })

  it('cannot be talked down to `plain`, nor left half', async () => {
    for (const parameters of [
      { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' },
      { code_challenge: 'x'.repeat(43) },
      { code_challenge_method: 'S256' },
    ] as Fields[])
      expect((await at.authorize(parameters)).headers.location).toContain('error=invalid_request')
  })

  it('cannot be added to a code that was asked for without', async () => {
    const browser = new CookieClient()
    const query = new URLSearchParams({
      client_id: at.consumer.clientId,
      response_type: 'code',
      redirect_uri: CALLBACK,
    })
    const page = await browser.open(`${at.server.url}/authenticate?${query.toString()}`)
    const code = landing(await enterPassword(browser, page, at.person)).searchParams.get('code') ?? ''
    expect((await at.redeem(code, { code_verifier: 'x'.repeat(43) })).status).toBe(400)
    expect((await at.redeem(code)).status).toBe(200)
  })

  it.each([
    ['com.example.app:/callback', true],
    ['http://intranet/callback', true],
    ['myapp:/callback', true],
    ['http://127.0.0.1.evil.example/callback', true],
    ['http://127.0.0.1:7000/callback', false],
    ['http://localhost/callback', false],
    ['http://[::1]:7000/callback', false],
    [CALLBACK, false],
  ])('with the redirect URI %s is demanded: %s', async (redirect_uri, isDemanded) => {
    const { clientId: client_id } = await makeConsumer(at.server.access, { redirectUris: [redirect_uri] })
    const location = async (more: Fields) => (await at.authorize({ client_id, redirect_uri, ...more })).headers.location
    expect(await location({})).toContain(isDemanded ? 'error=invalid_request' : '/login')
    expect(await location(CHALLENGE)).toContain('/login')
  })

  it('is demanded with the default redirect URI of an application’s own scheme, too', async () => {
    const own = { defaultRedirectUri: 'com.example.app:/callback' }
    const { clientId: client_id } = await makeConsumer(at.server.access, own)
    const location = async (more: Fields) =>
      (await at.authorize({ client_id, redirect_uri: '', ...more })).headers.location
    expect(await location({})).toContain('error=invalid_request')
    expect(await location(CHALLENGE)).toContain('/login')
  })

  it('is demanded of every consumer where the domain says so, from the next request on', async () => {
    expect((await at.authorize({})).headers.location).toContain('/login')
    await demandPkce(true)
    expect((await at.authorize({})).headers.location).toContain('error=invalid_request')
    expect((await signIn(at.client, at.person)).tokens.access_token).toBeTruthy()
    await demandPkce(false)
    expect((await at.authorize({})).headers.location).toContain('/login')
  })
})

/** Of a request with PKCE. */
const CHALLENGE = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }

describe('redirect URIs', () => {
  it.each([
    'https://app.example/callback/',
    'https://app.example/callback?x=1',
    'https://app.example/callback#x',
    'https://app.example/Callback',
    'https://app.example/callback/../evil',
    'https://app.example/callback%2f..%2fevil',
    'https://app.example:443/callback',
    'https://app.example.evil.example/callback',
    'https://evil.example/callback',
    'https://app.example@evil.example/callback',
    'https://app.example\\@evil.example/callback',
    'http://app.example/callback',
    '//app.example/callback',
    'javascript:alert(1)',
  ])('%s is not a registered one: no redirect', async (uri) => {
    const { status, headers, text } = await at.authorize({ redirect_uri: uri })
    expect(status).toBe(400)
    expect(headers.location).toBeUndefined()
    expect(text).toContain('The application’s request is wrong')
  })

  it('must be the same one when the code is redeemed', async () => {
    const two = await makeConsumer(at.server.access, { redirectUris: [CALLBACK, 'https://app.example/other'] })
    const { code, verifier } = await obtainCode(await discover(at.server.url, two), at.person)
    const fields = { code_verifier: verifier, redirect_uri: 'https://app.example/other' }
    expect((await at.redeem(code, fields, two)).body).toMatchObject({ error: 'invalid_grant' })
  })

  it('that the authorization request named must come again when the code is redeemed', async () => {
    const { code, verifier } = await obtainCode(at.client, at.person)
    for (const redirect_uri of ['', undefined]) {
      const fields = {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        ...(redirect_uri === '' && { redirect_uri }),
      }
      const { body } = await post(at.server.url, '/authenticate/token', fields, { consumer: at.consumer })
      expect(body).toMatchObject({
        error: 'invalid_request',
        error_description: expect.stringMatching(/^redirect_uri/) as string,
      })
    }
    expect((await at.redeem(code, { code_verifier: verifier })).status).toBe(200)
  })

  it('that the authorization request left out may be left out again, whatever else the request claims', async () => {
    const query = new URLSearchParams({
      client_id: at.consumer.clientId,
      response_type: 'code',
      names_redirect_uri: 'yes',
    })
    const browser = new CookieClient()
    const page = await browser.open(`${at.server.url}/authenticate?${query.toString()}`)
    const code = landing(await enterPassword(browser, page, at.person)).searchParams.get('code') ?? ''
    const fields = { grant_type: 'authorization_code', code }
    expect((await post(at.server.url, '/authenticate/token', fields, { consumer: at.consumer })).status).toBe(200)
  })

  it('may be of an application’s own scheme, but of no port that is not listed, and nothing that runs in the browser', async () => {
    const uris = ['com.example.app:/callback', 'http://127.0.0.1:7000/callback', 'http://intranet/callback']
    const native = await makeConsumer(at.server.access, {
      redirectUris: [...uris, 'javascript:alert(1)', `${CALLBACK}#x`],
    })
    const ask = (redirect_uri: string) => at.authorize({ ...CHALLENGE, client_id: native.clientId, redirect_uri })
    for (const uri of uris) expect((await ask(uri)).headers.location).toContain('/login')
    for (const uri of ['http://127.0.0.1:7001/callback', 'javascript:alert(1)', `${CALLBACK}#x`])
      expect((await ask(uri)).status).toBe(400)
  })
})

it.each([
  ['response_type', 'token'],
  ['response_type', 'id_token'],
  ['response_type', 'code token'],
  ['request', 'eyJhbGciOiJub25lIn0.e30.'],
  ['request_uri', 'https://evil.example/request'],
  ['registration', '{}'],
  ['scope', 'access:admin'],
  ['scope', 'no-scope-of-this-platform'],
  ['prompt', 'none login'],
])('an authorization request with %s=%s is sent back with an error', async (name, value) => {
  const { headers } = await at.authorize({ [name]: value })
  expect(new URL(headers.location ?? '').href).toMatch(/^https:\/\/app\.example\/callback[?#].*error=/)
})

it.each([
  ['without AUTHORIZATION_CODE', { grantTypes: ['PASSWORD'] }, 'unauthorized_client'],
  ['without a scope', { scopes: [] }, 'unauthorized_client'],
  ['whose scopes all do not exist here', { scopes: ['billing'] }, 'invalid_scope'],
])('a consumer %s gets no code', async (_, fields, error) => {
  const { clientId: client_id } = await makeConsumer(at.server.access, fields)
  expect(landing(await at.authorize({ client_id })).searchParams.get('error')).toBe(error)
})

it('parameters that are there twice are refused', async () => {
  const url = `${at.server.url}/authenticate?client_id=${at.consumer.clientId}&response_type=code&redirect_uri=${CALLBACK}&redirect_uri=https://evil.example`
  const { headers } = await new CookieClient().get(url)
  // To the only address that the consumer has, which is neither of the two.
  expect(headers.location).toMatch(/^https:\/\/app\.example\/callback\?error=invalid_request&/)
})

it('what an error page repeats is escaped, and a page of another sign-in tells nothing', async () => {
  const { text } = await at.authorize({
    client_id: '<script>alert(1)</script>',
    redirect_uri: '"><img src=x>',
    state: '<b>',
  })
  expect(text).not.toMatch(/<script>|<img|<b>/)
  const unknown = await new CookieClient().get(`${at.server.url}/authenticate/abcdefghijklmnopqrstu`)
  expect(unknown.status).toBe(400)
  expect(unknown.text).toContain('This sign-in has expired')
})

const sent = () => ({ client_id: at.consumer.clientId, response_type: 'code', redirect_uri: CALLBACK, scope: 'openid' })
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

/** The status of an answer, by what a parameter has that should not. */
type Ask = (bad: Fields) => Promise<number>

function asking(path: string, usual: Fields = {}): Ask {
  return async (bad) => {
    const query = new URLSearchParams({ ...usual, ...bad })
    return (await new CookieClient().get(`${at.server.url}${path}?${query.toString()}`)).status
  }
}

function sending(path: string, usual: Fields = {}, headers: Fields = {}): Ask {
  return async (bad) => (await new CookieClient().post(`${at.server.url}${path}`, { ...usual, ...bad }, headers)).status
}

/** What is answered otherwise than a fault of the sender, of the parameters with these names. */
async function otherwise(names: string, ask: Ask, expected = [400]): Promise<unknown[]> {
  const one = async (name: string) => [name, await ask({ [name]: 'x\0y' })] as const
  const answers = await Promise.all(names.split(' ').map(one))
  return answers.filter(([, status]) => !expected.includes(status))
}

describe('a parameter with U+0000', () => {
  it.each([
    ['/authenticate', 'response_type client_id redirect_uri scope state nonce response_mode prompt max_age display'],
    ['/authenticate', 'ui_locales id_token_hint login_hint acr_values code_challenge code_challenge_method claims x'],
    ['/logout', 'id_token_hint client_id post_logout_redirect_uri state logout_hint ui_locales x'],
    ['/logout/success', 'client_id x'],
    ['/.well-known/openid-configuration', 'x'],
    ['/authenticate/keys', 'x'],
    ['/authenticate/userinfo', 'access_token'],
  ])('in the address of %s is refused: %s', async (path, names) => {
    expect(await otherwise(names, asking(path, path === '/authenticate' ? sent() : {}))).toStrictEqual([])
  })

  it.each([
    ['authorization_code', 'code redirect_uri code_verifier client_id client_secret grant_type'],
    ['refresh_token', 'refresh_token scope'],
    ['password', 'username password scope'],
    ['urn:ietf:params:oauth:grant-type:token-exchange', 'subject_token subject_token_type requested_token_type scope'],
  ])('in a form for %s is no fault of the platform', async (grant_type, names) => {
    const { clientId, secret } = at.consumer
    const form = { grant_type, code: 'c', refresh_token: 'r', username: 'u', password: 'p', subject_token: 't' }
    const [known, unknown] = [basic(`${clientId}:${secret}`), {}]
    for (const headers of [known, unknown])
      expect(await otherwise(names, sending('/authenticate/token', form, headers), [400, 401])).toStrictEqual([])
  })

  it('is none in the other forms of the provider, and in the name of a client', async () => {
    const { clientId, secret } = at.consumer
    const refusals = [400, 401]
    for (const path of ['/authenticate/token', '/authenticate/revoke', '/authenticate/introspect'])
      for (const headers of [basic('%00:x'), basic(`${clientId}:%00`), basic('\0:\0')])
        expect(refusals).toContain(await sending(path, { token: 't' }, headers)({}))
    for (const path of ['/authenticate/revoke', '/authenticate/introspect']) {
      const ask = sending(path, { token: 't' }, basic(`${clientId}:${secret}`))
      expect(await otherwise('token token_type_hint client_id', ask, [200, ...refusals])).toStrictEqual([])
    }
    expect(await otherwise('xsrf logout', sending('/logout/confirm'))).toStrictEqual([])
    expect(await otherwise('access_token', sending('/authenticate/userinfo'), refusals)).toStrictEqual([])
    expect(await sending('/authenticate', sent())({ state: '\0' })).toBe(303)
  })

  it('is none on the way to sign in', async () => {
    const refusals = [400, 404]
    for (const [path, names] of [
      ['/login', 'interaction problem client_id state'],
      ['/login/external', 'interaction method'],
      ['/login/callback', 'state code error iss'],
      ['/login/password', 'link'],
    ] as const)
      expect(await otherwise(names, asking(path, { interaction: 'x' }), refusals)).toStrictEqual([])
    expect(await otherwise('link csrf password repeated', sending('/login/password'), refusals)).toStrictEqual([])
    expect(await otherwise('interaction csrf username password', sending('/login'), refusals)).toStrictEqual([])
    const browser = new CookieClient()
    const page = await browser.open(`${at.server.url}/authenticate?${new URLSearchParams(sent()).toString()}`)
    for (const name of ['username', 'password', 'csrf', 'decision', 'interaction']) {
      const fields = { username: at.person.login, password: 'wrong', [name]: 'x\0y' }
      expect([400, 403, 422]).toContain((await browser.submitOnly(page, fields)).status)
    }
  })

  it('is nothing that is logged as a fault', () => {
    expect(at.server.log.filter((line) => line.includes('unexpected'))).toStrictEqual([])
  })
})
