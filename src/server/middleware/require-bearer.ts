import type { Context, MiddlewareHandler } from 'hono'
import { HoldfastError } from '../../lib/errors.ts'
import type { Actor } from '../../platform/access/grants/actor.ts'
import type { Domain } from '../../store/domains.ts'
import type { AppEnv } from '../app-env.ts'
import type { Authenticate } from '../authenticate.ts'
import { HttpError } from '../requests/error-response.ts'

const REALM = 'Bearer realm="holdfast"'
const INVALID = `${REALM}, error="invalid_token"`

/** RFC 6750, section 2.1. Tokens in the query or the body are not accepted, because those end up in logs. */
const BEARER = /^bearer +([\w.~+/-]+=*) *$/i

/** Looks up the bearer token with the authenticator of the path. */
export function requireBearer(authenticateFor: (path: string) => Authenticate): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    context.set('actor', await identify(context, authenticateFor(context.req.path)))
    context.set('identifiedAt', performance.now())
    await next()
  }
}

/** Identifies the actor again by the request's token. Long requests call this repeatedly. */
export function identify(context: Context<AppEnv>, authenticate: Authenticate): Promise<Actor> {
  return identifyBy(context.req.header('authorization'), context.get('domain'), authenticate)
}

const OTHER_SCHEME =
  'the Authorization header has another scheme than "Bearer"; get an access token at /authenticate/token, and send "Authorization: Bearer TOKEN"'

/** Identifies the actor by the Authorization header. */
export async function identifyBy(
  header: string | undefined,
  domain: Domain,
  authenticate: Authenticate,
): Promise<Actor> {
  if (header === undefined) throw unauthenticated('this needs a bearer token in the Authorization header', REALM)
  // Another scheme counts as no credential (RFC 6750, section 3.1), so its challenge names no error.
  if (!/^bearer(?: |$)/i.test(header)) throw unauthenticated(OTHER_SCHEME, REALM)
  const token = tokenIn(header)
  const actor = token === undefined ? null : await authenticate(token, domain).catch(refuse)
  if (actor === null) throw unauthenticated('the bearer token is invalid, expired or revoked', INVALID)
  return actor
}

/** The longest time between the look-up of the token and the operation, in milliseconds. */
const SOON_MS = 250

/**
 * Must be called after a body has arrived. The sender decides how long the body takes, and may lose rights in the
 * meantime. If the body was fast, the token is not looked up again.
 */
export async function identifyAfterBody(context: Context<AppEnv>, authenticate: Authenticate): Promise<Actor> {
  const known = context.get('actor')
  if (performance.now() - context.get('identifiedAt') < SOON_MS) return known
  const actor = await identify(context, authenticate)
  context.set('actor', actor)
  return actor
}

function tokenIn(header: string): string | undefined {
  return BEARER.exec(header)?.[1]
}

/** Returns the token of an accepted request; empty if the request had none. */
export function bearerToken(context: Context<AppEnv>): string {
  return tokenIn(context.req.header('authorization') ?? '') ?? ''
}

/** Explains what is wrong with a token of another provider. The holder of the token may know that. */
function refuse(error: unknown): never {
  if (!(error instanceof HoldfastError) || error.code !== 'UNAUTHENTICATED') throw error
  // The details for administrators only go into the log.
  throw Object.assign(unauthenticated(error.message, INVALID), { cause: error.cause })
}

function unauthenticated(message: string, challenge: string): HttpError {
  return new HttpError('UNAUTHENTICATED', 401, 'Not signed in', message, { 'www-authenticate': challenge })
}
