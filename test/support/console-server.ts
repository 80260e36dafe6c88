import type { Browser, Page } from 'playwright-core'
import { addConsole } from '../../src/console/console.ts'
import { ensureBootstrap } from '../../src/platform/access/accounts/bootstrap.ts'
import { newVisitor } from '../browser/chromium.ts'
import { ANN, startLoginServer, type LoginServer, type LoginServerOptions } from './login-server.ts'

/** A server with the console, and with what a first start makes. */
export async function startConsoleServer(options: LoginServerOptions = {}): Promise<LoginServer> {
  const server = await startLoginServer({ ...options, addPages: addConsole })
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

/** A browser that has signed in to the console and is at the path that it asked for. */
export async function signedInAt(
  browser: Browser,
  server: Pick<LoginServer, 'url'>,
  path: string,
  { email, password }: { readonly email: string; readonly password: string } = ANN,
  options: Parameters<typeof newVisitor>[1] = {},
): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const { page, complaints } = await newVisitor(browser, { timezoneId: 'UTC', ...options })
  await page.goto(server.url + path)
  await page.getByLabel('E-mail address or user name').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${server.url}${path}`)
  return { page, complaints }
}
