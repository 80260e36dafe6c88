import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeDomainSettings } from '../../src/platform/access/methods/domain-settings.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { startLoginServer, type LoginServer } from '../support/login-server.ts'
import { launchChromium, NO_CHROMIUM } from './chromium.ts'

/** What a script of the page sees of the API: status, a header and whether it can read the content. */
async function call([url, bearer]: readonly string[]): Promise<unknown> {
  try {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', 'x-version': '1' }
    const body = JSON.stringify({ query: '{ __schema { types { name description } } }' })
    const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body })
    const { length } = answer.headers.get('x-trace-id') ?? ''
    return [answer.status, length, (await answer.text()).startsWith('{"data"')]
  } catch {
    return 'nothing'
  }
}

describe.skipIf(NO_CHROMIUM)('a page of another origin in a browser (needs Chromium)', () => {
  let browser: Browser
  let server: LoginServer
  let site: Server
  let origin: string
  let token: string
  let page: Page

  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchChromium(), startLoginServer()])
    site = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<title>App</title>'))
    await once(site.listen(0, '127.0.0.1'), 'listening')
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    token = await giveToken(server.context, await makeMachine(server.context, 'gateway'))
    page = await browser.newPage()
    await page.goto(origin)
  })
  afterAll(async () => {
    await browser.close()
    site.close()
    await server.close()
  })

  const seen = (): Promise<unknown> => page.evaluate(call, [server.url, token] as const)

  it('can call the API as soon as the domain allows its origin, and not before', async () => {
    expect(await seen()).toBe('nothing')
    await changeDomainSettings(server.context, { allowedOrigins: [origin] })
    await expect.poll(seen).toStrictEqual([200, 32, true])
  })
})
