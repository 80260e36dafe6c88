import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATOR, signedInAt, startConsoleServer } from '../support/console-server.ts'
import { ANN, type LoginServer } from '../support/login-server.ts'
import { launchChromium, newVisitor, NO_CHROMIUM } from './chromium.ts'

describe.skipIf(NO_CHROMIUM)('access and people in the console (needs Chromium)', () => {
  let browser: Browser
  let server: LoginServer
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchChromium(), startConsoleServer()])
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
  })

  it('makes an application, shows its secret once, and replaces it', async () => {
    const { page, complaints } = await signedInAt(browser, server, '/application-consumers/new', OPERATOR)
    await page.getByLabel('Slug').fill('tenant-portal')
    await page.getByLabel('Name', { exact: true }).fill('<b>Tenant portal</b>')
    await page.getByLabel('Redirect URIs').fill('https://portal.example.org/callback')
    await page.getByRole('button', { name: 'Create application' }).click()
    const first = await page.locator('#secret').innerText()
    expect(first).toMatch(/^[\w-]{43}$/)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('<b>Tenant portal</b>')
    await page.getByLabel('I have stored the secret').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.waitForURL(`${server.url}/application-consumers/tenant-portal**`)
    expect(await page.content()).not.toContain(first)
    await page.getByRole('button', { name: 'New secret…' }).click()
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    expect(await page.locator('#secret').innerText()).not.toBe(first)
    expect(complaints).toStrictEqual([])
  })

  it('keeps what was filled in where it is refused, and says why', async () => {
    const { page } = await signedInAt(browser, server, '/application-consumers/new', OPERATOR)
    await page.getByLabel('Slug').fill('trusted')
    await page.getByLabel('Name', { exact: true }).fill('Another one')
    await page.getByLabel('Redirect URIs').fill('https://portal.example.org/callback')
    await page.getByRole('button', { name: 'Create application' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('exists already')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Another one')
  })

  it('does not offer to change what somebody may not change, and refuses it', async () => {
    const { page } = await signedInAt(browser, server, '/application-consumers/trusted', ANN)
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await page.goto(`${server.url}/application-consumers/new`)
    expect(await page.title()).toBe('You may not see this · Building')
    expect(await page.getByText('needs the role administrator').count()).toBe(1)
  })

  it('looks at a provider before it is trusted, and makes it inactive where it cannot be reached', async () => {
    const { page } = await signedInAt(browser, server, '/auth-methods/new', OPERATOR)
    await page.getByLabel('Issuer').fill('https://provider.invalid')
    await page.getByLabel('Client id').fill('holdfast')
    await page.getByRole('button', { name: 'Look at the issuer' }).click()
    await page.getByText('Can it be reached?').waitFor()
    expect(await page.getByLabel('Client id').inputValue()).toBe('holdfast')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.waitForURL(/auth-methods\/[0-9a-f-]{36}$/)
    await page.getByRole('button', { name: 'Activate' }).click()
    expect(await page.getByRole('alert').innerText()).toContain('Nothing was changed')
    const csrf = await page.locator('input[name=csrf]').first().inputValue()
    const form = { csrf, issuer: 'nonsense', clientId: 'holdfast', act: 'check' }
    const answer = await page.request.post(`${server.url}/auth-methods/new`, { form })
    expect(await answer.text()).toContain('cannot be fetched: the issuer is no address')
  })

  it('gives and takes back a role, and makes a link by which a password is set', async () => {
    const { page } = await signedInAt(browser, server, `/users/${encodeURIComponent(ANN.email)}`, OPERATOR)
    await page.getByLabel('Give a role').selectOption('editor')
    await page.getByRole('button', { name: 'Give the role' }).click()
    await page.getByRole('button', { name: 'Take back…' }).click()
    await page.getByRole('button', { name: 'Revoke the role' }).click()
    await page.getByText('Nobody has given this user a role of their own.').waitFor()
    await page.getByRole('button', { name: 'Link to set a password' }).click()
    const link = await page.locator('#link').innerText()
    const visitor = await newVisitor(browser)
    await visitor.page.goto(link)
    expect(await visitor.page.getByLabel(/password/i).count()).toBeGreaterThan(0)
    const lines = server.log.filter((line) => line.includes('password link created'))
    expect(lines.join('')).toContain('"actor":"operator"')
    expect(lines.join('')).not.toContain(link.split('link=')[1])
  })
})
