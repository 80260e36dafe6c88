import type { Claims } from '../../../../auth/token-rules.ts'
import { refusal } from '../refusal.ts'

// These checks apply to each token of another provider, besides signature, issuer and expiry. They are the same for a
// bearer token and for a sign-in by a browser (OpenID Connect Core 1.0, section 3.1.3.7).

export const SKEW_SECONDS = 60

/** Finds the token's audience among these client ids. Fails as UNAUTHENTICATED without one, or by another claim. */
export function audienceOf(claims: Claims, clientIds: readonly string[], moment: Date): string {
  checkKind(claims)
  checkSubject(claims)
  checkTimes(claims)
  checkIssued(claims, moment)
  return checkAudience(claims, clientIds)
}

/**
 * Rejects logout tokens and other security events. They are signed like an ID token, and need not state their type
 * (OpenID Connect Back-Channel Logout 1.0, section 2.4).
 */
function checkKind({ events }: Claims): void {
  if (events !== undefined) throw refusal('it reports an event (events), such as a logout, and signs nobody in')
}

function checkSubject({ sub }: Claims): void {
  if (typeof sub !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(sub))
    throw refusal('its subject (sub) must be a text of 1 to 255 ASCII characters')
}

/** The last second of the year 9999. The database cannot read the text of a later time. */
const LATEST_SECONDS = 253_402_300_799

function checkTimes(claims: Claims): void {
  for (const name of ['exp', 'iat', 'nbf', 'auth_time']) {
    const seconds = claims[name]
    if (typeof seconds === 'number' && !(seconds >= 0 && seconds <= LATEST_SECONDS))
      throw refusal(`its ${name} is not within the years 1970 to 9999; it must be in seconds since 1970`)
  }
}

function checkIssued({ iat }: Claims, moment: Date): void {
  if (typeof iat !== 'number') throw refusal('it does not say when it was issued (iat)')
  const early = iat - moment.getTime() / 1_000
  if (early > SKEW_SECONDS) throw refusal(`it was issued ${duration(early)} in the future (iat); ${clock(moment)}`)
}

/** Accepts only tokens that were made for this platform, because any other token was given to someone else. */
function checkAudience({ aud, azp }: Claims, clientIds: readonly string[]): string {
  const audiences = [aud].flat()
  const fitting = clientIds.filter((clientId) => audiences.includes(clientId))
  const clientId = fitting.find((one) => one === azp) ?? fitting[0]
  if (clientId === undefined) {
    const detail = `it is for ${JSON.stringify(audiences).slice(0, 200)}, and ${clientIds.join(' or ')} is needed`
    throw refusal('it is for another audience (aud)', { detail })
  }
  if (azp === undefined && audiences.length > 1)
    throw refusal('it is for several audiences, and does not name the authorized one (azp)')
  if (azp !== undefined && azp !== clientId)
    throw refusal('it was given to another client (azp)', { detail: `to ${JSON.stringify(azp).slice(0, 200)}` })
  return clientId
}

export function clock(moment: Date): string {
  return `the clock here says ${moment.toISOString()}`
}

export function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 120) return `${whole} seconds`
  return whole < 7_200 ? `${Math.floor(whole / 60)} minutes` : `${Math.floor(whole / 3_600)} hours`
}
