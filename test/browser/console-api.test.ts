import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { applyAll } from '../support/domain.ts'
import { OPERATOR, signedInAt, startConsoleServer } from '../support/console-server.ts'
import { setGrants } from '../support/grants.ts'
import { ANN, type LoginServer } from '../support/login-server.ts'
import { expectNoFinding, launchChromium, NO_CHROMIUM } from './chromium.ts'

describe.skipIf(NO_CHROMIUM)('GraphiQL in the console (needs Chromium)', () => {
  let browser: Browser
  let server: LoginServer
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchChromium(), startConsoleServer()])
  })
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  it('opens after signing in, runs a query, shows the schema and keeps nothing in the browser', async () => {
    const { page, complaints } = await signedInAt(browser, server, '/api', OPERATOR)
    const foreign: string[] = []
    page.on('request', (request) => foreign.push(...(request.url().startsWith(server.url) ? [] : [request.url()])))
    expect(await resultOf(page, '{ currentDomain { name } }')).toStrictEqual({
      data: { currentDomain: { name: 'Building' } },
    })
    await page.getByLabel('Show Documentation Explorer').click()
    await page
      .getByRole('button', { name: 'Query' })
      .or(page.getByRole('link', { name: 'Query' }))
      .first()
      .click()
    await page.getByText('The sender of this request.').waitFor()
    await page.getByLabel('Open settings dialog').click()
    await page.getByText('Adjust how the interface appears.').waitFor()
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toStrictEqual([0, 0])
    expect(foreign).toStrictEqual([])
    expect(complaints).toStrictEqual([])
  })

  it.each([
    { width: 1_440, colorScheme: 'light' },
    { width: 375, colorScheme: 'dark' },
  ] as const)('can be read $width pixels wide in $colorScheme colours', async ({ width, colorScheme }) => {
    const { page, complaints } = await signedInAt(browser, server, '/api', OPERATOR, {
      viewport: { width, height: 900 },
      colorScheme,
    })
    await resultOf(page, '{ me { name rights } }')
    // The sections around the editors name them, the keys move inside of them, and tabs have a button to close them.
    await expectNoFinding(page, ['label', 'scrollable-region-focusable', 'nested-interactive'])
    expect(complaints).toStrictEqual([])
  })

  it('gives a person with few rights only what they may see, and names what they may not', async () => {
    await setGrants(server.context, [{ role: 'viewer', user: ANN.email }])
    const { page } = await signedInAt(browser, server, '/api', ANN)
    expect(await resultOf(page, '{ services { totalCount } lostRights { who } }')).toMatchObject({
      data: { services: { totalCount: 0 }, lostRights: null },
      errors: [{ path: ['lostRights'], extensions: { code: 'FORBIDDEN' } }],
    })
  })

  it('stops working when the session ends in another tab, and says how to go on', async () => {
    const { page } = await signedInAt(browser, server, '/api', OPERATOR)
    await resultOf(page, '{ me { name } }')
    const other = await page.context().newPage()
    await other.goto(`${server.url}/keys`)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await other.getByText('signed out').first().waitFor()
    await page.locator('.graphiql-execute-button').click()
    const advice = page.getByText('nobody is signed in any more; reload the page').first()
    await advice.waitFor()
    expect(await advice.isVisible()).toBe(true)
  })

  it('follows a subscription until it is stopped', async () => {
    const { page, complaints } = await signedInAt(browser, server, '/api', OPERATOR)
    await resultOf(page, '{ me { name } }')
    await write(page, 'subscription { applies { applies { actor } } }')
    // It has a new token, because it ends with its token.
    const renewed = page.waitForRequest(`${server.url}/api/token`)
    const opened = page.waitForResponse(`${server.url}/graphql`)
    await page.locator('.graphiql-execute-button').click()
    await Promise.all([renewed, opened])
    await applyAll(server.context, { services: [{ code: 'heating', name: 'Heating' }] })
    await page.locator('.result-window').getByText('"actor"').waitFor()
    const ended = page.waitForEvent('requestfailed')
    await page.locator('.graphiql-execute-button').click()
    expect((await ended).url()).toBe(`${server.url}/graphql`)
    expect(complaints).toStrictEqual([])
  })
})

async function write(page: Page, query: string): Promise<void> {
  await page.locator('.graphiql-query-editor textarea').focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(query)
}

async function resultOf(page: Page, query: string): Promise<unknown> {
  await write(page, query)
  // GraphiQL also reads the schema.
  const answered = page.waitForResponse((answer) => answer.request().postDataJSON()?.query === query)
  await page.locator('.graphiql-execute-button').click()
  return (await answered).json()
}
