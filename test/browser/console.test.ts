import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRecord, updateRecord } from '../../src/platform/records/change-record.ts'
import { findRecord } from '../../src/platform/records/read-records.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { OPERATOR, signedInAt, startConsoleServer } from '../support/console-server.ts'
import { setGrants } from '../support/grants.ts'
import { ANN, type LoginServer } from '../support/login-server.ts'
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

  it('brings a form back that was sent after the session, and keeps it no longer', async () => {
    const { page, complaints } = await signedInAt(browser, server, '/systems/new', OPERATOR)
    await page.getByLabel('Name').fill('House by the lake')
    await page.getByLabel('Organization').fill('nobody')
    await sendAfterSession(page, 'Create', OPERATOR)
    await page.getByText('This is your text from before you signed in again').waitFor()
    expect(page.url()).toBe(`${server.url}/systems/new`)
    expect(await page.getByLabel('Name').inputValue()).toBe('House by the lake')
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    await page.getByLabel('Organization').fill('')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'House by the lake' }).waitFor()
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
    expect(complaints).toStrictEqual([])
  })

  it('brings it back to nobody else', async () => {
    const { page } = await signedInAt(browser, server, '/systems/new', OPERATOR)
    await page.getByLabel('Name').fill('House of the operator')
    await setGrants(server.context, [{ role: 'editor', everyone: 'users' }])
    await sendAfterSession(page, 'Create', ANN)
    expect(await page.getByLabel('Name').inputValue()).toBe('')
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0)
  })

  it('stores nothing that its sender has not changed, where somebody else has meanwhile', async () => {
    await createRecord(server.context, 'organizations', { alias: 'lake', name: 'Lake' }, [])
    const { page } = await signedInAt(browser, server, `/users/${ANN.email}`, OPERATOR)
    await page.locator('form:has([name="shown-with"]) #organization').fill('lake')
    await updateRecord(server.context, 'users', ANN.email, { name: 'Ann Changed' }, [])
    await sendAfterSession(page, 'Save', OPERATOR)
    const answered = page.waitForResponse((answer) => answer.request().method() === 'POST')
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await answered).status()).toBe(303)
    const stored = await findRecord(server.context, EVERYWHERE, 'users', ANN.email)
    expect(stored?.body).toMatchObject({ name: 'Ann Changed', organization: { alias: 'lake' } })
  })

  it('keeps no secret of a form', async () => {
    const { page } = await signedInAt(browser, server, '/auth-methods/new', OPERATOR)
    await page.locator('#name').fill('Company')
    await page.locator('input[type=password]').fill('a secret of the company')
    await page.locator('form.form').evaluate((form: HTMLFormElement) => {
      form.noValidate = true
      form.addEventListener('submit', (event) => event.preventDefault())
      form.requestSubmit()
    })
    const kept = await page.evaluate(() => JSON.stringify(sessionStorage))
    expect(kept).toContain('Company')
    expect(kept).not.toContain('a secret')
    expect(kept).not.toContain('csrf')
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

/** Sends a form whose session has ended, signs in, and opens the form again. */
async function sendAfterSession(page: Page, button: string, who: typeof OPERATOR | typeof ANN): Promise<void> {
  await page.context().clearCookies({ name: /console$|session$/ })
  await page.getByRole('button', { name: button }).click()
  await page.getByLabel('E-mail address or user name').fill(who.email)
  await page.getByLabel('Password').fill(who.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('nothing was stored').waitFor()
  await page.getByRole('link', { name: 'Open the form again' }).click()
  await page.getByRole('contentinfo').waitFor()
}
