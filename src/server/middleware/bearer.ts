import type { Context, MiddlewareHandler } from 'hono'
import { HoldfastError } from '../../lib/errors.ts'
import type { Actor } from '../../platform/access/grants/actor.ts'
import type { AppEnv } from '../app-env.ts'
import type { Authenticate } from '../authenticate.ts'
import { HttpError } from '../requests/error-response.ts'
import type { Platform } from '../process/platform.ts'

const REALM = 'Bearer realm="holdfast"'
const INVALID = `${REALM}, error="invalid_token"`

/** RFC 6750, section 2.1. A token in the query or the body is not looked for: those end up in logs. */
const BEARER = /^bearer +([\w.~+/-]+=*) *$/i

/** `remember` may answer in place of the platform for a while. Where an actor is known already, nothing is asked. */
export function bearer(
  platform: () => Platform,
  remember: (authenticate: Authenticate) => Authenticate = (authenticate) => authenticate,
): MiddlewareHandler<AppEnv> {
  let authenticate: Authenticate | undefined
  return async (context, next) => {
    if ((context.get('actor') as Actor | undefined) !== undefined) return next()
    authenticate ??= remember((token, domain) => platform().authenticate(token, domain))
    context.set('actor', await identify(context, authenticate))
    context.set('identifiedAt', performance.now())
    await next()
  }
}

/** On whose behalf a request is made, by its token as it is now. A request that lasts asks again. */
export async function identify(context: Context<AppEnv>, authenticate: Authenticate): Promise<Actor> {
  const header = context.req.header('authorization')
  if (header === undefined) throw unauthenticated('this needs a bearer token in the Authorization header', REALM)
  const token = tokenIn(header)
  const actor = token === undefined ? null : await authenticate(token, context.get('domain')).catch(refuse)
  if (actor === null) throw unauthenticated('the bearer token is not valid, or not any more', INVALID)
  return actor
}

/** So much may pass between looking somebody up and doing what they ask. */
const SOON_MS = 250

/**
 * To be asked once a body has come in: its sender decides how long that takes, and can be shut out meanwhile. Whoever was
 * not slow is not looked up again.
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

/** Of a request that has come so far; empty where it is let in without one. */
export function bearerToken(context: Context<AppEnv>): string {
  return tokenIn(context.req.header('authorization') ?? '') ?? ''
}

/** What is wrong with a token of another provider is for whoever holds it to know. */
function refuse(error: unknown): never {
  if (!(error instanceof HoldfastError) || error.code !== 'UNAUTHENTICATED') throw error
  // What only administrators may know is for the log.
  throw Object.assign(unauthenticated(error.message, INVALID), { cause: error.cause })
}

function unauthenticated(message: string, challenge: string): HttpError {
  return new HttpError('UNAUTHENTICATED', 401, 'Not signed in', message, { 'www-authenticate': challenge })
}
