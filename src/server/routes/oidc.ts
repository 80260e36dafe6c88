import type { Context, Hono } from 'hono'
import type Provider from 'oidc-provider'
import type { AccessContext } from '../../platform/access/access-context.ts'
import type { AppEnv } from '../app-env.ts'
import { HttpError } from '../requests/error-response.ts'
import type { RequestState } from '../oidc/request-state.ts'
import type { Logger } from '../logger.ts'
import type { Throttle } from '../login/guard/throttle.ts'
import { readBody } from '../requests/read-body.ts'

export interface OidcPorts {
  access(request: Context<AppEnv>): AccessContext
  provider(request: Context<AppEnv>): Promise<Provider>
  clientAddress(request: Context<AppEnv>): string
  readonly logger: Logger
  readonly throttle: Throttle
}

/** All paths of the provider with their methods. OPTIONS is for pages on other origins (CORS). */
export const OIDC_PATHS: { readonly [path: string]: readonly string[] } = {
  '/.well-known/openid-configuration': ['GET', 'OPTIONS'],
  '/.well-known/oauth-authorization-server': ['GET', 'OPTIONS'],
  '/authenticate': ['GET'],
  '/authenticate/token': ['POST', 'OPTIONS'],
  '/authenticate/keys': ['GET', 'OPTIONS'],
  '/authenticate/userinfo': ['GET', 'POST', 'OPTIONS'],
  '/authenticate/revoke': ['POST', 'OPTIONS'],
  '/authenticate/introspect': ['POST', 'OPTIONS'],
  '/logout': ['GET'],
  '/logout/confirm': ['POST'],
  '/logout/success': ['GET'],
}

/** The path to which a browser returns from `/login`. */
export const RESUME_PATH = '/authenticate/:interaction{[\\w-]{20,64}}'

/** The form becomes a URL, and Node accepts no longer URL. */
const AUTHORIZATION_FORM = { bytes: 12_288, what: 'an authorization request' }

export function oidcRoutes(app: Hono<AppEnv>, ports: OidcPorts): void {
  const answer = (context: Context<AppEnv>) => answerByProvider(context, ports)
  app.post('/authenticate', asGet)
  for (const [path, methods] of Object.entries(OIDC_PATHS)) app.on([...methods], path, answer)
  app.get(RESUME_PATH, answer)
}

async function answerByProvider(context: Context<AppEnv>, ports: OidcPorts): Promise<Response> {
  // The code of the provider and of its library is loaded when someone signs in.
  const { mount } = await import('../oidc/mount.ts')
  return mount(context, await ports.provider(context), requestStateOf(context, ports))
}

export function requestStateOf(context: Context<AppEnv>, ports: OidcPorts): RequestState {
  const { logger, throttle } = ports
  const arrivedAt = ports.access(context).now()
  return { traceId: context.get('traceId'), arrivedAt, logger, throttle, address: ports.clientAddress(context) }
}

/**
 * Answers an authorization request in a form (OpenID Connect Core 1.0, section 3.1.2.1) with a redirect to GET. After
 * that the browser also sends its cookies, which SameSite=Lax withholds from forms of other sites.
 */
async function asGet(context: Context<AppEnv>): Promise<Response> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(context.req.header('content-type') ?? '')) {
    throw new HttpError('BAD_USER_INPUT', 415, 'Unsupported media type', 'send application/x-www-form-urlencoded')
  }
  const query = new URLSearchParams(Buffer.from(await readBody(context, AUTHORIZATION_FORM)).toString())
  // An authorization request has no secrets, and a URL must not contain any.
  for (const secret of ['client_secret', 'password', 'access_token']) query.delete(secret)
  return new Response(null, { status: 303, headers: { location: `/authenticate?${query.toString()}` } })
}
