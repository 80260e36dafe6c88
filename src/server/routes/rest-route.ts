import type { Context, Handler, Hono } from 'hono'
import { etag as ifChanged } from 'hono/etag'
import { missingRight, type Caller, type MissingRight } from '../../auth/require-right.ts'
import type { Right } from '../../auth/scopes.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { acting, hasSameReach, type Actor } from '../../platform/access/grants/actor.ts'
import { tokenHash } from '../../platform/access/sessions/token-hash.ts'
import type { DomainContext } from '../../platform/domain-context.ts'
import { contextOf, domainContext } from '../request-context.ts'
import type { AppEnv } from '../app-env.ts'
import type { Authenticate } from '../authenticate.ts'
import { deprecationHeaders, type Deprecation } from '../deprecation.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { bearerToken, identify, identifyAfterBody } from '../middleware/require-bearer.ts'
import { checkQuery, type OperationDescription } from '../openapi/operation.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { Logger } from '../logger.ts'
import type { Platform } from '../platform.ts'
import type { RememberedBearers } from '../remembered-bearers.ts'
import { HttpError } from '../requests/error-response.ts'
import type { HeldBodies } from '../requests/held-bytes.ts'
import type { Limits } from '../requests/limits.ts'

/**
 * A route of the REST API with its path, right, description and handler. The check of the right and of the query, the
 * rejection of other methods, the OpenAPI document and the tables of rights are derived from it.
 */
export interface RestRoute extends OperationDescription {
  readonly operation: `${'GET' | 'POST'} /rest/v1/${string}`
  /** The right that a token needs for the route. */
  readonly right: Right
  /** Whether a role within an organization is enough, because the route affects nothing outside of it. */
  readonly keepsWithin: boolean
  handle(services: RestServices): Handler<AppEnv>
}

/** A route that describes the API to everybody, without a token. */
export interface PublicRoute extends OperationDescription {
  readonly operation: `GET /${string}`
  handle(services: RestServices): Handler<AppEnv>
}

/** The services that the routes use. */
export interface RestServices {
  readonly platform: () => Platform
  readonly lifecycle: Lifecycle
  readonly logger: Logger
  readonly limits: Limits
  /** The bytes of batches in progress. */
  readonly held: HeldBodies
  readonly bearers: RememberedBearers
  readonly metrics?: Metrics | undefined
  /** All routes, for the OpenAPI document. */
  readonly routes: readonly (RestRoute | PublicRoute)[]
}

/** Must be called before the middleware that needs a token. */
export function addPublicRoutes(app: Hono<AppEnv>, routes: readonly PublicRoute[], services: RestServices): void {
  for (const { operation, handle, deprecated } of routes) {
    announce(app, operation, deprecated)
    app.get(operation.slice('GET '.length), ifChanged(), handle(services))
  }
}

export function addRestRoutes(app: Hono<AppEnv>, routes: readonly RestRoute[], services: RestServices): void {
  for (const route of routes) {
    const [method = '', path = ''] = route.operation.split(' ')
    const handler = route.handle(services)
    announce(app, route.operation, route.deprecated)
    app.on(method, path, (context, next) => {
      const actor = context.get('actor')
      requireRestRight(route, actor)
      checkQuery(new URL(context.req.url).searchParams, route.parameters ?? [])
      actFor(context, route, actor)
      return handler(context, next)
    })
  }
}

/** Adds the headers of a deprecated operation to each of its answers, including errors. */
function announce(app: Hono<AppEnv>, operation: string, deprecated: Deprecation | undefined): void {
  if (deprecated === undefined) return
  const [method = '', path = ''] = operation.split(' ')
  const headers = Object.entries(deprecationHeaders(deprecated))
  app.on(method, path, async (context, next) => {
    await next()
    for (const [name, value] of headers) context.res.headers.set(name, value)
  })
}

/** Returns the methods of each path. */
export function methodsByPath(routes: RestServices['routes']): ReadonlyMap<string, string> {
  const operations = routes.map(({ operation }) => operation.split(' '))
  const byPath = Map.groupBy(operations, ([, path = '']) => path)
  return new Map(
    [...byPath].map(([path, own]) => [
      path,
      own.map(([method = '']) => (method === 'GET' ? 'GET, HEAD' : method)).join(', '),
    ]),
  )
}

/** Lets the route act for the caller if the caller has the right. */
export function actFor(context: Context<AppEnv>, { right }: RestRoute, caller: Actor): void {
  context.set('caller', caller)
  context.set('actor', acting(caller, right))
}

/** Identifies the sender again after the body has arrived, because its rights may have changed meanwhile. */
export async function actAfterBody(
  context: Context<AppEnv>,
  route: RestRoute,
  authenticate: Authenticate,
): Promise<void> {
  context.set('actor', context.get('caller'))
  const caller = await identifyAfterBody(context, authenticate)
  requireRestRight(route, caller)
  actFor(context, route, caller)
}

/**
 * Identifies the sender of a long request again. It fails if the sender lost its right, or if its reach has changed,
 * because the request was resolved with the earlier reach.
 */
export async function requireStill(
  context: Context<AppEnv>,
  route: RestRoute,
  authenticate: Authenticate,
): Promise<void> {
  const now = await identify(context, authenticate)
  requireRestRight(route, now)
  if (hasSameReach(context.get('actor'), acting(now, route.right))) return
  throw new HoldfastError('FORBIDDEN', 'the systems that this account may access have changed; send the request again')
}

/** Returns the context in which the route acts for its caller. */
export function contextFor(platform: Platform, context: Context<AppEnv>): DomainContext {
  const actor = context.get('actor')
  const hash = tokenHash(bearerToken(context))
  return contextOf(domainContext(platform, context.get('domain'), actor, hash), actor)
}

export function requireRestRight({ operation, right, keepsWithin }: RestRoute, caller: Caller): void {
  const missing = missingRight(operation, right, caller, keepsWithin)
  if (missing !== null) throw insufficientScope(missing)
}

/** Returns the answer for a missing right (RFC 6750, section 3.1). It names the narrowest scope that is enough. */
export function insufficientScope({ message, enough }: MissingRight): HttpError {
  const scope = enough[0] === undefined ? '' : `, scope="${enough[0]}"`
  return new HttpError('FORBIDDEN', 403, 'Not allowed', message, {
    'www-authenticate': `Bearer realm="holdfast", error="insufficient_scope"${scope}`,
  })
}
