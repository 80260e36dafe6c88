import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR, signedInAt, startConsoleServer } from '../support/console-server.ts'
import type { LoginServer } from '../support/login-server.ts'
import { launchChromium, newVisitor, NO_CHROMIUM } from './chromium.ts'

describe.skipIf(NO_CHROMIUM)('the console in a browser (needs Chromium)', () => {
  let browser: Browser
  let server: LoginServer
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchChromium(), startConsoleServer()])
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  it('signs somebody in, and shows the page that was asked for', async () => {
    const { page, complaints } = await signedInAt(browser, server, '/model/users?search=ann', OPERATOR)
    expect(await page.title()).toBe('users · Building')
    expect(await page.getByRole('link', { name: 'ann@example.org' }).count()).toBe(1)
    expect(complaints).toStrictEqual([])
  })

  it('is left by signing out, and a cookie that was kept opens nothing', async () => {
    const { page } = await signedInAt(browser, server, '/systems', OPERATOR)
    const cookies = await page.context().cookies()
    await page.getByRole('button', { name: 'Sign out' }).click()
    const thief = await newVisitor(browser)
    await thief.context.addCookies(cookies.filter(({ name }) => name === 'holdfast-console'))
    await thief.page.goto(`${server.url}/systems`)
    expect(await thief.page.title()).toBe('Sign in')
  })

  it('keeps its cookie from scripts and from other sites', async () => {
    const { page } = await signedInAt(browser, server, '/systems', OPERATOR)
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'holdfast-console')
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
  })

  it('shows the zone where the browser is now, and sends no form again to do so', async () => {
    const { page } = await signedInAt(browser, server, '/systems/new', OPERATOR, { timezoneId: 'America/New_York' })
    const zone = { name: 'holdfast-zone', value: 'Europe%2FBerlin', url: server.url }
    await page.context().addCookies([zone])
    await page.reload()
    await page.getByText('Times are America/New_York').waitFor()
    await page.context().addCookies([zone])
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await page.getByLabel('Name').fill('House')
    await page.getByLabel('Organization').fill('nobody')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('Nothing was changed').waitFor()
    await page.waitForLoadState('networkidle')
    expect(sent.filter((one) => one.startsWith('POST'))).toStrictEqual(['POST /systems/new'])
  })

  it('has keys, which are shown as a dialog and can be switched off', async () => {
    const { page, complaints } = await signedInAt(browser, server, '/systems', OPERATOR)
    await page.keyboard.press('/')
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('q')
    await page.keyboard.type('ann@')
    await page.keyboard.press('Enter')
    await page.waitForURL(/search\?q=ann%40$/)
    expect(await page.locator('main').getByRole('link', { name: /Ann/ }).count()).toBe(1)
    await page.keyboard.press('?')
    await page
      .getByRole('dialog', { name: 'Keys' })
      .getByRole('button', { name: /^Switch off/ })
      .click()
    await page.waitForURL(`${server.url}/keys`)
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.keyboard.press('/')
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('INPUT')
    expect(page.url()).toBe(`${server.url}/keys`)
    expect(complaints).toStrictEqual([])
  })

  it('works without scripts', async () => {
    const { page } = await signedInAt(browser, server, '/model/users', OPERATOR, { javaScriptEnabled: false })
    await page.locator('main').getByRole('searchbox').fill('bob')
    await page.keyboard.press('Enter')
    await page.waitForURL(/search=bob/)
    expect(await page.getByRole('link', { name: 'bob@example.org' }).count()).toBe(1)
  })
})
