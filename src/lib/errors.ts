/** The ways in which an operation can fail. The server maps each to an HTTP status and a GraphQL code in one place. */
export const ERROR_CODES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'CONFLICT',
  'STALE_PLAN',
  'BLOCKED',
  'BAD_USER_INPUT',
  'LIMIT_EXCEEDED',
  'UNAVAILABLE',
  'INTERNAL',
] as const

export type ErrorCode = (typeof ERROR_CODES)[number]

/** A failure that clients may see: its message and details never contain a secret, SQL or a stack. */
export class HoldfastError extends Error {
  override readonly name: string = 'HoldfastError'
  readonly code: ErrorCode
  readonly details: readonly unknown[]

  constructor(code: ErrorCode, message: string, options: { details?: readonly unknown[]; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details ?? []
  }
}

/** Makes the error for input that its sender has to correct. */
export function badInput(message: string): HoldfastError {
  return new HoldfastError('BAD_USER_INPUT', message)
}

/** Returns the stacks of an error and its causes, without the statements and rows that drivers attach to errors. */
export function traceOf(error: Error): string {
  const own = error.stack ?? error.message
  return error.cause instanceof Error ? `${own}\ncaused by ${traceOf(error.cause)}` : own
}
