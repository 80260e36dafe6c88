import type { Context, Hono } from 'hono'
import { generateCookie, getCookie } from 'hono/cookie'
import type { AppEnv } from '../../server/app-env.ts'
import { readForm } from '../../server/login/form.ts'
import { seeOther } from '../../server/see-other.ts'

const COOKIE = 'holdfast-keys'
const YEAR_SECONDS = 31_536_000

/** Whether the person has switched off single-key shortcuts, which disturb people who use speech input (WCAG 2.1.4). */
export function keysAreOff(request: Context<AppEnv>): boolean {
  return getCookie(request, COOKIE) === 'off'
}

/** The switch on the page of the keys. It only affects this browser. */
export function addKeysSwitch(app: Hono<AppEnv>): void {
  app.post('/console/keys', async (request) => {
    const form = await readForm(request)
    const options = { path: '/', sameSite: 'Lax', maxAge: YEAR_SECONDS } as const
    const answer = seeOther('/keys')
    answer.headers.append('set-cookie', generateCookie(COOKIE, form('keys') === 'off' ? 'off' : 'on', options))
    return answer
  })
}
