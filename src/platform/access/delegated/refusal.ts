import { HoldfastError } from '../../../lib/errors.ts'

/**
 * Why somebody who comes from another provider is not let in, for them to read: which check failed, and nothing that only
 * administrators know. `detail` is for those, in the log.
 */
export function refusal(reason: string, { detail, cause }: { detail?: string; cause?: unknown } = {}): HoldfastError {
  const because = detail === undefined ? cause : new Error(detail, cause === undefined ? {} : { cause })
  return new HoldfastError('UNAUTHENTICATED', messageOf(reason), because === undefined ? {} : { cause: because })
}

function messageOf(reason: string): string {
  return `the token of the other provider is not accepted: ${reason}`
}

/** In a word, why an identity that a provider vouches for is not let in. */
export type RefusalReason =
  'no-rule-fits' | 'not-for-people' | 'no-machine-user' | 'not-activated' | 'address-not-trusted' | 'unbound'

/** Of an identity: noted for administrators (see refused-identities.ts). */
export class IdentityRefusal extends HoldfastError {
  readonly reason: RefusalReason
  /** For administrators. */
  readonly detail: string

  constructor(reason: RefusalReason, detail: string) {
    const told = reason === 'no-rule-fits' ? 'it fits no rule of its authentication method' : NOT_LET_IN
    super('UNAUTHENTICATED', messageOf(told), { cause: new Error(detail) })
    this.reason = reason
    this.detail = detail
  }
}

/** The same for all: an address that is taken, or who is not ACTIVATED, is not for strangers to find out. */
const NOT_LET_IN = 'who it is for is not let in here'
