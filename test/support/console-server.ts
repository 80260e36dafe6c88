import type { Browser, Page } from 'playwright-core'
import { addConsole } from '../../src/console/console.ts'
import { PAGES } from '../../src/console/pages/pages.ts'
import { ensureBootstrap } from '../../src/platform/access/accounts/bootstrap.ts'
import { newVisitor } from '../browser/chromium.ts'
import { ANN, startLoginServer, type LoginServer, type LoginServerOptions } from './login-server.ts'
import { PARTS_PAGE } from './parts-page.ts'

/** The console, and a page that shows each of its parts. */
const addPages: typeof addConsole = (app, services) => addConsole(app, services, [...PAGES, PARTS_PAGE])

/** A server with the console, and with the records of a first start. */
export async function startConsoleServer(options: LoginServerOptions = {}): Promise<LoginServer> {
  const server = await startLoginServer({ ...options, addPages })
  const secret = { text: OPERATOR_PASSWORD, mayReplace: true }
  await ensureBootstrap(
    server.context,
    () => ({ clientSecret: secret, password: secret }),
    () => undefined,
  )
  return server
}

const OPERATOR_PASSWORD = 'password of the operator 0123456789'

export const OPERATOR = { email: 'operator', password: OPERATOR_PASSWORD } as const

interface Credentials {
  readonly email: string
  readonly password: string
}

/** Fills in the sign-in page that is open, and sends it. */
export async function signIn(page: Page, { email, password }: Credentials): Promise<void> {
  await page.getByLabel('E-mail address or user name').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Gives the browser another session of the console, as if the person had signed in again in another tab. */
export async function signInAnew(page: Page): Promise<void> {
  await page.context().clearCookies({ name: /console$/ })
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('button', { name: 'Sign out' }).waitFor()
  await other.close()
}

/** A browser that is signed in to the console and at the path that it asked for. */
export async function signedInAt(
  browser: Browser,
  server: Pick<LoginServer, 'url'>,
  path: string,
  who: Credentials = ANN,
  options: Parameters<typeof newVisitor>[1] = {},
): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const { page, complaints } = await newVisitor(browser, { timezoneId: 'UTC', ...options })
  await page.goto(server.url + path)
  await signIn(page, who)
  await page.waitForURL(`${server.url}${path}`)
  return { page, complaints }
}
