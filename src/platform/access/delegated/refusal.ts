import type { IdentityRefusalReason } from '../../../../generated/entities.ts'
import { HoldfastError } from '../../../lib/errors.ts'

/**
 * The error for a refused token of another provider. The reason names the failed check, and nothing that only
 * administrators may know. `detail` is for the log.
 */
export function refusal(reason: string, { detail, cause }: { detail?: string; cause?: unknown } = {}): HoldfastError {
  const because = detail === undefined ? cause : new Error(detail, cause === undefined ? {} : { cause })
  return new HoldfastError('UNAUTHENTICATED', messageOf(reason), because === undefined ? {} : { cause: because })
}

function messageOf(reason: string): string {
  return `the token of the other provider is not accepted: ${reason}`
}

/** The refusal of an identity, which is recorded for administrators (see refused-identities.ts). */
export class IdentityRefusal extends HoldfastError {
  readonly reason: IdentityRefusalReason
  /** The detail for administrators. */
  readonly detail: string

  constructor(reason: IdentityRefusalReason, detail: string) {
    const told = reason === 'no-rule-fits' ? 'it fits no rule of its authentication method' : NOT_LET_IN
    super('UNAUTHENTICATED', messageOf(told), { cause: new Error(detail) })
    this.reason = reason
    this.detail = detail
  }
}

/** All refusals have the same text, so that strangers do not learn which addresses exist or are not ACTIVATED. */
const NOT_LET_IN = 'its subject may not sign in here'
