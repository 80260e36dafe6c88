import type { Context } from 'hono'
import { serviceChange } from '../../platform/service-change.ts'
import type { IngestResult } from '../../platform/datapoints/ingest.ts'
import type { AppEnv } from '../app-env.ts'

export interface BatchAnswer {
  readonly isLenient: boolean
  /** The status for a batch that was stored as a whole. The answer has no body. */
  readonly success: 201 | 204
  /** The name of one element, and of several. */
  readonly what: readonly [one: string, many: string]
}

/** Answers a batch that was stored as a whole, in part, or not at all (contract, section 4). */
export function answerBatch(
  context: Context<AppEnv>,
  { cursor, errors, errorCount, overwritten = 0, stored }: IngestResult,
  { isLenient, success, what: [one, many] }: BatchAnswer,
): Response {
  const change = {
    'x-service-change': serviceChange(context.get('domain'), cursor),
    ...(overwritten > 0 && { 'x-overwritten-points': String(overwritten) }),
  }
  if (errorCount === 0) {
    // An answer with status 204 has no length (RFC 9110, section 8.6).
    const length = success === 204 ? {} : { 'content-length': '0' }
    return new Response(null, { status: success, headers: { ...length, ...change } })
  }
  const traceId = context.get('traceId')
  if (isLenient) return context.json({ stored, errorCount, errors, traceId }, 207, change)
  const problem = {
    type: 'about:blank',
    ...statusOf(errors),
    detail: `${errorCount === 1 ? `one ${one} is` : `${errorCount} ${many} are`} wrong; nothing was stored`,
    traceId,
    errorCount,
    errors,
  }
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json' },
  })
}

/**
 * The status of the errors. Missing rights take precedence over wrong elements, and these over answers that come too
 * late.
 */
function statusOf(errors: IngestResult['errors']) {
  if (errors.some(({ code }) => code === 'not-allowed')) return { title: 'Not allowed', status: 403, code: 'FORBIDDEN' }
  if (errors.every(({ code }) => code === 'wrong-state')) return { title: 'Conflict', status: 409, code: 'CONFLICT' }
  return { title: 'Unprocessable content', status: 422, code: 'BAD_USER_INPUT' }
}
