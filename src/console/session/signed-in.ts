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

/** Finds the person who is signed in, in the provider's present state; null if the browser must sign in. */
export async function findSignedIn(services: SessionServices, request: Context<AppEnv>): Promise<SignedIn | null> {
  const session = findSession(services, request)
  if (session === null) return null
  const actor = await services.authenticate(session.token, services.access(request).domain)
  if (actor === null) return null
  await noteInUse(services, request, session)
  request.set('visitor', actor)
  return { session, actor }
}

/**
 * Notes that the session is in use. If the note cannot be written, such as on a full disk, a reading request continues,
 * and the next request tries again.
 */
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

/** Finds the session in the browser's cookie. The session may have ended. */
export function findSession(services: PageServices, request: Context<AppEnv>): Session | null {
  // Under https, only a cookie with a prefix that other hosts cannot set is accepted.
  const cookie = getCookie(request, sessionCookieName(services.issuer(request).startsWith('https:')))
  return openSession(services.access(request), cookie)
}

export function signedOut(): HttpError {
  return new HttpError('UNAUTHENTICATED', 401, 'Signed out', 'nobody is signed in any more; reload the page')
}

export function foreignForm(): HttpError {
  const message =
    'this form does not belong to this session; go back and copy your text, reload the page, and try again'
  return new HttpError('FORBIDDEN', 403, 'Not allowed', message)
}
