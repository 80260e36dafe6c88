import type { Context, Handler } from 'hono'
import { missingRight } from '../../auth/require-right.ts'
import { readerOf } from '../../plan/withhold.ts'
import { tokenHash } from '../../platform/access/sessions/token-hash.ts'
import type { Actor } from '../../platform/access/grants/actor.ts'
import { domainContext } from '../request-context.ts'
import type { AppEnv } from '../app-env.ts'
import { accessLog } from '../access-log.ts'
import { DOCUMENT_TYPES, IMPORT_PARAMETERS, readImportOrder } from '../import/import-order.ts'
import { bearerToken } from '../middleware/require-bearer.ts'
import type { Hold } from '../requests/held-bytes.ts'
import { readBody } from '../requests/read-body.ts'
import { answer, IMPORT_PROBLEMS, json, PLAN_DIGEST } from '../openapi/responses.ts'
import { ref } from '../openapi/schemas.ts'
import { actAfterBody, insufficientScope, type RestRoute, type RestServices } from './rest-route.ts'

/** Imports without Git: returns the plan of a document, or applies it (docs/decisions/0026). */
export const IMPORT: RestRoute = {
  operation: 'POST /rest/v1/import',
  right: 'model:plan',
  keepsWithin: false,
  operationId: 'importDocument',
  tag: 'Data model',
  summary: 'Plan an import document, or apply it',
  description:
    'Returns the plan of the document, and changes nothing. With `apply` and the digest of that plan, it applies the plan as a whole, if it is still the same; this needs the right `model:apply`. Record types that the document lacks are left alone.',
  parameters: IMPORT_PARAMETERS,
  requestBody: {
    required: true,
    content: {
      [DOCUMENT_TYPES[0]]: {
        schema: ref('ImportDocument'),
        examples: {
          one: { summary: 'One data source', value: { dataSources: [{ code: 'weather', name: 'Weather' }] } },
        },
      },
      [DOCUMENT_TYPES[1]]: { schema: { type: 'string' } },
    },
  },
  responses: {
    200: answer(
      'The plan, in the accepted form; or the apply.',
      {
        ...json({ anyOf: [ref('Plan'), ref('Apply')] }),
        'text/plain': { schema: { type: 'string' } },
        'text/markdown': { schema: { type: 'string' } },
      },
      PLAN_DIGEST,
    ),
    ...IMPORT_PROBLEMS,
  },
  handle: importDocument,
}

function importDocument(services: RestServices): Handler<AppEnv> {
  return (context) => services.held.during(context.get('caller'), (hold) => answerTo(context, services, hold))
}

async function answerTo(context: Context<AppEnv>, { platform, limits, logger }: RestServices, hold: Hold) {
  const order = readImportOrder(new URL(context.req.url).searchParams, {
    contentType: context.req.header('content-type'),
    accept: context.req.header('accept'),
    idempotencyKey: context.req.header('idempotency-key'),
  })
  const requireApply = () => order.apply !== null && requireRightToApply(context.get('caller'))
  requireApply()
  const body = await readBody(context, { bytes: limits.importDocumentBytes, what: 'an import document' }, hold)
  await actAfterBody(context, IMPORT, platform().authenticate)
  requireApply()
  const [domain, actor, traceId] = [context.get('domain'), context.get('caller'), context.get('traceId')]
  const { heavy } = platform()
  const left = context.req.raw.signal
  const hash = tokenHash(bearerToken(context))
  if (heavy !== undefined) return heavy.answer({ body, order, domain, actor, tokenHash: hash, traceId }, left)
  const { answerImport } = await import('../import/answer-import.ts')
  const bound = { ...domainContext(platform(), domain, actor, hash), left }
  const noteAccessChange = accessLog(logger, { traceId, domain, actor })
  return answerImport({ context: bound, reader: readerOf(actor), order, body, traceId, noteAccessChange })
}

function requireRightToApply(caller: Actor): void {
  const missing = missingRight(`${IMPORT.operation} with apply`, 'model:apply', caller)
  if (missing !== null) throw insufficientScope(missing)
}
