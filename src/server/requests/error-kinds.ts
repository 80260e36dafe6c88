import type { ErrorCode } from '../../lib/errors.ts'

/** The meaning of an error code, for HTTP and for the page of errors. */
export interface ErrorKind {
  /** The HTTP status, unless the case is one of `others`. */
  readonly status: number
  readonly title: string
  /** Other statuses with this code, and the case of each. */
  readonly others?: { readonly [status: number]: string }
  readonly meaning: string
  readonly remedy: string
}

export const ERROR_KINDS: { readonly [code in ErrorCode]: ErrorKind } = {
  UNAUTHENTICATED: {
    status: 401,
    title: 'Not signed in',
    meaning: 'The token is missing, invalid, expired or revoked.',
    remedy: 'Get a new token, and send it as `Authorization: Bearer …`. The header `WWW-Authenticate` says more.',
  },
  FORBIDDEN: {
    status: 403,
    title: 'Not allowed',
    meaning: 'The token lacks a scope, or the account lacks a role, or the object is out of its reach.',
    remedy: 'Request the scope that the message names, or ask an administrator for the role.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    others: { 421: 'no domain of the platform has the host name of the request' },
    meaning: 'It does not exist, or not for this account.',
    remedy: 'Check the address, uuid or code. Other accounts may see more.',
  },
  CONFLICT: {
    status: 409,
    title: 'Conflict',
    others: { 412: 'the batch that `X-Service-Change` names is not stored here' },
    meaning: 'It exists already, is in use, or has changed in the meantime.',
    remedy: 'Read the present state, and decide again. For an Idempotency-Key, use a new key for other content.',
  },
  STALE_PLAN: {
    status: 412,
    title: 'The plan is out of date',
    meaning: 'The platform or the document changed after the plan was made. Nothing was applied.',
    remedy: 'Make a new plan, review it, and apply it. `errors` or `details` list the changes.',
  },
  BLOCKED: {
    status: 409,
    title: 'Blocked',
    meaning: 'A guard stops the change, because it would cost data, access or dependent records. Nothing was applied.',
    remedy: 'Acknowledge the listed guards if you want this, or change the document.',
  },
  BAD_USER_INPUT: {
    status: 400,
    title: 'Bad request',
    others: {
      405: 'the address has other methods; `Allow` lists them',
      406: 'the answer is not available in the accepted media types',
      408: 'the request did not arrive in time',
      415: 'the media type or content coding of the body is not supported',
      422: 'the body can be read, but elements of it are wrong; `errors` lists them',
      431: 'the headers of the request are too large',
      501: 'the transfer coding of the body is not supported',
    },
    meaning: 'The request, document or value is wrong.',
    remedy: 'Correct what the message and `errors` or `details` name, and send it again.',
  },
  LIMIT_EXCEEDED: {
    status: 413,
    title: 'Too large',
    others: { 400: 'a query of GraphQL exceeds it' },
    meaning: 'The request or its answer exceeds a limit. Nothing is cut off.',
    remedy: 'Split the request, or ask for less. The message names the limit.',
  },
  UNAVAILABLE: {
    status: 503,
    title: 'Not available',
    others: {
      408: 'the body stalled while other requests needed the memory',
      501: 'an embedded platform has no sign-in',
    },
    meaning: 'The platform starts, stops, or is overloaded, or its database is away.',
    remedy: 'Wait for the seconds in `Retry-After`, and send the same request again.',
  },
  INTERNAL: {
    status: 500,
    title: 'Internal error',
    meaning: 'The platform failed in a way that nobody foresaw.',
    remedy: 'Report the `traceId` to the operator: the log of the platform has the cause under it.',
  },
}

/** The page that explains all codes. Every host of the platform serves it. */
export const ERRORS_PATH = '/errors'

/**
 * Returns the `type` of a problem (RFC 9457, section 3.1.1): a reference to the section of its code, relative to the
 * address of the request. It is the same for all domains, so clients can compare it (docs/decisions/0080).
 */
export function problemType(code: ErrorCode): string {
  return `${ERRORS_PATH}#${code}`
}
