import { beforeAll, describe, expect, it } from 'vitest'
import { CookieClient } from '../../support/cookie-client.ts'
import { begin, discover, enterPassword, landing, post, signIn } from './application.ts'
import { CALLBACK, makeConsumer, type Consumer } from './people.ts'
import { person, server, useSignIn } from './one-sign-in-server.ts'

// Consumers as the specification writes them: without `openid` in their scopes, with a default address to return to.

const OTHER = 'https://app.example/other'

useSignIn()

const userinfo = async (token: unknown) => {
  const headers = { authorization: `Bearer ${String(token)}` }
  const answer = await fetch(`${server.url}/authenticate/userinfo`, { headers })
  return { status: answer.status, body: (await answer.json()) as { [claim: string]: unknown } }
}

describe('a consumer with the scopes service and email', () => {
  let consumer: Consumer
  beforeAll(async () => {
    consumer = await makeConsumer(server.access, {
      scopes: ['service', 'email'],
      grantTypes: ['AUTHORIZATION_CODE', 'PASSWORD'],
    })
  })

  it('may ask for openid, as every OpenID library does, and its ID token holds what the scopes say', async () => {
    const { tokens } = await signIn(await discover(server.url, consumer), person, { scope: 'openid email' })
    expect(tokens.claims()).toMatchObject({ sub: person.uuid, email: person.login, email_verified: true })
    expect(tokens.claims()).not.toHaveProperty('name')
    expect(await userinfo(tokens.access_token)).toStrictEqual({
      status: 200,
      body: { sub: person.uuid, email: person.login, email_verified: true },
    })
  })

  it.each(['', '&scope='])('gets all of them where the request names none, %j', async (none) => {
    const browser = new CookieClient()
    const address = `redirect_uri=${encodeURIComponent(CALLBACK)}`
    const url = `${server.url}/authenticate?client_id=${consumer.clientId}&response_type=code&${address}${none}`
    const there = landing(await enterPassword(browser, await browser.open(url), person))
    const fields = {
      grant_type: 'authorization_code',
      code: there.searchParams.get('code') ?? '',
      redirect_uri: CALLBACK,
    }
    const { body } = await post(server.url, '/authenticate/token', fields, { consumer })
    expect(String(body['scope']).split(' ').sort()).toStrictEqual(['email', 'service'])
  })

  it.each([
    ['openid email profile', 'openid email'],
    ['openid access:admin unknown', 'openid'],
    ['openid service unknown', 'openid service'],
  ])('that asks for %s gets %s, as the answer says', async (asked, given) => {
    const { tokens } = await signIn(await discover(server.url, consumer), person, { scope: asked })
    expect(tokens.scope).toBe(given)
    const { body } = await post(server.url, '/authenticate/introspect', { token: tokens.access_token }, { consumer })
    expect(body['scope']).toBe(given)
  })

  it.each(['profile', 'access:admin data:read', 'unknown'])('that asks for %s alone is refused', async (scope) => {
    const query = new URLSearchParams({
      client_id: consumer.clientId,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope,
    })
    const reply = await new CookieClient().get(`${server.url}/authenticate?${query.toString()}`)
    expect(landing(reply).searchParams.get('error')).toBe('invalid_scope')
  })

  it('is told who the bearer is also where nobody asked for openid', async () => {
    const fields = { grant_type: 'password', username: person.login, password: person.password, scope: 'service' }
    const { body } = await post(server.url, '/authenticate/token', fields, { consumer })
    expect(body['scope']).toBe('service')
    expect(await userinfo(body['access_token'])).toStrictEqual({ status: 200, body: { sub: person.uuid } })
  })
})

async function ask(consumer: Consumer) {
  const browser = new CookieClient()
  const page = await browser.open(`${server.url}/authenticate?client_id=${consumer.clientId}&response_type=code`)
  return page.status === 200 ? enterPassword(browser, page, person) : page
}

function redeem(consumer: Consumer, code: string, address: { readonly redirect_uri?: string }) {
  return post(server.url, '/authenticate/token', { grant_type: 'authorization_code', code, ...address }, { consumer })
}

describe('a request that names no address to return to', () => {
  it.each([
    ['alone', [] as string[]],
    ['beside others', [OTHER, `${OTHER}/2`]],
  ])('comes back to the default one, %s, and its code is redeemed with it or without one', async (_, redirectUris) => {
    const consumer = await makeConsumer(server.access, { defaultRedirectUri: CALLBACK, redirectUris })
    for (const address of [{}, { redirect_uri: CALLBACK }]) {
      const there = landing(await ask(consumer))
      expect(there.origin + there.pathname).toBe(CALLBACK)
      expect((await redeem(consumer, there.searchParams.get('code') ?? '', address)).status).toBe(200)
    }
    const stolen = landing(await ask(consumer)).searchParams.get('code') ?? ''
    expect((await redeem(consumer, stolen, { redirect_uri: OTHER })).status).toBe(400)
  })

  it('or an empty one comes back to the default one', async () => {
    const consumer = await makeConsumer(server.access, { defaultRedirectUri: CALLBACK, redirectUris: [OTHER] })
    const url = `${server.url}/authenticate?client_id=${consumer.clientId}&response_type=code&redirect_uri=`
    const browser = new CookieClient()
    const there = landing(await enterPassword(browser, await browser.open(url), person))
    expect(there.origin + there.pathname).toBe(CALLBACK)
  })

  it('of several others, none of which is the default one, is refused', async () => {
    const consumer = await makeConsumer(server.access, { redirectUris: [CALLBACK, OTHER] })
    expect((await ask(consumer)).status).toBe(400)
  })

  it('does not redeem a code that went somewhere else', async () => {
    const consumer = await makeConsumer(server.access, { defaultRedirectUri: CALLBACK, redirectUris: [OTHER] })
    const browser = new CookieClient()
    const { url } = await begin(await discover(server.url, consumer), { redirect_uri: OTHER })
    const there = landing(await enterPassword(browser, await browser.open(url), person))
    expect((await redeem(consumer, there.searchParams.get('code') ?? '', {})).status).toBe(400)
  })
})
