import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Actor } from '../../platform/access/grants/actor.ts'
import type { SessionsInUse } from '../../platform/access/sessions/session-in-use.ts'
import type { AppEnv } from '../../server/app-env.ts'
import type { PageServices } from '../../server/page-services.ts'
import { errorFields } from '../../server/logger.ts'
import { HttpError } from '../../server/requests/error-response.ts'
import { openSession, sessionCookieName, type Session } from './session.ts'

export interface SignedIn {
  readonly session: Session
  readonly actor: Actor
}

export interface SessionServices extends PageServices {
  readonly sessionsInUse: SessionsInUse
}

/** Finds the person who is signed in, as the provider knows them at this moment; null if the browser has to sign in. */
export async function findSignedIn(services: SessionServices, request: Context<AppEnv>): Promise<SignedIn | null> {
  const session = findSession(services, request)
  if (session === null) return null
  const actor = await services.authenticate(session.token, services.access(request).domain)
  if (actor === null) return null
  await noteInUse(services, request, session)
  return { session, actor }
}

/** Where it cannot be written down, as on a full disk, the next use is, and what only looks goes on. */
export async function noteInUse(
  services: SessionServices,
  request: Context<AppEnv>,
  { token }: Pick<Session, 'token'>,
): Promise<void> {
  try {
    await services.sessionsInUse.note(services.access(request), token)
  } catch (error) {
    const traceId = request.get('traceId')
    services.logger.error({ traceId, ...errorFields(error) }, 'the use of a session could not be written down')
  }
}

/** Finds the session in the browser's cookie, which may have ended. */
export function findSession(services: PageServices, request: Context<AppEnv>): Session | null {
  // At an address with https only the cookie counts that no other host can set.
  const cookie = getCookie(request, sessionCookieName(services.issuer(request).startsWith('https:')))
  return openSession(services.access(request), cookie)
}

export function foreignForm(): HttpError {
  const message =
    'this form does not belong to this session; go back and copy your text, reload the page, and try again'
  return new HttpError('FORBIDDEN', 403, 'Not allowed', message)
}
