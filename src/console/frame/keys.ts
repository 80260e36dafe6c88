import type { Context, Hono } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'
import type { AppEnv } from '../../server/app-env.ts'
import { readForm } from '../../server/login/form.ts'
import { seeOther } from '../../server/see-other.ts'

const COOKIE = 'holdfast-keys'
const YEAR_SECONDS = 31_536_000

/** Tells whether the person has switched off the keys that act alone, as those who speak to their browser have to (WCAG 2.1.4). */
export function keysAreOff(request: Context<AppEnv>): boolean {
  return getCookie(request, COOKIE) === 'off'
}

/** The switch on the page of the keys. It changes nothing but what this browser does. */
export function addKeysSwitch(app: Hono<AppEnv>): void {
  app.post('/console/keys', async (request) => {
    const form = await readForm(request)
    const options = { path: '/', sameSite: 'Lax', maxAge: YEAR_SECONDS } as const
    const answer = seeOther('/keys')
    answer.headers.append('set-cookie', generateCookie(COOKIE, form('keys') === 'off' ? 'off' : 'on', options))
    return answer
  })
}
