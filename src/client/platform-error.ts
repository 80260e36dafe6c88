import { HoldfastError, type ErrorCode } from '../lib/errors.ts'

/** An error answer of the platform. Its trace-id finds the request in the platform's log. */
export class PlatformError extends HoldfastError {
  readonly traceId: string | null

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: readonly unknown[]; cause?: unknown; traceId: string | null },
  ) {
    super(code, message, options)
    this.traceId = options.traceId
  }
}

/** An answer from another program, such as a proxy, which may still have forwarded the request. */
export class ForeignAnswerError extends PlatformError {}

/** An apply that the platform may have carried out, although no answer confirms it. */
export class UnknownApplyError extends PlatformError {
  constructor(error: HoldfastError) {
    const { code, message, details } = error
    const traceId = error instanceof PlatformError ? error.traceId : null
    super(code, `${message}; whether the apply took place is not known: "holdfast history" shows it`, {
      details,
      traceId,
    })
  }
}

/** No answer arrived. The request may still have been carried out, unless it was never sent. */
export class LostAnswerError extends HoldfastError {
  /** Whether the platform may have received the request. */
  readonly mayHaveArrived: boolean

  constructor(url: string, cause: unknown) {
    super(
      'UNAVAILABLE',
      `no answer from ${url}: ${reasonOf(cause)}; check the address and that the platform is running`,
      { cause },
    )
    this.mayHaveArrived = !causesOf(cause).some(({ code, syscall }) => syscall === 'connect' || NEVER_SENT.has(code))
  }
}

const UNKNOWN_AUTHORITY = 'its certificate authority is unknown here (name its file in NODE_EXTRA_CA_CERTS)'

const REASONS_OF_TLS = {
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS (an http address?)',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet (a clock that is wrong?)',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is self-signed (NODE_EXTRA_CA_CERTS names a file of further authorities)',
}

const REASONS: { readonly [code: string]: string } = {
  ...REASONS_OF_TLS,
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name cannot be looked up now',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ETIMEDOUT: 'it took too long',
  UND_ERR_CONNECT_TIMEOUT: 'it took too long',
  UND_ERR_HEADERS_TIMEOUT: 'it took too long',
  UND_ERR_BODY_TIMEOUT: 'it took too long',
}

/** Codes of errors before a request is sent. An error while connecting has the system call `connect`, too. */
const NEVER_SENT: ReadonlySet<string> = new Set([
  ...Object.keys(REASONS_OF_TLS),
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * Returns the reason why `fetch` failed; its own message is only "fetch failed". The reason is in the error's cause. If
 * the host has several addresses, it is in the errors of the cause.
 */
export function reasonOf(error: unknown): string {
  const code = codeOf(error)
  const reason = REASONS[code]
  if (reason !== undefined) return reason
  if (code !== '') return code
  return causesOf(error).at(-1)?.message ?? 'the connection failed'
}

/** Returns the outermost code that has a reason here; if there is none, the code of the innermost cause. */
function codeOf(error: unknown): string {
  const codes = causesOf(error).map(({ code }) => code)
  return codes.find((code) => REASONS[code] !== undefined) ?? codes.at(-1) ?? ''
}

interface Cause {
  readonly code: string
  readonly syscall: unknown
  readonly message: string
}

/** Returns an error and its causes, the outermost first. Of several causes at once it returns the first. */
function causesOf(error: unknown): Cause[] {
  if (!(error instanceof Error)) return []
  const { code = '', syscall } = error as Error & { code?: string; syscall?: unknown }
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause
  return [{ code, syscall, message: error.message }, ...causesOf(inner)]
}
