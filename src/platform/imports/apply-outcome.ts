import { HoldfastError, type ErrorCode } from '../../lib/errors.ts'

/** What becomes of an apply that somebody asks for, in the words by which they are counted. */
export type ApplyOutcome = 'done' | 'unchanged' | 'stale' | 'blocked' | 'refused' | 'failed'

export function outcomeOfError(error: unknown): ApplyOutcome {
  return error instanceof HoldfastError ? (OUTCOMES[error.code] ?? 'refused') : 'failed'
}

const OUTCOMES: { readonly [code in ErrorCode]?: ApplyOutcome } = {
  STALE_PLAN: 'stale',
  BLOCKED: 'blocked',
  UNAVAILABLE: 'failed',
  INTERNAL: 'failed',
}
