import { describe, expect, it } from 'vitest'
import { passwordStampOf } from '../../../src/platform/access/accounts/accounts.ts'
import { createPasswordLink, setPassword } from '../../../src/platform/access/accounts/password-links.ts'
import { knownDevice } from '../../../src/server/login/guard/known-device.ts'
import { CookieClient } from '../../support/cookie-client.ts'
import { ANN, BOB } from '../../support/login-server.ts'
import { answerOf, openSignIn, SIGN_IN } from './flow.ts'
import { server, useLoginServer } from './one-login-server.ts'

useLoginServer()

describe('a wrong password', () => {
  it('is told in the same words as an unknown user', async () => {
    const replies = []
    for (const username of [ANN.email, 'nobody@example.org']) {
      const client = new CookieClient()
      const page = await openSignIn(server, client)
      const reply = await client.submit(page, { ...SIGN_IN, username, password: 'not the right one' })
      replies.push({ status: reply.status, text: withoutIds(reply.text, username) })
    }
    expect(replies[0]).toStrictEqual(replies[1])
    expect(replies[0]).toMatchObject({ status: 422, text: expect.stringContaining('role="alert"') })
  })

  it('does not end the sign-in, and is not shown again', async () => {
    const client = new CookieClient()
    const wrong = await client.submit(await openSignIn(server, client), { ...SIGN_IN, password: 'not the right one' })
    expect(wrong.text).toContain(`value="${ANN.email}"`)
    expect(wrong.text).not.toContain('not the right one')
    expect(answerOf(server, await client.submit(wrong, SIGN_IN))).toHaveProperty('code')
  })

  it('too often has to wait, and is told how long', async () => {
    const client = new CookieClient()
    let page = await openSignIn(server, client)
    for (let attempt = 0; attempt < 11; attempt += 1) {
      page = await client.submit(page, { decision: 'sign-in', username: 'flooded', password: 'wrong' })
    }
    const last = await client.submit(page, { decision: 'sign-in', username: 'flooded', password: 'wrong' })
    expect(last.status).toBe(429)
    expect(Number(last.headers['retry-after'])).toBeLessThanOrEqual(30)
    expect(last.text).toMatch(/Wait \d+ seconds?,/)
    // What was typed is not what is wrong.
    expect(page.text).toContain('aria-invalid="true"')
    expect(last.text).not.toContain('aria-invalid="true"')
  })

  it('however often does not keep out a browser that has signed in before', async () => {
    const known = new CookieClient()
    const credentials = { decision: 'sign-in', username: BOB.email, password: BOB.password }
    await known.submit(await openSignIn(server, known), credentials)
    const stranger = new CookieClient()
    const page = await openSignIn(server, stranger)
    const statuses: number[] = []
    while (statuses.length < 60 && statuses.at(-1) !== 429)
      statuses.push((await stranger.submit(page, { ...credentials, password: 'wrong' })).status)
    expect(statuses.lastIndexOf(422)).toBeGreaterThanOrEqual(50)
    expect(statuses.at(-1)).toBe(429)
    const again = await openSignIn(server, known, { prompt: 'login' })
    expect(answerOf(server, await known.submit(again, credentials))).toHaveProperty('code')
  })

  it('counts as that of a stranger in each browser after the password was reset', async () => {
    const { context } = server
    const browser = new CookieClient()
    await browser.submit(await openSignIn(server, browser), SIGN_IN)
    const isKnown = async () => {
      const stamp = (await passwordStampOf(context, ANN.email)) ?? ''
      return knownDevice(context, browser.cookie(/device/), { login: ANN.email, stamp }) !== null
    }
    expect(await isKnown()).toBe(true)
    const { token } = await createPasswordLink(context, ANN.email, 'tester')
    await setPassword(context, token, 'another horse battery')
    expect(await isKnown()).toBe(false)
  })
})

/** What differs by chance in two pages. */
function withoutIds(text: string, username: string): string {
  return text.replaceAll(username, 'USER').replaceAll(/(value="|interaction=)[\w-]{21,}/g, '$1ID')
}
