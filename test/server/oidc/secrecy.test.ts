import { describe, expect, it } from 'vitest'
import { CookieClient } from '../../support/cookie-client.ts'
import { dumpTables } from '../../support/table-dump.ts'
import { begin, discover, enterPassword, landing, obtainCode, post, signIn } from './application.ts'
import { type Fields, at, useAttacked } from './attacked-server.ts'
import { CALLBACK, makeConsumer } from './people.ts'

const TOKEN = '/authenticate/token'

useAttacked()

describe('another domain', () => {
  const elsewhere = { host: 'other.example' }

  it('knows no consumer, code, token or session of this one', async () => {
    const { code, verifier } = await obtainCode(at.client, at.person)
    const { tokens, browser } = await signIn(at.client, at.person)
    const there = new CookieClient({ host: 'other.example' })
    const ask = (path: string, fields: Fields) => {
      const credentials = { client_id: at.consumer.clientId, client_secret: at.consumer.secret }
      return there.post(`${at.server.url}${path}`, { ...fields, ...credentials }, elsewhere)
    }
    const redeemed = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: CALLBACK }
    expect((await ask(TOKEN, redeemed)).status).toBe(401)
    const twin = await makeConsumer(at.server.other, { slug: 'twin' })
    const credentials = { client_id: twin.clientId, client_secret: twin.secret }
    const asTwin = (path: string, fields: Fields) =>
      there.post(`${at.server.url}${path}`, { ...fields, ...credentials }, elsewhere)
    expect((await asTwin(TOKEN, redeemed)).text).toContain('invalid_grant')
    expect(
      (await asTwin(TOKEN, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' })).status,
    ).toBe(400)
    expect((await asTwin('/authenticate/introspect', { token: tokens.access_token })).text).toBe('{"active":false}')
    const bearer = { authorization: `Bearer ${tokens.access_token}` }
    expect((await there.get(`${at.server.url}/authenticate/userinfo`, bearer)).status).toBe(401)
    const session = browser.cookie(/session$/) ?? ''
    const query = new URLSearchParams({ client_id: twin.clientId, response_type: 'code', redirect_uri: CALLBACK })
    const cookie = { cookie: `holdfast-session=${session}` }
    const asked = await there.get(`${at.server.url}/authenticate?${query.toString()}`, cookie)
    expect(asked.headers.location).toContain('/login')
  })
})

it('a session has another id after somebody signs in, and the one before is worth nothing', async () => {
  const browser = new CookieClient()
  const fixed = { cookie: 'holdfast-session=chosen-by-somebody-else' }
  const begun = await begin(at.client)
  await browser.get(begun.url, fixed)
  const reply = await enterPassword(browser, await browser.open(begun.url), at.person)
  await begun.finish(reply)
  const before = browser.cookie(/session$/) ?? ''
  expect(before).not.toBe('chosen-by-somebody-else')
  const again = await begin(at.client, { prompt: 'login' })
  await enterPassword(browser, await browser.open(again.url), at.person)
  expect(browser.cookie(/session$/)).not.toBe(before)
  const thief = new CookieClient()
  for (const stolen of ['chosen-by-somebody-else', before]) {
    const { headers } = await thief.get((await begin(at.client)).url, { cookie: `holdfast-session=${stolen}` })
    expect(headers.location).toContain('/login')
  }
})

it('the database and the log hold nothing that anybody could sign in with', async () => {
  const machine = { grant_type: 'password', username: at.person.login, password: at.person.password }
  const both = await makeConsumer(at.server.access, { grantTypes: ['AUTHORIZATION_CODE', 'PASSWORD', 'REFRESH_TOKEN'] })
  const bothClient = await discover(at.server.url, both)
  const { browser, begun, reply, tokens } = await signIn(bothClient, at.person)
  const hinted = await begin(bothClient, { id_token_hint: tokens.id_token ?? '', prompt: 'login' })
  const open = await browser.open(hinted.url)
  const answer = (await post(at.server.url, TOKEN, machine, { consumer: both })).body
  const secrets = {
    secret: both.secret,
    password: at.person.password,
    code: landing(reply).searchParams.get('code'),
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    idToken: tokens.id_token,
    passwordToken: answer['access_token'],
    passwordRefreshToken: answer['refresh_token'],
    session: browser.cookie(/session$/),
    interaction: new URL(open.url).searchParams.get('interaction'),
    verifier: begun.verifier,
  }
  const rows = JSON.stringify(await dumpTables(at.database))
  const log = at.server.log.join('\n')
  expect(Object.values(secrets).every((secret) => typeof secret === 'string')).toBe(true)
  const found = Object.entries(secrets).filter(([, secret]) =>
    [rows, log].some((text) => text.includes(String(secret))),
  )
  expect(found.map(([name]) => name)).toStrictEqual([])
})
