import type { Context, Handler, Hono } from 'hono'
import { missingRight, type Caller, type MissingRight } from '../../auth/require-right.ts'
import { KEEPS_WITHIN, REST_RIGHTS, type RestOperation } from '../../auth/rest-rights.ts'
import { acting, type Actor } from '../../platform/access/grants/actor.ts'
import type { AppEnv } from '../app-env.ts'
import type { Authenticate } from '../authenticate.ts'
import { HttpError } from '../requests/error-response.ts'
import { identifyAfterBody } from '../middleware/bearer.ts'

/** A route of the REST API. It cannot be made without the right that it needs, and is not entered without that. */
export function restRoute(app: Hono<AppEnv>, operation: RestOperation, handler: Handler<AppEnv>): void {
  const [method = '', path = ''] = operation.split(' ')
  app.on(method, path, (context, next) => {
    const actor = context.get('actor')
    requireRestRight(operation, actor)
    actFor(context, operation, actor)
    return handler(context, next)
  })
}

/** From here on the route acts for the caller, where the caller has the right to. */
export function actFor(context: Context<AppEnv>, operation: RestOperation, caller: Actor): void {
  context.set('caller', caller)
  context.set('actor', acting(caller, REST_RIGHTS[operation]))
}

/** Once the body has come in: as whoever its sender is by now. */
export async function actAfterBody(
  context: Context<AppEnv>,
  operation: RestOperation,
  authenticate: Authenticate,
): Promise<void> {
  context.set('actor', context.get('caller'))
  const caller = await identifyAfterBody(context, authenticate)
  requireRestRight(operation, caller)
  actFor(context, operation, caller)
}

export function requireRestRight(operation: RestOperation, caller: Caller): void {
  const missing = missingRight(operation, REST_RIGHTS[operation], caller, KEEPS_WITHIN.has(operation))
  if (missing !== null) throw insufficientScope(missing)
}

/** RFC 6750, section 3.1. A client that asks for the scope it is told here gets what it needs and no more. */
export function insufficientScope({ message, enough }: MissingRight): HttpError {
  const scope = enough[0] === undefined ? '' : `, scope="${enough[0]}"`
  return new HttpError('FORBIDDEN', 403, 'Not allowed', message, {
    'www-authenticate': `Bearer realm="holdfast", error="insufficient_scope"${scope}`,
  })
}
