import type { Hono } from 'hono'
import { signOutByToken } from '../../platform/access/sessions/sessions.ts'
import type { AppEnv } from '../../server/app-env.ts'
import { isCsrf } from '../../server/login/csrf.ts'
import { readForm } from '../../server/login/form.ts'
import { withCookie } from '../../server/login/set-cookie.ts'
import type { PageServices } from '../../server/page-services.ts'
import { sessionCookieName } from './session.ts'
import { seeOther } from '../../server/see-other.ts'
import { findSession, foreignForm } from './signed-in.ts'

export const SIGN_OUT = '/console/sign-out'

/**
 * Signs the person out here and at the provider. The sign-out page of the provider cannot do this: it needs a cookie
 * that expires an hour after the sign-in, but people use the console all day.
 */
export function addSignOut(app: Hono<AppEnv>, services: PageServices): void {
  app.post(SIGN_OUT, async (request) => {
    const session = findSession(services, request)
    if (session === null) return seeOther('/logout/success')
    const form = await readForm(request)
    if (!isCsrf(form('csrf'), session.csrf)) throw foreignForm()
    await signOutByToken(services.access(request), session.token)
    const secure = services.issuer(request).startsWith('https:')
    return withCookie(seeOther('/logout/success'), { name: sessionCookieName(secure), value: '', seconds: 0, secure })
  })
}
