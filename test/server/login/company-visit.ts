import { expect } from 'vitest'
import { CookieClient, type Reply } from '../../support/cookie-client.ts'
import type { LoginServer } from '../../support/login-server.ts'

/** The login UI and the company are two hosts, so each has its own cookies. */
export interface Browser {
  readonly here: CookieClient
  readonly there: CookieClient
}

export function newBrowser(): Browser {
  return { here: new CookieClient(), there: new CookieClient() }
}

export function locationOf({ headers: { location = '' } }: Reply): string {
  return location
}

/** From the link in the login UI to the address that the company sends the browser back to. */
export async function visitCompany({ there }: Browser, address: string, answer: string): Promise<string> {
  const who = await there.open(address)
  expect(who.text).toContain('Company login')
  return locationOf(await there.follow(await there.get(`${who.url}?${answer}`)))
}

export async function openLogin(server: LoginServer, browser: Browser): Promise<Reply> {
  return browser.here.open(server.authorizationUrl('trusted'))
}

export async function choose(server: LoginServer, browser: Browser, page: Reply): Promise<string> {
  const href = /href="(\/login\/external[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  return locationOf(await browser.here.get(server.url + href))
}

/** The address by which the company sends the browser back. */
export async function comeBack(server: LoginServer, browser: Browser, answer = 'sub=carol'): Promise<string> {
  return visitCompany(browser, await choose(server, browser, await openLogin(server, browser)), answer)
}
