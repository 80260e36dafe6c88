import type { HeldRole } from '../../auth/roles.ts'
import type { Digest } from '../../lib/digest.ts'
import { plainText } from '../../lib/visible-text.ts'
import type { RecordKey } from '../../records/record-type.ts'
import type { Draft } from '../compare/draft-changes.ts'
import { isReplaced } from '../plan.ts'
import { isActive } from './accounts-across.ts'

/** A right that somebody gains or loses by a plan. */
export interface Difference extends RecordKey {
  /** Names the account, application or group. */
  readonly who: string
  readonly gains: readonly string[]
  readonly loses: readonly string[]
  /** The effect on this account, application or group, without its name. */
  readonly text: string
  /** The changes that cause the gain or the loss. */
  readonly because: readonly RecordKey[]
  /** The digest of the record if its secret is part of the acknowledgement; null otherwise. */
  readonly secret: Digest | null
}

/**
 * The digest of a record that has a new secret or becomes ACTIVATED; null otherwise. No acknowledgement has covered
 * secrets that changed while the record was not ACTIVATED.
 */
export function newSecret({ action, secret, before, after, afterDigest }: Draft): Digest | null {
  if (secret === undefined) return null
  const isBegun = isActive(after) && !isActive(before)
  const isKnown = secret !== 'generated' && (action === 'create' || isReplaced(secret))
  return isBegun || isKnown ? afterDigest : null
}

export function roleText({ role, within }: HeldRole): string {
  return within === null ? `${role} in the whole domain` : `${role} within ${plainText(within)}`
}

/** The sentence about roles that somebody gains and loses. */
export function rolesText(gains: readonly string[], loses: readonly string[]): string {
  return [
    gains.length === 0 ? [] : `would become ${gains.join(' and ')}`,
    loses.length === 0 ? [] : `would no longer be ${loses.join(' and ')}`,
  ]
    .flat()
    .join(', and ')
}
