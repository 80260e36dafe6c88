import { describe, expect, it } from 'vitest'
import { CookieClient, type Reply } from '../../support/cookie-client.ts'
import { ANN } from '../../support/login-server.ts'
import { answerOf, SIGN_IN } from './flow.ts'
import { server, useLoginServer } from './one-login-server.ts'

useLoginServer()

async function openConsent(client: CookieClient): Promise<Reply> {
  const page = await client.open(server.authorizationUrl('asks', { scope: 'openid email model:read' }))
  return client.submit(page, SIGN_IN)
}

describe('consent', () => {
  it('names the application, who is signed in, and what each scope allows', async () => {
    const { text } = await openConsent(new CookieClient())
    expect(text).toContain('Allow Heating Monitor?')
    expect(text).toContain(ANN.email)
    for (const allowed of ['Know who you are', 'See your e-mail address', 'Read the data model and its history'])
      expect(text).toContain(`<li>${allowed}</li>`)
    expect(text).not.toContain('Set setpoints')
  })

  it('is asked for once in a session, unless more is asked for', async () => {
    const client = new CookieClient()
    const page = await openConsent(client)
    expect(answerOf(server, await client.submit(page, { decision: 'allow' }))).toHaveProperty('code')
    const again = await client.open(server.authorizationUrl('asks', { scope: 'openid email' }))
    expect(answerOf(server, again)).toHaveProperty('code')
    const more = await client.open(server.authorizationUrl('asks', { scope: 'openid setpoints:write' }))
    expect(more.text).toContain('<li>Set setpoints</li>')
    expect(more.text).not.toContain('See your e-mail address')
  })

  it('can be refused, and the application is told', async () => {
    const client = new CookieClient()
    const reply = await client.submit(await openConsent(client), { decision: 'deny' })
    expect(answerOf(server, reply)).toMatchObject({ error: 'access_denied' })
  })

  it.each([{}, { decision: 'sign-in' }, { decision: 'Allow' }])('is not given by %j', async (fields) => {
    const client = new CookieClient()
    expect(await client.submit(await openConsent(client), fields)).toMatchObject({ status: 400 })
    const again = await client.open(server.authorizationUrl('asks', { scope: 'openid' }))
    expect(again.text).toContain('Allow Heating Monitor?')
  })

  it('is not given by a form of another site, nor from another browser', async () => {
    const client = new CookieClient()
    const page = await openConsent(client)
    expect(await client.submit(page, { decision: 'allow', csrf: '' })).toMatchObject({ status: 403 })
    expect(await new CookieClient().submit(page, { decision: 'allow' })).toMatchObject({ status: 400 })
  })
})
