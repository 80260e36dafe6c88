import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPasswordLink } from '../../src/platform/access/accounts/password-links.ts'
import { ANN, BOB, startLoginServer, type LoginServer } from '../support/login-server.ts'
import { isLong } from '../support/runs.ts'
import { answerAt, expectAccessible, focused, launchChromium, newVisitor, NO_CHROMIUM, PHONE } from './chromium.ts'

/** Fills the form in and sends it. */
async function signIn(page: Page, { email, password }: { email: string; password: string } = ANN): Promise<void> {
  await page.getByLabel('E-mail address or user name').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

type Look = readonly [name: string, options: BrowserContextOptions]

const LOOKS: readonly Look[] = [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['light, on a phone', PHONE],
  ['dark, on a phone', { ...PHONE, colorScheme: 'dark' }],
  ['light, with the largest letters (320 px)', { viewport: { width: 320, height: 480 } }],
  ['with forced colours', { forcedColors: 'active' }],
]

/** `npm run test:long` has all. */
const SAMPLED_LOOKS = LOOKS.filter(([name]) => name === 'dark, on a phone')

describe.skipIf(NO_CHROMIUM)('the login UI in a browser (needs Chromium)', () => {
  let browser: Browser
  let server: LoginServer
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchChromium(), startLoginServer()])
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  function answerIn(page: Page): Promise<{ [name: string]: string }> {
    return answerAt(page, server.application.callback)
  }

  it('signs in with the keyboard alone, and goes back to the application', async () => {
    const { page, complaints } = await newVisitor(browser)
    await page.goto(server.authorizationUrl('trusted'))
    expect(await page.title()).toBe('Sign in')
    expect(await focused(page)).toBe('E-mail address or user name')
    await page.keyboard.type(ANN.email)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toBe('Password')
    await page.keyboard.type(ANN.password)
    await page.keyboard.press('Enter')
    expect(await answerIn(page)).toMatchObject({ code: expect.any(String), iss: server.url })
    expect(complaints).toStrictEqual([])
  })

  it('works without scripts', async () => {
    const { page } = await newVisitor(browser, { javaScriptEnabled: false })
    await page.goto(server.authorizationUrl('asks'))
    await signIn(page)
    await page.getByRole('button', { name: 'Allow' }).click()
    expect(await answerIn(page)).toHaveProperty('code')
  })

  it('says that a password is wrong, and goes on at its field', async () => {
    const { page, complaints } = await newVisitor(browser)
    await page.goto(server.authorizationUrl('trusted'))
    await signIn(page, { ...ANN, password: 'not the right one' })
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toBe('The user name or the password is not right.')
    expect(await page.title()).toBe('Problem: Sign in')
    expect(await focused(page)).toBe('Password')
    const password = page.getByLabel('Password')
    expect(await password.inputValue()).toBe('')
    expect(await password.getAttribute('aria-describedby')).toBe(await page.getByRole('alert').getAttribute('id'))
    await page.keyboard.type(ANN.password)
    await page.keyboard.press('Enter')
    expect(await answerIn(page)).toHaveProperty('code')
    expect(complaints).toStrictEqual([])
  })

  it.each([
    ['Allow', { code: expect.any(String) }],
    ['Deny', { error: 'access_denied' }],
  ])('asks whether the application may: %s', async (button, answer) => {
    const { page, complaints } = await newVisitor(browser)
    await page.goto(server.authorizationUrl('asks', { scope: 'openid email setpoints:write' }))
    await signIn(page)
    await page.getByText('You are signed in as').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Allow Heating Monitor?')
    expect(await page.getByRole('listitem').allInnerTexts()).toStrictEqual([
      'Know who you are',
      'See your e-mail address',
      'Set setpoints',
    ])
    await page.getByRole('button', { name: button }).click()
    expect(await answerIn(page)).toMatchObject(answer)
    expect(complaints).toStrictEqual([])
  })

  it('lets two tabs sign in at once', async () => {
    const { context, page: first } = await newVisitor(browser)
    const second = await context.newPage()
    await first.goto(server.authorizationUrl('trusted', { state: 'first' }))
    await second.goto(server.authorizationUrl('trusted', { state: 'second' }))
    await signIn(first)
    await signIn(second)
    expect(await answerIn(first)).toMatchObject({ state: 'first', code: expect.any(String) })
    expect(await answerIn(second)).toMatchObject({ state: 'second', code: expect.any(String) })
  })

  it('lets somebody else sign in after a second look', async () => {
    const { page, complaints } = await newVisitor(browser)
    await page.goto(server.authorizationUrl('trusted'))
    await signIn(page)
    await answerIn(page)
    await page.goto(server.authorizationUrl('trusted', { prompt: 'login', state: 'bob' }))
    await signIn(page, BOB)
    expect(await answerIn(page)).toMatchObject({ state: 'bob', code: expect.any(String) })
    expect(complaints).toStrictEqual([])
  })

  it('signs out, or does not', async () => {
    const { page, complaints } = await newVisitor(browser)
    await page.goto(server.authorizationUrl('trusted'))
    await signIn(page)
    await answerIn(page)
    await page.goto(`${server.url}/logout`)
    await page.getByRole('link', { name: 'Stay signed in' }).click()
    await page.waitForURL(`${server.url}/`)
    await page.goto(server.authorizationUrl('trusted'))
    expect(await answerIn(page)).toHaveProperty('code')
    await page.goto(`${server.url}/logout`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(/success/)
    expect(await page.title()).toBe('You are signed out')
    expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/')
    await page.goto(server.authorizationUrl('trusted'))
    expect(await page.title()).toBe('Sign in')
    expect(complaints).toStrictEqual([])
  })

  it('signs out of one application, and goes back there', async () => {
    const { page, complaints } = await newVisitor(browser)
    await page.goto(server.authorizationUrl('trusted'))
    await signIn(page)
    await answerIn(page)
    const { callback } = server.application
    const query = new URLSearchParams({
      client_id: server.clientId('trusted'),
      post_logout_redirect_uri: callback,
      state: 's',
    })
    await page.goto(`${server.url}/logout?${query.toString()}`)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Sign out of Building Console only' }).click()
    expect(await answerIn(page)).toStrictEqual({ state: 's' })
    await page.goto(`${server.url}/logout?client_id=${server.clientId('trusted')}`)
    await page.getByRole('button', { name: 'Sign out of Building Console only' }).click()
    await page.getByText('You are signed out of Building Console').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Open the console' }).click()
    await page.waitForURL(`${server.url}/`)
    await page.goto(server.authorizationUrl('trusted', { state: 'still signed in' }))
    expect(await answerIn(page)).toMatchObject({ state: 'still signed in', code: expect.any(String) })
    expect(complaints).toStrictEqual([])
  })

  it('has a session that nobody can have laid ready', async () => {
    const { context, page } = await newVisitor(browser)
    const laid = { name: 'holdfast-session', value: 'laid-ready-by-somebody-0123456789', url: server.url }
    await context.addCookies([laid])
    await page.goto(server.authorizationUrl('trusted'))
    await signIn(page)
    await answerIn(page)
    const session = (await context.cookies(server.url)).find(({ name }) => name === laid.name)
    expect(session?.value).toMatch(/^[\w-]{21,}$/)
    expect(session?.value).not.toBe(laid.value)
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
    // The cookie of the browser serves all of its sign-ins, and holds nothing of this one.
    expect((await context.cookies(server.url)).map(({ name }) => name).sort()).toStrictEqual([
      'holdfast-browser',
      'holdfast-device',
      'holdfast-session',
    ])
  })

  it('sets a password by a link, and signs in with it', async () => {
    const { token } = await createPasswordLink(server.context, BOB.email, 'operator')
    const { page, complaints } = await newVisitor(browser)
    await page.goto(`${server.url}/login/password?link=${token}`)
    expect(await focused(page)).toBe('New password')
    await page.keyboard.type('a brand new one of many words')
    await page.keyboard.press('Tab')
    await page.keyboard.type('a brand new one of many word')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('New password', { exact: true }).fill('a brand new one of many words')
    await page.getByLabel('New password again').fill('a brand new one of many words')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByText('Password saved').waitFor()
    await page.getByText(`Sign in with it at ${server.url}`).waitFor()
    expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/')
    await page.goto(server.authorizationUrl('trusted'))
    await signIn(page, { email: BOB.email, password: 'a brand new one of many words' })
    expect(await answerIn(page)).toHaveProperty('code')
    expect(complaints).toStrictEqual([])
  })

  it('is not shown inside of another page', async () => {
    const { page } = await newVisitor(browser)
    await page.goto(server.application.callback)
    await page.evaluate((url) => {
      const frame = document.createElement('iframe')
      frame.src = url
      document.body.append(frame)
    }, `${server.url}/login`)
    await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/')
  })

  describe.each(isLong ? LOOKS : SAMPLED_LOOKS)('%s', (_, options) => {
    it('everybody can use every page', async () => {
      const { page, complaints } = await newVisitor(browser, options)
      await page.goto(server.authorizationUrl('asks'))
      await expectAccessible(page)
      await signIn(page, { ...ANN, password: 'not the right one' })
      await page.getByRole('alert').waitFor()
      await expectAccessible(page)
      await signIn(page)
      await page.getByText('Allow Heating Monitor?').waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Allow' }).click()
      await answerIn(page)
      await page.goto(`${server.url}/logout`)
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL(/success/)
      await expectAccessible(page)
      await page.goto(`${server.url}/login`)
      await expectAccessible(page)
      await page.goto(server.authorizationUrl('asks', { redirect_uri: 'https://elsewhere.example' }))
      await expectAccessible(page)
      const { token } = await createPasswordLink(server.context, ANN.email, 'operator')
      await page.goto(`${server.url}/login/password?link=${token}`)
      await expectAccessible(page)
      expect(complaints).toStrictEqual([])
    })
  })
})
