import { HoldfastError, type ErrorCode } from '../../lib/errors.ts'
import { DamagedPoints } from '../../platform/datapoints/damaged-points.ts'
import { ERROR_KINDS, problemType } from './error-kinds.ts'
import { responseOf, type Reply } from './reply.ts'

// Errors become answers here: problem+json (RFC 9457), and below that `extensions` of GraphQL errors.

export const RETRY_AFTER = { 'retry-after': '5' } as const

/** An error whose HTTP status says more than its code. */
export class HttpError extends HoldfastError {
  readonly status: number
  readonly title: string
  readonly headers: { readonly [name: string]: string }

  constructor(
    code: ErrorCode,
    status: number,
    title: string,
    message: string,
    headers: { readonly [name: string]: string } = {},
  ) {
    super(code, message)
    this.status = status
    this.title = title
    this.headers = headers
  }
}

/**
 * The part of an error that a client may see. It is the whole error for a HoldfastError that is not INTERNAL, the
 * damaged data if stored data is damaged, and nothing for any other error.
 */
export interface PublicError {
  readonly code: ErrorCode
  readonly message: string
  readonly details: readonly unknown[]
}

export function publicError(error: unknown): PublicError {
  if (isExpected(error) || error instanceof DamagedPoints)
    return { code: error.code, message: error.message, details: error.details }
  return {
    code: 'INTERNAL',
    message: 'something went wrong inside of the platform; its log has the reason under the trace-id',
    details: [],
  }
}

/** Tells whether the client may see an error. All others are logged. */
export function isExpected(error: unknown): error is HoldfastError {
  return error instanceof HoldfastError && error.code !== 'INTERNAL'
}

/**
 * The answer to an error. With `isGraphql`, it also has `errors` in the form of GraphQL, even if no operation was
 * executed.
 */
export function problemResponse(error: unknown, traceId: string, isGraphql = false): Response {
  return responseOf(problemReply(error, traceId, isGraphql))
}

export function problemReply(error: unknown, traceId: string, isGraphql = false): Reply {
  const { code, message, details } = publicError(error)
  const errors = isGraphql ? [{ message, extensions: graphqlExtensions({ code, details }, traceId) }] : details
  const { status, title, headers } = error instanceof HttpError ? error : { ...ERROR_KINDS[code], headers: {} }
  const isBusy = code === 'UNAVAILABLE'
  const body = {
    type: problemType(code),
    title,
    status,
    detail: message,
    code,
    traceId,
    ...(isBusy && { retryable: true }),
    ...(errors.length > 0 && { errors }),
  }
  const extra = isBusy ? { ...RETRY_AFTER, ...headers } : headers
  return { status, headers: { 'content-type': 'application/problem+json', ...extra }, body: JSON.stringify(body) }
}

export function graphqlExtensions({ code, details }: Omit<PublicError, 'message'>, traceId: string) {
  return { code, traceId, ...(details.length > 0 && { details }) }
}

export function statusOf(code: ErrorCode): number {
  return ERROR_KINDS[code].status
}
