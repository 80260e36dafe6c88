import type { Hono } from 'hono'
import { missingRight } from '../../auth/require-right.ts'
import { readerOf } from '../../plan/withhold.ts'
import { tokenHash } from '../../platform/access/sessions/token-hash.ts'
import type { Actor } from '../../platform/access/grants/actor.ts'
import { domainContext } from '../access-context.ts'
import type { AppEnv } from '../app-env.ts'
import { readImportOrder } from '../import/import-order.ts'
import type { Limits } from '../requests/limits.ts'
import { bearerToken } from '../middleware/bearer.ts'
import type { Platform } from '../process/platform.ts'
import { readBody } from '../requests/read-body.ts'
import { actAfterBody, insufficientScope, restRoute } from './rest-route.ts'

export interface ImportRouteOptions {
  readonly platform: () => Platform
  readonly limits: Limits
}

const IMPORT = 'POST /rest/v1/import'

/** An import without Git: the plan of a document, and its apply (docs/decisions/0026). */
export function importRoute(app: Hono<AppEnv>, { platform, limits }: ImportRouteOptions): void {
  restRoute(app, IMPORT, async (context) => {
    const order = readImportOrder(new URL(context.req.url).searchParams, {
      contentType: context.req.header('content-type'),
      accept: context.req.header('accept'),
      idempotencyKey: context.req.header('idempotency-key'),
    })
    const requireApply = () => order.apply !== null && requireRightToApply(context.get('caller'))
    requireApply()
    const body = await readBody(context, { bytes: limits.importDocumentBytes, what: 'an import document' })
    await actAfterBody(context, IMPORT, platform().authenticate)
    requireApply()
    const [domain, actor, traceId] = [context.get('domain'), context.get('caller'), context.get('traceId')]
    const { heavy } = platform()
    const left = context.req.raw.signal
    if (heavy !== undefined)
      return heavy.answer({ body, order, domain, actor, tokenHash: tokenHash(bearerToken(context)), traceId }, left)
    const { answerImport } = await import('../import/answer-import.ts')
    const bound = { ...domainContext(platform(), domain, actor), left }
    return answerImport({ context: bound, reader: readerOf(actor), order, body, traceId })
  })
}

function requireRightToApply(caller: Actor): void {
  const missing = missingRight(`${IMPORT} with apply`, 'model:apply', caller)
  if (missing !== null) throw insufficientScope(missing)
}
