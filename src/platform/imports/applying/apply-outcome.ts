import { HoldfastError, type ErrorCode } from '../../../lib/errors.ts'

/** The result of an apply, as it is counted. */
export type ApplyOutcome = 'done' | 'unchanged' | 'stale' | 'blocked' | 'refused' | 'failed'

export function outcomeOfError(error: unknown): ApplyOutcome {
  return error instanceof HoldfastError ? OUTCOMES[error.code] : 'failed'
}

const OUTCOMES: { readonly [code in ErrorCode]: ApplyOutcome } = {
  UNAUTHENTICATED: 'refused',
  FORBIDDEN: 'refused',
  NOT_FOUND: 'refused',
  CONFLICT: 'refused',
  STALE_PLAN: 'stale',
  BLOCKED: 'blocked',
  BAD_USER_INPUT: 'refused',
  LIMIT_EXCEEDED: 'refused',
  UNAVAILABLE: 'failed',
  INTERNAL: 'failed',
}
