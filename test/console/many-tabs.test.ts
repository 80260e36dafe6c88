import { expect, it } from 'vitest'
import { OPERATOR } from '../support/console-server.ts'
import { CookieClient, type Reply } from '../support/cookie-client.ts'
import { server, useConsole } from '../support/one-console.ts'

// A browser that opens its tabs again, none of which is signed in any more.

useConsole()

const SIGN_IN = { username: OPERATOR.email, password: OPERATOR.password, decision: 'sign-in' }
const UUID = '3f2b8a52-7c1e-4d55-9b8e-0f6f2f0c6a10'
const SHOWN = Array.from({ length: 4 }, (_, index) => ['show', `${UUID}/heating/temperature-${index}`])
const pathOf = (tab: number) =>
  `/systems/${UUID}/analyse?${new URLSearchParams([...SHOWN, ['tab', String(tab)]]).toString()}`

it('has less than 2 kB of cookies with 40 tabs, and each tab comes back to its own address', async () => {
  const browser = new CookieClient()
  const pages: Reply[] = []
  for (let tab = 0; tab < 40; tab += 1) pages.push(await browser.open(server.url + pathOf(tab)))
  expect(pages.map(({ status }) => status)).toStrictEqual(pages.map(() => 200))
  for (const path of ['/', '/login', '/authenticate', '/login/callback'])
    expect(browser.header(server.url + path).length).toBeLessThan(2_000)
  for (const tab of [7, 3]) {
    const page = pages[tab] ?? { url: '', text: '' }
    const end = await browser.submit(page as Reply, SIGN_IN)
    expect([end.status, end.url]).toStrictEqual([404, server.url + pathOf(tab)])
  }
})

it('goes on in each of 40 tabs that a new browser opens at the same time', async () => {
  const browser = new CookieClient()
  const tabs = Array.from({ length: 40 }, (_, tab) => browser.open(server.url + pathOf(tab)))
  const pages = await Promise.all(tabs)
  expect(pages.map(({ text }) => text.includes('name="password"'))).toStrictEqual(pages.map(() => true))
  expect(browser.header(`${server.url}/login`).length).toBeLessThan(2_000)
})

it('has its cookie still when its session has ended, so that tabs restored together share it', async () => {
  const answer = await new CookieClient().get(`${server.url}/systems`)
  const [cookie = ''] = answer.cookies.filter((one) => one.startsWith('holdfast-browser='))
  expect(Number(/Max-Age=(\d+)/.exec(cookie)?.[1])).toBeGreaterThan(30 * 86_400)
})

it('says after signing in that a form was not stored, and refuses an address of another site', async () => {
  const browser = new CookieClient()
  const sent = await browser.follow(await browser.post(`${server.url}/systems/new`, { name: 'House', csrf: 'old' }))
  const end = await browser.submit(sent, SIGN_IN)
  expect(end.text).toContain('nothing was stored')
  expect(end.text).toContain('href="/systems/new#again"')
  const foreign = await browser.get(`${server.url}/console/not-sent?to=${encodeURIComponent('//evil.example/')}`)
  expect(foreign.text).toContain('href="/#again"')
})

it('ends no sign-in that another browser has begun', async () => {
  const [mine, other] = [new CookieClient(), new CookieClient()]
  await other.open(`${server.url}/systems`)
  const page = await mine.open(`${server.url}/systems`)
  const answer = await mine.submitOnly(page, SIGN_IN)
  let reply = answer
  while (!(reply.headers.location ?? '').includes('code='))
    reply = await mine.get(new URL(reply.headers.location ?? '', reply.url).href)
  const back = await other.get(new URL(reply.headers.location ?? '', reply.url).href)
  expect(back.headers.location).toBe('/')
  expect(other.cookieNames).not.toContain('holdfast-console')
})
