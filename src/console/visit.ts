import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Right } from '../auth/scopes.ts'
import { acting, type Actor } from '../platform/access/grants/actor.ts'
import type { AppEnv } from '../server/app-env.ts'
import type { PageServices } from '../server/pages.ts'
import { contextOf, domainContext } from '../server/request-context.ts'
import { zoneOf } from './frame/zone.ts'
import type { Visit } from './page.ts'
import { issueShortToken } from './session/short-token.ts'
import { openSession, sessionCookieName, type Session } from './session/session.ts'

export interface SignedIn {
  readonly session: Session
  readonly actor: Actor
}

/** Who is signed in, as the provider knows it at this moment; null where the browser has to sign in. */
export async function findSignedIn(services: PageServices, request: Context<AppEnv>): Promise<SignedIn | null> {
  const access = services.access(request)
  // Which of the two it is depends on the address that people use, and neither opens what was sealed for the other.
  const cookie = getCookie(request, sessionCookieName(true)) ?? getCookie(request, sessionCookieName(false))
  const session = openSession(access, cookie)
  if (session === null) return null
  const actor = await services.authenticate(session.token, access.domain)
  return actor === null ? null : { session, actor }
}

/** What a page is shown with: the person, restricted to where the right counts that the page needs. */
export function visitOf(
  services: PageServices,
  request: Context<AppEnv>,
  { session, actor: caller }: SignedIn,
  right: Right,
): Visit {
  const platform = services.platform()
  const actor = acting(caller, right)
  return {
    request,
    context: contextOf(domainContext(platform, request.get('domain'), actor), actor),
    actor,
    caller,
    platform,
    url: new URL(request.req.url),
    csrf: session.csrf,
    zone: zoneOf(request),
    now: platform.now(),
    issueToken: (scope) => issueShortToken(services, request, session.token, scope),
    param: (name) => request.req.param(name) ?? '',
  }
}
