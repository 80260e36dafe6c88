import type { Context, Hono } from 'hono'
import { loadedOnce } from '../../lib/loaded-once.ts'
import type { Actor } from '../../platform/access/grants/actor.ts'
import { tokenHash } from '../../platform/access/sessions/token-hash.ts'
import { domainContext } from '../request-context.ts'
import type { AppEnv } from '../app-env.ts'
import { HttpError } from '../requests/error-response.ts'
import { accessLog } from '../access-log.ts'
import { graphqlContext } from '../graphql/call.ts'
import { disconnecter } from '../graphql/subscriptions/open-streams.ts'
import type { OpenSubscriptions } from '../graphql/subscriptions/open-subscriptions.ts'
import type { Limits } from '../requests/limits.ts'
import type { Logger } from '../logger.ts'
import { gauge } from '../metrics/exposition.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { bearerToken, identifyAfterBody } from '../middleware/require-bearer.ts'
import type { Platform } from '../platform.ts'
import { readMediaType } from '../requests/media-type.ts'
import type { HeldBodies, Hold } from '../requests/held-bytes.ts'
import { readBody, type BodyLimit } from '../requests/read-body.ts'

export interface GraphqlRouteOptions {
  readonly platform: () => Platform
  readonly logger: Logger
  readonly limits: Limits
  readonly held: HeldBodies
  readonly metrics?: Metrics | undefined
  readonly subscriptions: OpenSubscriptions
}

export function graphqlRoute(app: Hono<AppEnv>, options: GraphqlRouteOptions): void {
  const { platform, logger, limits, held, metrics, subscriptions } = options
  // The handler is loaded on first use. It is the largest module, and health checks do not need it.
  const handler = loadedOnce(() => loadHandler(logger))
  metrics?.add(() => [gauge('holdfast_open_streams', 'Subscriptions that are open.', subscriptions.count)])
  const answer = async (context: Context<AppEnv>, hold: Hold) => {
    checkMediaType(context.req.header('content-type'))
    const loading = handler()
    const token = bearerToken(context)
    const body = await readBody(context, limitFor(context.get('actor'), limits), hold)
    const actor = await identifyAfterBody(context, platform().authenticate)
    const { heavy } = platform()
    const traceId = context.get('traceId')
    const accept = context.req.header('accept')
    const left = context.req.raw.signal
    const { handle, readRequest, isHeavy, isMutation, contextFor } = await loading
    const request = body.length > limits.requestBytes && heavy !== undefined ? null : readRequest(body)
    if (request === null || isMutation(request)) context.get('beginChange')(actor)
    if (heavy !== undefined && (request === null || isHeavy(request)))
      return heavy.answer(
        { body, domain: context.get('domain'), actor, tokenHash: tokenHash(token), traceId, accept },
        left,
      )
    const domain = context.get('domain')
    const asked = request ?? readRequest(body)
    const hash = tokenHash(token)
    const call = {
      context: contextFor({ ...domainContext(platform(), domain, actor, hash), left }, asked),
      actor,
      tokenHash: hash,
      noteAccessChange: accessLog(logger, { traceId, domain, actor }),
      streams: await subscriptions.streamsFor({ left, disconnect: disconnecter(context.env.outgoing) }),
    }
    return handle({ asked, ...graphqlContext(call), traceId, accept, holdMessage: context.get('holdMessages')(actor) })
  }
  app.post('/graphql', (context) => held.during(context.get('actor'), (hold) => answer(context, hold)))
}

/** Returns the size limit of a request. Tokens that may not import documents have the small limit. */
function limitFor({ rights }: Actor, { importDocumentBytes, requestBytes }: Limits): BodyLimit {
  if (rights.has('model:plan') || rights.has('model:apply'))
    return { bytes: importDocumentBytes, what: 'a GraphQL request with an import document' }
  return { bytes: requestBytes, what: 'a GraphQL request by a token that may neither plan nor apply' }
}

async function loadHandler(logger: Logger) {
  const [{ graphqlHandler }, reading] = await Promise.all([
    import('../graphql/requests/handler.ts'),
    import('../graphql/requests/read-request.ts'),
  ])
  return { ...reading, handle: graphqlHandler(logger) }
}

/**
 * Accepts only JSON, which browsers do not send to other sites without consent (CORS). Any website could send a form or
 * plain text.
 */
function checkMediaType(header: string | undefined): void {
  const { type, isUtf8 } = readMediaType(header)
  if (type === 'application/json' && isUtf8) return
  throw new HttpError('BAD_USER_INPUT', 415, 'Unsupported media type', 'the body must be application/json in UTF-8', {
    'accept-post': 'application/json',
  })
}
