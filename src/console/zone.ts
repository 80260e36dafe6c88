import type { Context, Hono } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'
import type { AppEnv } from '../server/app-env.ts'
import { readForm } from '../server/login/form.ts'
import { HttpError } from '../server/requests/error-response.ts'
import { seeOther } from '../server/see-other.ts'

/** The zone of the browser, which a script of the page writes down, and the one that the person wants to see. */
const BROWSER = 'holdfast-zone'
const WANTED = 'holdfast-zone-wanted'

const YEAR_SECONDS = 31_536_000

/** The IANA time zone in which times are shown; UTC where the browser has not said its own yet. */
export function zoneOf(request: Context<AppEnv>): string {
  const zone = getCookie(request, WANTED) === 'UTC' ? 'UTC' : (getCookie(request, BROWSER) ?? 'UTC')
  return canonicalZone(zone) ?? 'UTC'
}

/** One spelling of each zone, since formats of times are kept by it; null if there is no such zone. */
function canonicalZone(name: string): string | null {
  // Browsers name a zone. An offset such as +01:23 would be one of thousands.
  if (/^[-+\u2212]/.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

const SITE = 'http://console'

/** A path of this site as a browser reads it, which drops some characters; the first page for an address of another site. */
export function pathOfSite(to: string): string {
  if (/\p{Cc}/u.test(to))
    throw new HttpError('BAD_USER_INPUT', 400, 'Bad request', 'the address to return to is invalid')
  const url = URL.parse(to, SITE)
  if (url?.origin !== SITE) return '/'
  // A path that begins with two slashes would be the address of another site.
  return url.pathname.replace(/^\/+/, '/') + url.search + url.hash
}

/** The switch in the foot of every page. It tells nothing and changes nothing but what this browser shows. */
export function addZoneSwitch(app: Hono<AppEnv>): void {
  app.post('/console/zone', async (request) => {
    const form = await readForm(request)
    const answer = seeOther(pathOfSite(form('to') ?? '/'))
    const options = { path: '/', sameSite: 'Lax', maxAge: YEAR_SECONDS } as const
    answer.headers.append('set-cookie', generateCookie(WANTED, form('zone') === 'UTC' ? 'UTC' : 'local', options))
    return answer
  })
}
