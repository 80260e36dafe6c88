import type { Context } from 'hono'
import { serviceChange } from '../../platform/service-change.ts'
import type { ErrorCode } from '../../lib/errors.ts'
import type { IngestResult } from '../../platform/datapoints/ingest/sent-batch.ts'
import type { AppEnv } from '../app-env.ts'
import type { Domain } from '../../store/domains.ts'
import { problemType } from '../requests/error-kinds.ts'
import { responseOf, type Reply } from '../requests/reply.ts'

export interface BatchAnswer {
  readonly isLenient: boolean
  /** The status if the whole batch was stored. The answer has no body. */
  readonly success: 201 | 204
  /** The name of one element, and of several. */
  readonly what: readonly [one: string, many: string]
}

/** The request that is answered. */
export interface Answered {
  readonly domain: Domain
  readonly traceId: string
}

export function answerBatch(context: Context<AppEnv>, result: IngestResult, answer: BatchAnswer): Response {
  return responseOf(batchReply({ domain: context.get('domain'), traceId: context.get('traceId') }, result, answer))
}

/** Answers a batch that was stored completely, partly, or not at all. */
export function batchReply(
  { domain, traceId }: Answered,
  { cursor, errors, errorCount, overwritten = 0, stored }: IngestResult,
  { isLenient, success, what: [one, many] }: BatchAnswer,
): Reply {
  const change = {
    'x-service-change': serviceChange(domain, cursor),
    ...(overwritten > 0 && { 'x-overwritten-points': String(overwritten) }),
  }
  if (errorCount === 0) {
    // An answer with status 204 has no Content-Length (RFC 9110, section 8.6).
    const length = success === 204 ? {} : { 'content-length': '0' }
    return { status: success, headers: { ...length, ...change }, body: null }
  }
  // A retry gets the answer of its first request, even if its own Prefer header differs.
  if (isLenient || stored > 0) {
    const body = JSON.stringify({ stored, errorCount, errors, traceId })
    return { status: 207, headers: { 'content-type': 'application/json', ...change }, body }
  }
  const refusal = refusalOf(errors)
  const problem = {
    type: problemType(refusal.code),
    ...refusal,
    detail: `${errorCount === 1 ? `one ${one} is` : `${errorCount} ${many} are`} wrong; nothing was stored`,
    traceId,
    errorCount,
    errors,
  }
  const headers = { 'content-type': 'application/problem+json' }
  return { status: problem.status, headers, body: JSON.stringify(problem) }
}

/** Returns the errors' status and code. Missing rights come before wrong elements, and these before late answers. */
function refusalOf(errors: IngestResult['errors']): {
  readonly title: string
  readonly status: number
  readonly code: ErrorCode
} {
  if (errors.some(({ code }) => code === 'not-allowed')) return { title: 'Not allowed', status: 403, code: 'FORBIDDEN' }
  if (errors.every(({ code }) => code === 'wrong-state')) return { title: 'Conflict', status: 409, code: 'CONFLICT' }
  return { title: 'Unprocessable content', status: 422, code: 'BAD_USER_INPUT' }
}
