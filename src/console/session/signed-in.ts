import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Actor } from '../../platform/access/grants/actor.ts'
import type { AppEnv } from '../../server/app-env.ts'
import type { PageServices } from '../../server/page-services.ts'
import { openSession, sessionCookieName, type Session } from './session.ts'

export interface SignedIn {
  readonly session: Session
  readonly actor: Actor
}

/** Who is signed in, as the provider knows it at this moment; null where the browser has to sign in. */
export async function findSignedIn(services: PageServices, request: Context<AppEnv>): Promise<SignedIn | null> {
  const access = services.access(request)
  // At an address with https only the cookie counts that no other host can set.
  const cookie = getCookie(request, sessionCookieName(services.issuer(request).startsWith('https:')))
  const session = openSession(access, cookie)
  if (session === null) return null
  const actor = await services.authenticate(session.token, access.domain)
  return actor === null ? null : { session, actor }
}
