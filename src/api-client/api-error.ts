import { refusedRequest, said } from '../client/refused-request.ts'
import type { Advice } from '../client/bearer.ts'
import type { JsonAnswer } from '../client/json-request.ts'
import { LostAnswerError, PlatformError } from '../client/platform-error.ts'
import { isBusy } from '../client/strange-answer.ts'
import { HoldfastError, type ErrorCode } from '../lib/errors.ts'

interface ApiErrorOptions {
  readonly status?: number
  readonly traceId?: string | null
  readonly retryable?: boolean
  readonly retryAfterMs?: number
  readonly details?: readonly unknown[]
  readonly cause?: unknown
}

/** A request that failed. Its `code` is one of the codes of docs/api.md. Its `traceId` comes from the answer. */
export class ApiError extends PlatformError {
  override readonly name = 'ApiError'
  /** The status of the answer; 0 if no answer arrived. */
  readonly status: number
  /** Whether the same request may succeed later. */
  readonly retryable: boolean
  /** The wait that the platform asks for, in milliseconds. */
  readonly retryAfterMs: number

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    const { status = 0, traceId = null, retryable = false, retryAfterMs = 0, ...rest } = options
    super(code, message, { ...rest, traceId })
    this.status = status
    this.retryable = retryable
    this.retryAfterMs = retryAfterMs
  }
}

/** Returns the failure of a request that was refused before it got an answer of its own, for example a sign-in. */
export function asApiError(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof HoldfastError)) return error
  const { code, message, details } = error
  return new ApiError(code, message, { details, cause: error, retryable: code === 'UNAVAILABLE' })
}

export function lostAnswer(url: string, cause: unknown): ApiError {
  return new ApiError('UNAVAILABLE', new LostAnswerError(url, cause).message, { cause, retryable: true })
}

/** Returns the error for an answer that is not the requested one. */
export function refusal(url: string, answer: JsonAnswer, advice: Advice, now: number): ApiError {
  const { response } = answer
  const { status, headers } = response
  const answered = said(answer)
  const own =
    answered === null && isBusy(response)
      ? new HoldfastError('UNAVAILABLE', `the platform cannot answer now (status ${status})`)
      : refusedRequest(url, answer, advice, now)
  const retryable = isBusy(response) || (answered !== null && own.code === 'UNAVAILABLE')
  return new ApiError(own.code === 'UNAVAILABLE' && !retryable ? 'INTERNAL' : own.code, own.message, {
    status,
    traceId: answered?.traceId ?? headers.get('x-trace-id'),
    retryable,
    retryAfterMs: retryAfter(headers),
    details: own.details,
  })
}

/** Reads the seconds of the Retry-After header. It ignores a date, because the clock of a device may be wrong. */
function retryAfter(headers: Pick<Headers, 'get'>): number {
  return Math.max(Number(headers.get('retry-after')), 0) * 1_000 || 0
}
