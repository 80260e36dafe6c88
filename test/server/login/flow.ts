import { expect } from 'vitest'
import type { CookieClient, Reply } from '../../support/cookie-client.ts'
import { ANN, type LoginServer } from '../../support/login-server.ts'

/** What Ann fills in. */
export const SIGN_IN = { decision: 'sign-in', username: ANN.email, password: ANN.password }

/** The login page, as somebody sees it whom the application has sent there. */
export function openSignIn(
  server: LoginServer,
  client: CookieClient,
  params: { readonly [name: string]: string } = {},
): Promise<Reply> {
  return client.open(server.authorizationUrl('trusted', params))
}

/** The answer that the application gets, in the address that the browser is sent to. */
export function answerOf(server: LoginServer, { headers: { location = '' } }: Reply): { [name: string]: string } {
  expect(location.startsWith(`${server.application.callback}?`)).toBe(true)
  return Object.fromEntries(new URL(location).searchParams)
}
