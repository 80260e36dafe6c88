import { normalAddress } from '../../../../auth/email-address.ts'
import type { Claims } from '../../../../auth/token-rules.ts'
import { saysVerified } from '../../../../auth/verified-email.ts'
import type { Sighting } from '../../../../store/access/external-identities.ts'
import type { DelegatedMethod } from '../../methods/method.ts'
import { refusal } from '../refusal.ts'

/** The identity that the checked claims of another provider describe. */
export function sightingOf(method: DelegatedMethod, claims: Claims, at: Date): Sighting {
  const { sub } = claims
  if (typeof sub !== 'string' || sub === '') throw refusal('it names no subject (sub)')
  const email = emailIn(claims)
  const isVerified = email !== null && saysVerified(method.configuration.issuer, claims)
  return {
    issuer: method.configuration.issuer,
    subject: sub,
    methodUuid: method.uuid,
    email,
    isVerified,
    address: isVerified ? normalAddress(email) : null,
    at,
  }
}

const LONGEST_EMAIL = 254

function emailIn({ email }: Claims): string | null {
  if (typeof email !== 'string' || email === '' || email.length > LONGEST_EMAIL) return null
  return /[\p{Cc}\p{Cs}]/u.test(email) ? null : email
}

const MOST_OF_NAME = 200

export function nameIn({ name, preferred_username: otherName }: Claims): string | null {
  const text = [name, otherName].find((one): one is string => typeof one === 'string' && one.trim() !== '')
  if (text === undefined) return null
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MOST_OF_NAME)
    .toWellFormed()
}
