import type { Hono } from 'hono'
import { accessContext } from '../access-context.ts'
import type { AppEnv } from '../app-env.ts'
import { HttpError } from '../error-response.ts'
import type { GraphqlHandler } from '../graphql/handler.ts'
import { resolversFor } from '../graphql/resolvers.ts'
import type { Limits } from '../limits.ts'
import type { Logger } from '../logger.ts'
import type { Platform } from '../platform.ts'
import { readBody } from '../read-body.ts'

export interface GraphqlRouteOptions {
  readonly platform: () => Platform
  readonly logger: Logger
  readonly limits: Limits
}

export function graphqlRoute(app: Hono<AppEnv>, { platform, logger, limits }: GraphqlRouteOptions): void {
  const limit = { bytes: limits.importDocumentBytes, what: 'a GraphQL request with its import document' }
  let handler: Promise<GraphqlHandler> | undefined
  app.post('/graphql', async (context) => {
    checkMediaType(context.req.header('content-type'))
    // The largest part of what a start would otherwise load; a health check does not need it.
    handler ??= import('../graphql/handler.ts').then(({ graphqlHandler }) => graphqlHandler(logger))
    const body = await readBody(context, limit)
    const actor = context.get('actor')
    const domainContext = { ...accessContext(platform(), context.get('domain')), actor: actor.name }
    const resolvers = resolversFor(domainContext, actor)
    const handle = await handler
    return handle({
      body,
      resolvers,
      caller: actor,
      traceId: context.get('traceId'),
      accept: context.req.header('accept'),
    })
  })
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
