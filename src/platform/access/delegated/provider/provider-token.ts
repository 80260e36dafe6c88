import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type CryptoKey } from 'jose'
import type { Claims } from '../../../../auth/token-rules.ts'
import { HoldfastError } from '../../../../lib/errors.ts'
import type { AccessContext } from '../../access-context.ts'
import { clock, duration, SKEW_SECONDS } from './provider-claims.ts'
import type { JoseHeader } from './provider-keys.ts'
import { refusal } from '../refusal.ts'

// This reads a token of another OpenID provider (OpenID Connect Core 1.0, section 3.1.3.7; RFC 8725). The sender of a
// refused token learns which check failed, since the content of the sender's own token is no secret.

/** The list has no algorithm with a shared secret, and does not have `none`. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/** The types of an ID token and of an access token. A logout token is neither (RFC 8725, section 3.11). */
const TYPES = ['jwt', 'at+jwt', 'application/at+jwt']
const MOST_CHARACTERS = 16 * 1024
/** RFC 7518 requires this length (section 3.3), because shorter keys can be broken. */
const LEAST_RSA_BITS = 2_048

export interface UncheckedToken {
  readonly text: string
  readonly algorithm: string
  readonly kid: string | undefined
  readonly issuer: string
}

/** Reads which keys are needed to check the token. Nothing else in it can be trusted yet. */
export function readToken(text: string): UncheckedToken {
  if (text.length > MOST_CHARACTERS)
    throw refusal(`it has ${text.length} characters, and at most ${MOST_CHARACTERS} are allowed`)
  const { header, payload } = decode(text)
  const { alg, kid, typ } = header
  if (alg === undefined || !ALGORITHMS.includes(alg)) {
    throw refusal(`it is signed with ${JSON.stringify(alg ?? null)}, and only ${ALGORITHMS.join(', ')} are accepted`)
  }
  // The header is unchecked, so its members may have any type.
  if (typ !== undefined && !TYPES.includes(String(typ).toLowerCase()))
    throw refusal(`its type is ${quote(typ)}, not the type of an ID token or access token`)
  const { iss } = payload
  if (typeof iss !== 'string' || iss === '') throw refusal('it names no issuer (iss)')
  return { text, algorithm: alg, kid, issuer: iss }
}

function decode(text: string) {
  try {
    return { header: decodeProtectedHeader(text), payload: decodeJwt(text) }
  } catch (cause) {
    throw refusal('it is not a JSON Web Token', { cause })
  }
}

export interface CheckedToken {
  readonly claims: Claims
  readonly expiresAt: Date
}

/** Checks signature, issuer and times. provider-claims.ts has the other checks. */
export async function checkToken(
  { external, now }: Pick<AccessContext, 'external' | 'now'>,
  token: UncheckedToken,
): Promise<CheckedToken> {
  const moment = now()
  try {
    const { payload } = await jwtVerify(token.text, (header) => findKey(external, token, header), {
      issuer: token.issuer,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'aud', 'exp', 'iat'],
      clockTolerance: SKEW_SECONDS,
      currentDate: moment,
    })
    return { claims: payload, expiresAt: new Date((payload.exp ?? 0) * 1_000) }
  } catch (error) {
    throw explained(error, token, moment)
  }
}

async function findKey(
  external: AccessContext['external'],
  { issuer }: UncheckedToken,
  header: JoseHeader,
): Promise<CryptoKey> {
  const key = await external.keys.find(issuer, header).catch((error: unknown) => {
    if (error instanceof HoldfastError || error instanceof errors.JOSEError) throw error
    throw refusal(`the key that ${issuer} publishes for it cannot be used`, { cause: error })
  })
  const { modulusLength = LEAST_RSA_BITS } = key.algorithm as { readonly modulusLength?: number }
  if (modulusLength >= LEAST_RSA_BITS) return key
  throw refusal(`the key of ${issuer} that it is signed with is too weak: ${modulusLength} bits`)
}

/** Explains an error of `jose` to the holder of the token. */
function explained(error: unknown, { algorithm, kid, issuer }: UncheckedToken, moment: Date): unknown {
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return refusal(`its signature does not match a key of ${issuer}`)
  if (error instanceof errors.JWKSNoMatchingKey) {
    return refusal(`${issuer} publishes no key ${quote(kid)} for ${algorithm}`)
  }
  if (error instanceof errors.JWKSMultipleMatchingKeys) {
    return refusal(`it does not say which key of ${issuer} it was signed with (kid)`)
  }
  if (error instanceof errors.JWTExpired) return expired(error.payload.exp, moment)
  if (error instanceof errors.JWTClaimValidationFailed) return wrongClaim(error, moment)
  if (error instanceof errors.JOSEError)
    return refusal('it is not a JSON Web Token that can be checked', { cause: error })
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
  return refusal(`a claim is wrong: ${message}`)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function quote(text: unknown): string {
  return JSON.stringify(text ?? null).slice(0, 100)
}
