import type { AdapterPayload, KoaContextWithOIDC } from 'oidc-provider'
import { isObject } from '../../lib/json.ts'

// The proof of a sign-in accompanies everything that comes out of it, so that it ends with the proof. oidc-provider
// carries `acr`, the way of authentication (OpenID Connect Core 1.0, section 2), from a login to its session, code
// and refresh tokens; clients never see ours. An access token has none, and takes it from what it is made from.

export interface Proof {
  /** The authentication method; null for the password of a machine user, which needs none. */
  readonly methodUuid: string | null
  /** The security stamp of the password or identity: see security-stamp.ts. Null where there is none. */
  readonly stamp: string | null
}

const NOTHING: Proof = { methodUuid: null, stamp: null }

/**
 * The member of a token request's entities with the proof, where there is no code or refresh token to take it from.
 */
export const PROOF = 'Proof'

/** The member with the grants by claims of an exchanged token, which count for the new token only. */
export const FITS = 'Fits'

const ACR = /^([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})?\.([\w-]{22})?$/

export function acrOf({ methodUuid, stamp }: Proof): string {
  return `${methodUuid ?? ''}.${stamp ?? ''}`
}

export function readAcr(acr: unknown): Proof {
  const found = typeof acr === 'string' ? ACR.exec(acr) : null
  return found === null ? NOTHING : { methodUuid: found[1] ?? null, stamp: found[2] ?? null }
}

/** The proof of an artifact. */
export function proofOf(kind: string, payload: AdapterPayload, context: KoaContextWithOIDC | undefined): Proof {
  if (kind === 'AccessToken') return readAcr(acrOfSource(context))
  return readAcr(kind === 'Interaction' ? acrOfLogin(payload) : payload.acr)
}

function acrOfSource(context: KoaContextWithOIDC | undefined): unknown {
  if (context === undefined) return undefined
  const { AuthorizationCode: code, RefreshToken: refreshToken, [PROOF]: acr } = context.oidc.entities
  return acr ?? code?.acr ?? refreshToken?.acr
}

/** The grants by claims that an access token is made with. */
export function fitsGiven(
  kind: string,
  context: KoaContextWithOIDC | undefined,
): { readonly fits?: readonly string[] } {
  const fits = kind === 'AccessToken' ? context?.oidc.entities[FITS] : undefined
  return fits === undefined ? {} : { fits: fits as readonly string[] }
}

/** Reads the proof of a login, when the browser is on its way back to the authorization endpoint. */
function acrOfLogin(payload: AdapterPayload): unknown {
  return loginOf(payload)?.['acr']
}

/** The account of an interaction's login. */
export function accountOfLogin(payload: AdapterPayload): string | undefined {
  const uuid = loginOf(payload)?.['accountId']
  return typeof uuid === 'string' ? uuid : undefined
}

function loginOf({ result }: AdapterPayload): { readonly [member: string]: unknown } | undefined {
  const login = isObject(result) ? result['login'] : undefined
  return isObject(login) ? login : undefined
}
