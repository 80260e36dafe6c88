import { getCookie } from 'hono/cookie'
import type { Context } from 'hono'
import { isObject } from '../lib/json.ts'
import type { AppEnv } from '../server/app-env.ts'
import { cookieName } from '../server/login/binding.ts'
import { withCookie } from '../server/login/set-cookie.ts'
import { seeOther } from '../server/see-other.ts'
import type { Redirect, Told, Visit } from './page.ts'
import { seal, unseal, type Sealing } from './session/session.ts'

// A form that creates a secret is also answered by a redirect, so that a reload does not create another secret. The
// next page reads the secret from a sealed cookie, and deletes the cookie.

/** The lifetime of the cookie, which allows for a slow redirect. */
const SECONDS = 120
const NAME = 'console-once'

/** The answer to a form that was executed. */
export function redirected({ context, csrf, origin }: Visit, { to, once }: Redirect): Response {
  if (once === undefined) return seeOther(to)
  const value = seal(context.key, JSON.stringify({ to, told: once }), purpose(context, csrf))
  return withCookie(seeOther(to), cookie(origin, value, SECONDS))
}

/** The texts that the previous form left for this page; null if it left none. */
export function toldOnce(sealing: Sealing, request: Context<AppEnv>, csrf: string, origin: string): Told | null {
  const value = getCookie(request, cookie(origin, '', 0).name)
  const text = request.req.method === 'GET' ? unseal(sealing.key, value, purpose(sealing, csrf)) : null
  const kept: unknown = text === null ? null : JSON.parse(text)
  const { pathname, search } = new URL(request.req.url)
  return isObject(kept) && kept['to'] === pathname + search && isTold(kept['told']) ? kept['told'] : null
}

/** Deletes the cookie whose content the page has shown. */
export function withoutTold(answer: Response, { once, origin }: Visit): Response {
  return once === null ? answer : withCookie(answer, cookie(origin, '', 0))
}

function cookie(origin: string, value: string, seconds: number) {
  const secure = origin.startsWith('https:')
  return { name: cookieName(NAME, secure), value, seconds, secure }
}

/** The purpose of the seal. Another person who signs in with this browser cannot read the cookie. */
function purpose({ domain }: Sealing, csrf: string): string {
  return `console once ${domain.uuid} ${csrf}`
}

function isTold(value: unknown): value is Told {
  return isObject(value) && Object.values(value).every((one) => typeof one === 'string')
}
