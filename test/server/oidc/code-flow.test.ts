import { hash } from 'node:crypto'
import * as oidc from 'openid-client'
import { describe, expect, it } from 'vitest'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { CookieClient } from '../../support/cookie-client.ts'
import { begin, discover, enterPassword, landing, signIn, signOut } from './application.ts'
import { CALLBACK, change, makeConsumer, type Consumer } from './people.ts'
import { person, server, useSignIn } from './one-sign-in-server.ts'

const ask = async (token: string) => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers,
    body: '{"query":"{ currentDomain { name } }"}',
  })
  return response.text()
}

describe.each(SAMPLED_DATABASES)('the Authorization Code grant on $name, by openid-client', ({ openMigrated }) => {
  useSignIn({ openMigrated })

  it.each([oidc.ClientSecretBasic, oidc.ClientSecretPost])(
    'signs somebody in, from discovery to userinfo',
    async (authentication) => {
      const client = await discover(server.url, await makeConsumer(server.access), authentication)
      const { reply, tokens } = await signIn(client, person)
      expect(landing(reply).origin + landing(reply).pathname).toBe(CALLBACK)
      // RFC 9207: against mixing up who answered.
      expect(landing(reply).searchParams.get('iss')).toBe(server.url)
      expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 600, scope: 'openid email profile service' })
      const claims = tokens.claims()
      expect(claims).toMatchObject({ iss: server.url, sub: person.uuid })
      expect((claims?.exp ?? 0) - (claims?.iat ?? 0)).toBe(600)
      const told = ['email', 'email_verified', 'name', 'preferred_username']
      const usual = ['aud', 'exp', 'iat', 'iss', 'nonce', 'sub']
      expect(Object.keys(claims ?? {}).sort()).toStrictEqual([...usual, ...told].sort())
      expect(await oidc.fetchUserInfo(client, tokens.access_token, person.uuid)).toStrictEqual({
        sub: person.uuid,
        email: person.login,
        email_verified: true,
        name: 'Ann Example',
        preferred_username: person.login,
      })
    },
  )

  it('tells an application no more than its scopes allow', async () => {
    const client = await discover(server.url, await makeConsumer(server.access))
    const { tokens } = await signIn(client, person, { scope: 'openid' })
    expect(tokens.scope).toBe('openid')
    expect(await oidc.fetchUserInfo(client, tokens.access_token, person.uuid)).toStrictEqual({ sub: person.uuid })
  })

  it('gives a token that opens GraphQL, and one without the scope that does not', async () => {
    const client = await discover(server.url, await makeConsumer(server.access))
    expect(await ask((await signIn(client, person)).tokens.access_token)).toBe(
      '{"data":{"currentDomain":{"name":"main"}}}',
    )
    expect(await ask((await signIn(client, person, { scope: 'openid' })).tokens.access_token)).toContain('FORBIDDEN')
  })

  it('asks whether somebody agrees, remembers it in the session, and asks again for more', async () => {
    const client = await discover(server.url, await makeConsumer(server.access, { noExplicitConsentRequired: false }))
    const browser = new CookieClient()
    const first = await begin(client, { scope: 'openid email' })
    const consent = await enterPassword(browser, await browser.open(first.url), person)
    expect(consent.text).toContain('See your e-mail address')
    expect((await first.finish(await browser.submit(consent, { decision: 'allow' }))).scope).toBe('openid email')
    const again = await begin(client, { scope: 'openid email' })
    expect((await again.finish(await browser.open(again.url))).scope).toBe('openid email')
    const more = await begin(client, { scope: 'openid email service' })
    const page = await browser.open(more.url)
    expect(page.text).toContain('Use everything that the API offers')
    expect(page.text).not.toContain('See your e-mail address')
    expect((await more.finish(await browser.submit(page, { decision: 'allow' }))).scope).toBe('openid email service')
  })

  it('tells the application when somebody does not agree', async () => {
    const client = await discover(server.url, await makeConsumer(server.access, { noExplicitConsentRequired: false }))
    const browser = new CookieClient()
    const { url, finish } = await begin(client)
    const consent = await enterPassword(browser, await browser.open(url), person)
    const denied = await browser.submit(consent, { decision: 'deny' })
    await expect(finish(denied)).rejects.toMatchObject({ error: 'access_denied' })
  })

  it('refreshes, with a refresh token that works once', async () => {
    const client = await discover(server.url, await makeConsumer(server.access))
    const { tokens } = await signIn(client, person)
    const second = await oidc.refreshTokenGrant(client, tokens.refresh_token ?? '')
    expect(second).toMatchObject({ scope: 'openid email profile service', expires_in: 600 })
    expect(second.refresh_token).not.toBe(tokens.refresh_token)
    expect(second.claims()?.sub).toBe(person.uuid)
    const third = await oidc.refreshTokenGrant(client, second.refresh_token ?? '', { scope: 'openid' })
    expect(third.scope).toBe('openid')
  })

  it('gives no refresh token to a consumer that does not list REFRESH_TOKEN', async () => {
    const client = await discover(server.url, await makeConsumer(server.access, { grantTypes: ['AUTHORIZATION_CODE'] }))
    const { tokens } = await signIn(client, person, { scope: 'openid offline_access' })
    expect(tokens.refresh_token).toBeUndefined()
  })

  it('answers to resource servers what a token is, until it is revoked', async () => {
    const client = await discover(server.url, await makeConsumer(server.access))
    const resourceServer = await discover(server.url, await makeConsumer(server.access, { grantTypes: ['PASSWORD'] }))
    const { tokens } = await signIn(client, person)
    expect(await oidc.tokenIntrospection(resourceServer, tokens.access_token)).toMatchObject({
      active: true,
      sub: person.uuid,
      iss: server.url,
      client_id: client.clientMetadata().client_id,
      scope: 'openid email profile service',
      token_type: 'Bearer',
    })
    await oidc.tokenRevocation(client, tokens.access_token)
    expect(await oidc.tokenIntrospection(resourceServer, tokens.access_token)).toStrictEqual({ active: false })
    await expect(oidc.refreshTokenGrant(client, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('tells nobody about the refresh tokens of others, and revokes none of theirs', async () => {
    const client = await discover(server.url, await makeConsumer(server.access))
    const stranger = await discover(server.url, await makeConsumer(server.access))
    const { tokens } = await signIn(client, person)
    const refreshToken = tokens.refresh_token ?? ''
    expect(await oidc.tokenIntrospection(stranger, refreshToken)).toStrictEqual({ active: false })
    await oidc.tokenRevocation(stranger, refreshToken)
    expect(await oidc.tokenIntrospection(client, refreshToken)).toMatchObject({ active: true })
  })

  it('goes without a page where there is a session, and says so where there is none', async () => {
    const client = await discover(server.url, await makeConsumer(server.access))
    const { browser } = await signIn(client, person)
    const silent = await begin(client, { prompt: 'none' })
    expect((await silent.finish(await browser.open(silent.url))).claims()?.sub).toBe(person.uuid)
    const stranger = await begin(client, { prompt: 'none' })
    const reply = await new CookieClient().open(stranger.url)
    await expect(stranger.finish(reply)).rejects.toMatchObject({ error: 'login_required' })
  })

  it('can send its answer as a form, with the one script that its policy allows', async () => {
    const client = await discover(server.url, await makeConsumer(server.access))
    const { browser } = await signIn(client, person)
    const { text, headers } = await browser.open((await begin(client, { response_mode: 'form_post' })).url)
    expect(text).toContain(`action="${CALLBACK}"`)
    const [, script = ''] = /<script>([^]*?)<\/script>/.exec(text) ?? []
    const allowed = `script-src 'sha256-${hash('sha256', script, 'base64')}'`
    expect(headers['content-security-policy']).toContain(allowed)
  })

  it('signs out, with an ID token and back to the application', async () => {
    const client = await discover(server.url, await makeConsumer(server.access, { grantTypes: ['AUTHORIZATION_CODE'] }))
    const { browser, tokens } = await signIn(client, person)
    const url = oidc.buildEndSessionUrl(client, {
      id_token_hint: tokens.id_token ?? '',
      post_logout_redirect_uri: CALLBACK,
      state: 'x',
    })
    const page = await browser.open(url.href)
    expect(page.text).toContain('Sign out?')
    const gone = await signOut(browser, page)
    expect(landing(gone).href).toBe(`${CALLBACK}?state=x`)
    await expect(oidc.fetchUserInfo(client, tokens.access_token, person.uuid)).rejects.toMatchObject({ status: 401 })
    const next = await begin(client)
    expect((await browser.open(next.url)).text).toContain('Sign in')
  })

  it('leaves refresh tokens alone when somebody signs out: they are there to go on without', async () => {
    const client = await discover(server.url, await makeConsumer(server.access))
    const { browser, tokens } = await signIn(client, person)
    const page = await browser.open(`${server.url}/logout`)
    expect((await signOut(browser, page)).text).toContain('You are signed out')
    expect(await oidc.refreshTokenGrant(client, tokens.refresh_token ?? '')).toHaveProperty('access_token')
  })

  it.each([
    ['person', 400, (_: Consumer) => change(server.access, person.uuid, { status: 'DEACTIVATED' })],
    ['consumer', 401, ({ uuid }: Consumer) => change(server.access, uuid, { status: 'ARCHIVED' })],
  ])('refuses everything at once when the %s is not ACTIVATED any more', async (_, status, deactivate) => {
    const asking = await discover(server.url, await makeConsumer(server.access))
    const consumer = await makeConsumer(server.access)
    const client = await discover(server.url, consumer)
    const { browser, tokens } = await signIn(client, person)
    const unused = await begin(client)
    const code = await browser.open(unused.url)
    expect(landing(code).origin).toBe('https://app.example')
    await deactivate(consumer)
    try {
      await expect(oidc.fetchUserInfo(client, tokens.access_token, person.uuid)).rejects.toMatchObject({ status: 401 })
      await expect(oidc.refreshTokenGrant(client, tokens.refresh_token ?? '')).rejects.toMatchObject({ status })
      await expect(unused.finish(code)).rejects.toMatchObject({ status })
      expect(await oidc.tokenIntrospection(asking, tokens.access_token)).toStrictEqual({ active: false })
      expect(await oidc.tokenIntrospection(asking, tokens.refresh_token ?? '')).toStrictEqual({ active: false })
      expect((await browser.open((await begin(client)).url)).headers.location).toBeUndefined()
    } finally {
      await change(server.access, person.uuid, { status: 'ACTIVATED' })
    }
  })

  it('asks whoever has a session to sign in again, once they are not ACTIVATED any more', async () => {
    const client = await discover(server.url, await makeConsumer(server.access))
    const { browser } = await signIn(client, person)
    await change(server.access, person.uuid, { status: 'ARCHIVED' })
    try {
      const page = await browser.open((await begin(client)).url)
      expect(page).toMatchObject({ status: 200, text: expect.stringContaining('type="password"') })
      const silent = await browser.get((await begin(client, { prompt: 'none' })).url)
      expect(landing(silent).searchParams.get('error')).toBe('login_required')
    } finally {
      await change(server.access, person.uuid, { status: 'ACTIVATED' })
    }
  })
})
