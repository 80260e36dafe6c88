import { describe, expect, it } from 'vitest'
import { findAccountByLogin } from '../../../src/platform/access/accounts/accounts.ts'
import { updateMethod, listMethods } from '../../../src/platform/access/methods/methods.ts'
import { CookieClient, hiddenFields } from '../../support/cookie-client.ts'
import { ANN, SECRET, VERIFIER } from '../../support/login-server.ts'
import { answerOf, openSignIn, SIGN_IN } from './flow.ts'
import { server, useLoginServer } from './one-login-server.ts'

useLoginServer()

describe('signing in with a password', () => {
  it('sends the browser to /login with the parameters of the request, and back with a code', async () => {
    const client = new CookieClient()
    const page = await openSignIn(server, client, { login_hint: 'ann', nonce: 'n' })
    const { searchParams, pathname } = new URL(page.url)
    const asked = new URL(server.authorizationUrl('trusted', { login_hint: 'ann', nonce: 'n' })).searchParams
    expect(pathname).toBe('/login')
    expect(Object.fromEntries(searchParams)).toMatchObject(Object.fromEntries(asked))
    expect(page.text).toContain('<strong>Building Console</strong>')
    expect(page.text).toContain('value="ann"')
    expect(page.text).toContain('Forgot your password? Ask an administrator for a new link.')
    const answer = answerOf(server, await client.submit(page, SIGN_IN))
    expect(answer).toStrictEqual({ code: expect.any(String), state: 'state-of-the-application', iss: server.url })
  })

  it('is as the person whose password it was', async () => {
    const client = new CookieClient()
    const { code = '' } = answerOf(server, await client.submit(await openSignIn(server, client), SIGN_IN))
    const claims = await redeem(code)
    const ann = await findAccountByLogin(server.context, 'person', ANN.email)
    expect(claims).toStrictEqual({ sub: ann?.uuid })
  })

  it('is not asked again in the same session', async () => {
    const client = new CookieClient()
    await client.submit(await openSignIn(server, client), SIGN_IN)
    const again = await client.open(server.authorizationUrl('trusted', { state: 'again' }))
    expect(answerOf(server, again)).toMatchObject({ code: expect.any(String), state: 'again' })
  })

  it('needs no script, and its page may load none', async () => {
    const { text, headers } = await openSignIn(server, new CookieClient())
    expect(text).not.toMatch(/<script|javascript:| on\w+=/i)
    const policy = headers['content-security-policy']
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; font-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'$/,
    )
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    })
  })

  it('escapes what the address says', async () => {
    const { text } = await openSignIn(server, new CookieClient(), { login_hint: '"><b>x</b>' })
    expect(text).not.toContain('<b>x</b>')
  })

  it('can be cancelled, and the application is told', async () => {
    const client = new CookieClient()
    const reply = await client.submit(await openSignIn(server, client), { decision: 'deny' })
    expect(answerOf(server, reply)).toMatchObject({ error: 'access_denied', state: 'state-of-the-application' })
  })

  it('gives the session another id, so that nobody can have laid one ready', async () => {
    const client = new CookieClient()
    await client.submit(await openSignIn(server, client), SIGN_IN)
    const before = client.cookie(/session/)
    const page = await openSignIn(server, client, { prompt: 'login' })
    await client.submit(page, SIGN_IN)
    expect(before).toBeDefined()
    expect(client.cookie(/session/)).not.toBe(before)
  })
})

async function redeem(code: string): Promise<unknown> {
  const answer = await fetch(`${server.url}/authenticate/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: server.application.callback,
      code_verifier: VERIFIER,
      client_id: server.clientId('trusted'),
      client_secret: SECRET,
    }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const info = await fetch(`${server.url}/authenticate/userinfo`, { headers: { authorization: `Bearer ${token}` } })
  return info.json()
}

describe('a form', () => {
  it.each([
    ['without its CSRF token', { csrf: '' }],
    ['with that of another interaction', { csrf: 'x'.repeat(43) }],
  ])('%s is refused', async (_, changed) => {
    const client = new CookieClient()
    const page = await openSignIn(server, client)
    const { status, text } = await client.submit(page, { ...SIGN_IN, ...changed })
    expect(status).toBe(403)
    expect(text).toContain('That was not accepted')
  })

  it('from a browser that did not begin the sign-in is refused, even with everything that is in the page', async () => {
    const attacker = new CookieClient()
    const page = await openSignIn(server, attacker)
    const victim = new CookieClient()
    const { status, text } = await victim.submit(page, SIGN_IN)
    expect(status).toBe(400)
    expect(text).toContain('This sign-in has expired')
  })

  it('of another kind than browsers send is refused', async () => {
    const client = new CookieClient()
    const page = await openSignIn(server, client)
    const reply = await client.post(page.url, { ...hiddenFields(page), ...SIGN_IN }, { 'content-type': 'text/plain' })
    expect(reply).toMatchObject({ status: 415, text: expect.stringContaining('The body must be a form') })
  })

  it('cannot agree in the place of signing in, nor sign in twice', async () => {
    const client = new CookieClient()
    const page = await openSignIn(server, client)
    const { status } = await client.submit(page, { decision: 'allow' })
    expect(status).toBe(422)
    answerOf(server, await client.submit(page, SIGN_IN))
    expect(await client.submit(page, SIGN_IN)).toMatchObject({ status: 400 })
  })
})

describe('the address of the page', () => {
  it('is of no use to another browser', async () => {
    const page = await openSignIn(server, new CookieClient())
    const elsewhere = await new CookieClient().get(page.url)
    expect(elsewhere.status).toBe(400)
    expect(elsewhere.text).toContain('Start again')
    expect(elsewhere.text).not.toContain('csrf')
  })

  it('begins anew in another browser that is signing in, too, and cannot be gone on with there', async () => {
    const page = await openSignIn(server, new CookieClient())
    const other = new CookieClient()
    await openSignIn(server, other)
    const anew = await other.open(page.url)
    const [before, after] = [page, anew].map(({ url }) => new URL(url).searchParams.get('interaction'))
    expect([anew.status, before === after]).toStrictEqual([200, false])
    expect(await other.submit(page, SIGN_IN)).toMatchObject({ status: 400 })
    expect(await other.get(`${server.url}/authenticate/${before}`)).toMatchObject({ status: 400 })
  })

  it('does not go on for whoever has it, after somebody else has signed in', async () => {
    const owner = new CookieClient()
    const page = await openSignIn(server, owner)
    const interaction = new URL(page.url).searchParams.get('interaction') ?? ''
    await owner.post(page.url, { ...hiddenFields(page), ...SIGN_IN })
    const thief = await new CookieClient().get(`${server.url}/authenticate/${interaction}`)
    expect(thief.status).toBe(400)
    expect(thief.headers.location).toBeUndefined()
  })

  it('lets nobody go on whose browser was given the library’s own cookie: a neighbouring host could do that', async () => {
    const owner = new CookieClient()
    const page = await openSignIn(server, owner)
    const interaction = new URL(page.url).searchParams.get('interaction') ?? ''
    await owner.post(page.url, { ...hiddenFields(page), ...SIGN_IN })
    const victim = new CookieClient()
    const cookie = { cookie: `holdfast-resume=${interaction}` }
    const reply = await victim.get(`${server.url}/authenticate/${interaction}`, cookie)
    expect(reply.status).toBe(400)
    expect(victim.cookieNames).not.toContain('holdfast-session')
    expect(answerOf(server, await owner.get(`${server.url}/authenticate/${interaction}`))).toHaveProperty('code')
  })

  it('begins an authorization request where it names none that is open', async () => {
    const { search } = new URL(server.authorizationUrl('trusted'))
    const client = new CookieClient()
    const page = await client.open(`${server.url}/login${search}`)
    expect(answerOf(server, await client.submit(page, SIGN_IN))).toHaveProperty('code')
  })

  it('alone says what to do', async () => {
    const { status, text } = await new CookieClient().get(`${server.url}/login`)
    expect(status).toBe(400)
    expect(text).toContain('Nothing to sign in to')
    expect(text).toContain('Go to the one that you want to use')
  })

  it('takes no other method', async () => {
    const { status, headers } = await new CookieClient().post(`${server.url}/login/callback`, {})
    expect({ status, allow: headers.allow }).toStrictEqual({ status: 405, allow: 'GET' })
  })
})

it('two tabs of one browser do not get in each other’s way', async () => {
  const client = new CookieClient()
  const [one, two] = [
    await openSignIn(server, client, { state: 'one' }),
    await openSignIn(server, client, { state: 'two' }),
  ]
  expect(answerOf(server, await client.submit(one, SIGN_IN))).toMatchObject({ state: 'one' })
  expect(answerOf(server, await client.submit(two, SIGN_IN))).toMatchObject({ state: 'two' })
})

it('signs nobody in by a password once that is not activated', async () => {
  const client = new CookieClient()
  const page = await openSignIn(server, client)
  const [internal] = await listMethods(server.context)
  await updateMethod(server.context, internal?.uuid ?? '', { status: 'DEACTIVATED' })
  const reply = await client.submit(page, SIGN_IN)
  expect(reply.status).toBe(403)
  expect(reply.text).toContain('no way of signing in is activated')
  expect(reply.text).not.toContain('type="password"')
  await updateMethod(server.context, internal?.uuid ?? '', { status: 'ACTIVATED' })
  expect(answerOf(server, await client.submit(page, SIGN_IN))).toHaveProperty('code')
})

it('logs no password and no code', () => {
  expect(server.log.join('\n')).not.toMatch(/horse battery|code=/)
})
