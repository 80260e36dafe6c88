import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR, signedInAt, startConsoleServer } from '../support/console-server.ts'
import type { LoginServer } from '../support/login-server.ts'
import { launchChromium, NO_CHROMIUM } from './chromium.ts'

describe.skipIf(NO_CHROMIUM)('GraphiQL in the console (needs Chromium)', () => {
  let browser: Browser
  let server: LoginServer
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchChromium(), startConsoleServer()])
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  it('draws', async () => {
    const { page, complaints } = await signedInAt(browser, server, '/api', OPERATOR)
    await page.waitForTimeout(2000)
    await page.screenshot({ path: '/tmp/api1.png' })
    await page.locator('.graphiql-execute-button').click()
    await page.waitForTimeout(1000)
    await page.screenshot({ path: '/tmp/api2.png' })
    console.log(complaints)
    console.log(await page.locator('.result-window').innerText())
    expect(complaints).toStrictEqual([])
  })
})
