import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDelegatedMethod, listMethods, updateMethod } from '../../src/platform/access/methods/methods.ts'
import { startExternalIssuer, type ExternalIssuer } from '../support/external-issuer.ts'
import { startLoginServer, type LoginServer } from '../support/login-server.ts'
import { answerAt, expectAccessible, launchChromium, newVisitor, NO_CHROMIUM, PHONE } from './chromium.ts'

const PEOPLE = [{ sub: 'carol', email: 'carol@company.example', email_verified: true, name: 'Carol Company' }]

describe.skipIf(NO_CHROMIUM)('another provider in a browser (needs Chromium)', () => {
  let browser: Browser
  let server: LoginServer
  let company: ExternalIssuer
  beforeAll(async () => {
    browser = await launchChromium()
    company = await startExternalIssuer(() => ({ redirectUris: [`${server.url}/login/callback`], people: PEOPLE }))
    server = await startLoginServer({ allowedOrigins: [company.issuer] })
    await createDelegatedMethod(server.context, {
      status: 'ACTIVATED',
      name: 'The Company',
      configuration: { clientId: company.clientId, issuer: company.issuer, clientSecret: company.clientSecret },
    })
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
    await company.close()
  })

  it('is one of the ways that are listed', async () => {
    const { page, complaints } = await newVisitor(browser, { ...PHONE, colorScheme: 'dark' })
    await page.goto(server.authorizationUrl('trusted'))
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Continue with The Company' }).click()
    await page.getByRole('link', { name: 'I am carol' }).click()
    expect(await answerAt(page, server.application.callback)).toHaveProperty('code')
    expect(complaints).toStrictEqual([])
  })

  it('is where one goes straight to when it is the only way, also from consent', async () => {
    await setInternal('DEACTIVATED')
    const { page, complaints } = await newVisitor(browser)
    await page.goto(server.authorizationUrl('asks'))
    expect(await page.title()).toBe('Company')
    await page.getByRole('link', { name: 'I am carol' }).click()
    await page.getByText('carol@company.example').waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    expect(await answerAt(page, server.application.callback)).toHaveProperty('code')
    expect(complaints).toStrictEqual([])
    await setInternal('ACTIVATED')
  })

  it('may be refused there; one comes back, can choose again, or go back to the application', async () => {
    const { page } = await newVisitor(browser)
    await page.goto(server.authorizationUrl('trusted'))
    await page.getByRole('link', { name: 'Continue with The Company' }).click()
    await page.getByRole('link', { name: 'Not me' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toBe('You did not sign in at the other provider.')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Cancel' }).click()
    expect(await answerAt(page, server.application.callback)).toMatchObject({ error: 'access_denied' })
  })

  async function setInternal(status: 'ACTIVATED' | 'DEACTIVATED'): Promise<void> {
    const internal = (await listMethods(server.context)).find(({ kind }) => kind === 'internal')
    await updateMethod(server.context, internal?.uuid ?? '', { status })
  }
})
