import type { Hono } from 'hono'
import type { Right } from '../../auth/scopes.ts'
import type { Resolvers } from '../../graphql/resolvers.ts'
import { acting, actingForParts, type Actor } from '../../platform/access/actor.ts'
import { tokenHash } from '../../platform/access/token-hash.ts'
import { accessContext, contextOf } from '../access-context.ts'
import type { AppEnv } from '../app-env.ts'
import { HttpError } from '../error-response.ts'
import { resolversFor } from '../graphql/resolvers.ts'
import type { SubscriptionsParts } from '../graphql/subscriptions.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { Limits } from '../limits.ts'
import type { Logger } from '../logger.ts'
import { bearerToken } from '../middleware/bearer.ts'
import type { Platform } from '../platform.ts'
import { readBody } from '../read-body.ts'

export interface GraphqlRouteOptions {
  readonly platform: () => Platform
  readonly lifecycle: Lifecycle
  readonly logger: Logger
  readonly limits: Limits
}

export function graphqlRoute(app: Hono<AppEnv>, options: GraphqlRouteOptions): void {
  const { platform, lifecycle, logger, limits } = options
  const limit = { bytes: limits.importDocumentBytes, what: 'a GraphQL request with its import document' }
  let handler: ReturnType<typeof loadHandler> | undefined
  app.post('/graphql', async (context) => {
    checkMediaType(context.req.header('content-type'))
    // The largest part of what a start would otherwise load; a health check does not need it.
    handler ??= loadHandler({ platform: platform(), logger, limits, draining: lifecycle.draining })
    const body = await readBody(context, limit)
    const actor = context.get('actor')
    const { changes } = platform()
    const domainContext = { ...accessContext(platform(), context.get('domain')), actor: actor.name, changes }
    const { handle, subscriptions } = await handler
    const owner = {
      actor,
      domainId: domainContext.domain.id,
      tokenHash: tokenHash(bearerToken(context)),
      left: context.req.raw.signal,
      disconnect: () => context.env.outgoing?.destroy(),
    }
    const resolversOf = (acting: Actor) => {
      const bound = contextOf(domainContext, acting)
      return resolversFor(bound, acting, subscriptions.resolversFor(bound, { ...owner, actor: acting }))
    }
    return handle({
      body,
      ...resolversByRight(actor, resolversOf),
      caller: actor,
      traceId: context.get('traceId'),
      accept: context.req.header('accept'),
    })
  })
}

/** Few callers have roles within organizations: for all others one set of resolvers serves every operation. */
function resolversByRight(actor: Actor, resolversOf: (acting: Actor) => Resolvers) {
  const resolvers = resolversOf(actor)
  const parts = actingForParts(actor)
  const bound = new Map<Right, Resolvers>()
  const makeBound = (right: Right): Resolvers => {
    const made = bound.get(right) ?? resolversOf(acting(actor, right))
    bound.set(right, made)
    return made
  }
  return {
    resolvers: parts === actor ? resolvers : resolversOf(parts),
    resolversFor: (right: Right) => (actor.rights.has(right) ? resolvers : makeBound(right)),
  }
}

async function loadHandler(parts: SubscriptionsParts) {
  const [{ graphqlHandler }, { Subscriptions }] = await Promise.all([
    import('../graphql/handler.ts'),
    import('../graphql/subscriptions.ts'),
  ])
  return { handle: graphqlHandler(parts.logger), subscriptions: new Subscriptions(parts) }
}

/** A form or plain text could be sent by any page that a browser has open; JSON cannot without the server's consent. */
function checkMediaType(header: string | undefined): void {
  const [type, ...parameters] = (header ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.replaceAll('"', '')
  if (type === 'application/json' && (charset === undefined || charset === 'charset=utf-8')) return
  throw new HttpError('BAD_USER_INPUT', 415, 'Unsupported media type', 'the body must be application/json in UTF-8', {
    'accept-post': 'application/json',
  })
}
