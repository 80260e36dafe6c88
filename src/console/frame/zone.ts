import type { Context, Hono } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'
import type { AppEnv } from '../../server/app-env.ts'
import { readForm } from '../../server/login/form.ts'
import { seeOther } from '../session/sign-in.ts'

/** The zone of the browser, which a script of the page writes down, and the one that the person wants to see. */
const BROWSER = 'holdfast-zone'
const WANTED = 'holdfast-zone-wanted'

const YEAR_SECONDS = 31_536_000

/** The IANA time zone in which times are shown; UTC where the browser has not said its own yet. */
export function zoneOf(request: Context<AppEnv>): string {
  const zone = getCookie(request, WANTED) === 'UTC' ? 'UTC' : (getCookie(request, BROWSER) ?? 'UTC')
  return canonicalZone(zone) ?? 'UTC'
}

/** One spelling of each zone, since formats of times are kept by it; null where there is no such zone. */
function canonicalZone(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** The switch in the foot of every page. It tells nothing and changes nothing but what this browser shows. */
export function addZoneSwitch(app: Hono<AppEnv>): void {
  app.post('/console/zone', async (request) => {
    const form = await readForm(request)
    const to = form('to') ?? '/'
    // A path of this site, and not the address of another one.
    const answer = seeOther(/^\/(?![/\\])/.test(to) ? to : '/')
    const options = { path: '/', sameSite: 'Lax', maxAge: YEAR_SECONDS } as const
    answer.headers.append('set-cookie', generateCookie(WANTED, form('zone') === 'UTC' ? 'UTC' : 'local', options))
    return answer
  })
}
