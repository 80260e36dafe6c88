import { beforeAll, describe, expect, it } from 'vitest'
import { sealSession } from '../../src/console/session/session.ts'
import { OPERATOR } from '../support/console-server.ts'
import { ANN, SECRET, type LoginServer } from '../support/login-server.ts'
import { server, useConsole } from '../support/one-console.ts'

const NOT_SENT = `/console/not-sent?${new URLSearchParams({ to: '/systems/new' }).toString()}`

const visit = (path: string, headers: { readonly [name: string]: string } = {}) =>
  fetch(server.url + path, { redirect: 'manual', headers })

describe.each([
  ['http', null, 'holdfast-console', '__Host-holdfast-console'],
  ['https', 'https://127.0.0.1', '__Host-holdfast-console', 'holdfast-console'],
])('a session at an address with %s', (_, baseUrl, right, wrong) => {
  let cookie: string
  useConsole({ baseUrl })
  beforeAll(async () => {
    cookie = sealSession(server.context, await tokenOf(server))
  })

  it('is that of the cookie which no other host can set', async () => {
    expect((await visit('/systems', { cookie: `${right}=${cookie}` })).status).toBe(200)
    for (const name of [wrong, 'session']) {
      const answer = await visit('/systems', { cookie: `${name}=${cookie}` })
      expect([answer.status, answer.headers.get('location')?.split('?')[0]]).toStrictEqual([303, '/authenticate'])
    }
  })

  it('is none where the cookie was changed, is of another domain, or has a token that has ended', async () => {
    const other = sealSession({ key: server.context.key, domain: { uuid: crypto.randomUUID() } }, await tokenOf(server))
    const ended = sealSession(server.context, 'a'.repeat(43))
    for (const value of [`${cookie.slice(0, -2)}AA`, other, ended, '', 'x'.repeat(5_000)])
      expect((await visit('/systems', { cookie: `${right}=${value}` })).status).toBe(303)
  })

  it('shows links at the address that people use', async () => {
    const visitor = { cookie: `${right}=${cookie}` }
    const text = await (await visit(`/users/${ANN.email}`, visitor)).text()
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(text) ?? []
    const answer = await fetch(`${server.url}/users/${ANN.email}`, {
      method: 'POST',
      redirect: 'manual',
      headers: visitor,
      body: new URLSearchParams({ csrf, act: 'link' }),
    })
    const [once = ''] = answer.headers.getSetCookie().map((one) => one.split(';', 1)[0])
    const shown = await visit(answer.headers.get('location') ?? '', { cookie: `${visitor.cookie}; ${once}` })
    expect(await shown.text()).toContain(`${baseUrl ?? server.url}/login/password?link=`)
  })

  it('tells a script that has no session, or an earlier one, so that it sends its form as a page', async () => {
    const headers = { 'x-holdfast-dialog': '1', 'content-type': 'application/x-www-form-urlencoded' }
    const statusOf = async (visitor: object, method: string) => {
      const body = method === 'POST' ? 'csrf=&name=House' : null
      const options = { method, redirect: 'manual', headers: { ...headers, ...visitor }, body } as const
      return (await fetch(`${server.url}/systems/new`, options)).status
    }
    const signedIn = { cookie: `${right}=${cookie}` }
    expect([await statusOf({}, 'GET'), await statusOf({}, 'POST')]).toStrictEqual([401, 401])
    expect([await statusOf(signedIn, 'GET'), await statusOf(signedIn, 'POST')]).toStrictEqual([200, 401])
  })

  it('sends a form from nowhere nowhere, and changes nothing', async () => {
    for (const body of ['name=Stolen', 'csrf=&name=Stolen', `csrf=${'A'.repeat(43)}&name=Stolen`]) {
      const answer = await fetch(`${server.url}/systems/new`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: `${right}=${cookie}`, 'content-type': 'application/x-www-form-urlencoded' },
        body,
      })
      expect([answer.status, answer.headers.get('location')]).toStrictEqual([303, NOT_SENT])
    }
    const page = await (await visit('/systems', { cookie: `${right}=${cookie}` })).text()
    expect(page).toContain('There is no system yet.')
  })

  it('has a page with a way back for an address that there is not, and a program an answer as before', async () => {
    const headers = { cookie: `${right}=${cookie}`, accept: 'text/html' }
    const page = await visit('/nope', headers)
    expect([page.status, page.headers.get('content-type')]).toStrictEqual([404, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('Go to the first page')
    const nobody = await visit('/nope', { accept: 'text/html' })
    expect([nobody.status, nobody.headers.get('content-type')]).toStrictEqual([404, 'text/html; charset=utf-8'])
    expect(await nobody.text()).toContain('Go to the first page')
    expect((await visit('/nope', { ...headers, accept: '*/*' })).headers.get('content-type')).toBe(
      'application/problem+json',
    )
    for (const path of ['/people', '/access']) expect((await visit(path, headers)).status).toBe(303)
    const system = await visit('/systems/nope', headers)
    expect([system.status, await system.text()]).toStrictEqual([
      404,
      expect.stringContaining('There is no system nope'),
    ])
  })

  it('begins nowhere else than here', async () => {
    for (const state of ['', 'unknown']) {
      const answer = await visit(`/console/callback?code=stolen&state=${state}`)
      expect([answer.status, answer.headers.get('location')]).toStrictEqual([303, '/'])
    }
  })

  it.each([
    ['/systems?q=a%2Fb#top', 303, '/systems?q=a%2Fb#top'],
    ['//evil.example', 303, '/'],
    ['/\\evil.example', 303, '/'],
    ['https://evil.example/', 303, '/'],
    ['javascript:alert(1)', 303, '/'],
    ['http://[', 303, '/'],
    ['/.//evil.example', 303, '/evil.example'],
    ['/x/..//evil.example', 303, '/evil.example'],
    ['/\t/evil.example', 400, null],
    ['/\r/x', 400, null],
    ['\n//evil.example', 400, null],
    ['/\0', 400, null],
  ])('after the zone is switched, %j leads nowhere else', async (to, status, location) => {
    const body = new URLSearchParams({ to, zone: 'UTC' })
    const answer = await fetch(`${server.url}/console/zone`, { method: 'POST', redirect: 'manual', body })
    expect([answer.status, answer.headers.get('location')]).toStrictEqual([status, location])
  })
})

async function tokenOf(server: LoginServer): Promise<string> {
  const basic = Buffer.from(`${server.clientId('trusted')}:${SECRET}`).toString('base64')
  const answer = await fetch(`${server.url}/authenticate/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'password', username: OPERATOR.email, password: OPERATOR.password }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}
