import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose'
import type { Claims } from '../../auth/federation-rules.ts'
import type { HoldfastError } from '../../lib/errors.ts'
import type { AccessContext } from './access-context.ts'
import { refusal } from './refusal.ts'

// A token of another OpenID provider (OpenID Connect Core 1.0, section 3.1.3.7; RFC 8725). Whoever sends one that is not
// taken is told why: it is theirs, and what it holds is no secret to them.

/** No algorithm with a shared secret, and not `none`. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/** Of an ID token or an access token. A logout token is neither (RFC 8725, section 3.11). */
const TYPES = ['jwt', 'at+jwt', 'application/at+jwt']
const MOST_CHARACTERS = 16 * 1024
const SKEW_SECONDS = 60

export interface UncheckedToken {
  readonly text: string
  readonly algorithm: string
  readonly kid: string | undefined
  readonly issuer: string
}

/** What the token says of itself, to know whose keys it must be checked with; nothing else may be believed yet. */
export function readToken(text: string): UncheckedToken {
  if (text.length > MOST_CHARACTERS)
    throw refusal(`it has ${text.length} characters, and at most ${MOST_CHARACTERS} are allowed`)
  const { header, payload } = decode(text)
  const { alg, kid, typ } = header
  if (alg === undefined || !ALGORITHMS.includes(alg)) {
    throw refusal(`it is signed with ${JSON.stringify(alg ?? null)}, and only ${ALGORITHMS.join(', ')} are accepted`)
  }
  // Of any shape: nobody has looked at the header yet.
  if (typ !== undefined && !TYPES.includes(String(typ).toLowerCase()))
    throw refusal(`its type is ${quote(typ)}, not that of an ID token or access token`)
  const { iss } = payload
  if (typeof iss !== 'string' || iss === '') throw refusal('it names no issuer (iss)')
  return { text, algorithm: alg, kid, issuer: iss }
}

function decode(text: string) {
  try {
    return { header: decodeProtectedHeader(text), payload: decodeJwt(text) }
  } catch (cause) {
    throw refusal('it is not a JSON Web Token', cause)
  }
}

export interface CheckedToken {
  readonly claims: Claims
  readonly subject: string
  readonly audiences: readonly string[]
  readonly authorizedParty: unknown
  readonly expiresAt: Date
}

/** Checks signature, issuer and times. The audience is left: an issuer may have several methods here. */
export async function checkToken({ external, now }: AccessContext, token: UncheckedToken): Promise<CheckedToken> {
  const moment = now()
  try {
    const { payload } = await jwtVerify(token.text, (header) => external.keys.find(token.issuer, header), {
      issuer: token.issuer,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'aud', 'exp', 'iat'],
      clockTolerance: SKEW_SECONDS,
      currentDate: moment,
    })
    return checkedToken(payload, moment)
  } catch (error) {
    throw explained(error, token, moment)
  }
}

function checkedToken(payload: JWTPayload, moment: Date): CheckedToken {
  const { sub, aud, exp = 0, iat = 0, azp } = payload
  if (typeof sub !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(sub))
    throw refusal('its subject (sub) must be a text of 1 to 255 ASCII characters')
  const early = iat - moment.getTime() / 1_000
  if (early > SKEW_SECONDS) throw refusal(`it was issued ${duration(early)} in the future (iat); ${clock(moment)}`)
  return {
    claims: payload,
    subject: sub,
    audiences: [aud ?? []].flat(),
    authorizedParty: azp,
    expiresAt: new Date(exp * 1_000),
  }
}

/** What `jose` found, for the holder of the token. */
function explained(error: unknown, { algorithm, kid, issuer }: UncheckedToken, moment: Date): unknown {
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return refusal(`its signature is not of a key of ${issuer}`)
  if (error instanceof errors.JWKSNoMatchingKey) {
    return refusal(`${issuer} publishes no key ${quote(kid)} for ${algorithm}`)
  }
  if (error instanceof errors.JWKSMultipleMatchingKeys) {
    return refusal(`it does not say which key of ${issuer} it was signed with (kid)`)
  }
  if (error instanceof errors.JWTExpired) return expired(error.payload.exp, moment)
  if (error instanceof errors.JWTClaimValidationFailed) return wrongClaim(error, moment)
  if (error instanceof errors.JOSEError) return refusal('it is not a JSON Web Token that can be checked', error)
  return error
}

function expired(exp: number | undefined, moment: Date): HoldfastError {
  const ago = exp === undefined ? '' : ` ${duration(moment.getTime() / 1_000 - exp)} ago`
  return refusal(`it expired${ago}; get a new one. ${capital(clock(moment))}`)
}

function wrongClaim({ claim, payload, message }: errors.JWTClaimValidationFailed, moment: Date): HoldfastError {
  const { nbf } = payload
  if (claim === 'nbf' && typeof nbf === 'number') {
    return refusal(`it is valid only in ${duration(nbf - moment.getTime() / 1_000)} (nbf); ${clock(moment)}`)
  }
  return refusal(`of its claims, ${message}`)
}

function clock(moment: Date): string {
  return `the clock here says ${moment.toISOString()}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 120) return `${whole} seconds`
  return whole < 7_200 ? `${Math.floor(whole / 60)} minutes` : `${Math.floor(whole / 3_600)} hours`
}

function quote(text: unknown): string {
  return JSON.stringify(text ?? null).slice(0, 100)
}
