import type { Context, Hono } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'
import type { AppEnv } from '../server/app-env.ts'
import { readForm } from '../server/login/form.ts'
import { HttpError } from '../server/requests/error-response.ts'
import { seeOther } from '../server/see-other.ts'

/** The cookies for the zone of the browser, which a script sets, and for the zone that the person chose. */
const BROWSER = 'holdfast-zone'
const WANTED = 'holdfast-zone-wanted'

const YEAR_SECONDS = 31_536_000

/** The IANA time zone in which times are shown; UTC until the browser has sent its own. */
export function zoneOf(request: Context<AppEnv>): string {
  const zone = getCookie(request, WANTED) === 'UTC' ? 'UTC' : (getCookie(request, BROWSER) ?? 'UTC')
  return canonicalZone(zone) ?? 'UTC'
}

/** The canonical name of a zone, or null. Formats are cached by zone, so each zone has one spelling. */
function canonicalZone(name: string): string | null {
  // Browsers send names. Offsets such as +01:23 are rejected, because there are thousands.
  if (/^[-+\u2212]/.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

const SITE = 'http://console'

/** A path of this site as browsers parse it (without some characters); the first page for other sites. */
export function pathOfSite(to: string): string {
  if (/\p{Cc}/u.test(to))
    throw new HttpError('BAD_USER_INPUT', 400, 'Bad request', 'the address to return to is invalid')
  const url = URL.parse(to, SITE)
  if (url?.origin !== SITE) return '/'
  // A path that begins with two slashes would lead to another site.
  return url.pathname.replace(/^\/+/, '/') + url.search + url.hash
}

/** The switch of the time zone in the foot of every page. It only affects this browser. */
export function addZoneSwitch(app: Hono<AppEnv>): void {
  app.post('/console/zone', async (request) => {
    const form = await readForm(request)
    const answer = seeOther(pathOfSite(form('to') ?? '/'))
    const options = { path: '/', sameSite: 'Lax', maxAge: YEAR_SECONDS } as const
    answer.headers.append('set-cookie', generateCookie(WANTED, form('zone') === 'UTC' ? 'UTC' : 'local', options))
    return answer
  })
}
