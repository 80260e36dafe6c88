import type { AdapterPayload, KoaContextWithOIDC } from 'oidc-provider'
import { isObject } from '../../../lib/json.ts'

// By what somebody signed in goes along with everything that comes out of it, so that it ends with that. From a login to
// its session, code and refresh tokens oidc-provider carries `acr`, which is how somebody has authenticated (OpenID
// Connect Core 1.0, section 2); no client sees ours. An access token has none; there it is that of what it is made from.

export interface Proof {
  /** The authentication method; null where there was none: a machine user's password needs none. */
  readonly methodUuid: string | null
  /** Of the password or of the method's terms: see security-stamp.ts. Null where a token was exchanged. */
  readonly stamp: string | null
}

const NOTHING: Proof = { methodUuid: null, stamp: null }

/** The member of a token request's entities that holds it, where there is no code or refresh token to ask. */
export const PROOF = 'Proof'

/** The same for the grants by claims of a token that was exchanged: they are the new one's, and not of whom it is for. */
export const FITS = 'Fits'

const ACR = /^([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})?\.([\w-]{22})?$/

export function acrOf({ methodUuid, stamp }: Proof): string {
  return `${methodUuid ?? ''}.${stamp ?? ''}`
}

export function readAcr(acr: unknown): Proof {
  const found = typeof acr === 'string' ? ACR.exec(acr) : null
  return found === null ? NOTHING : { methodUuid: found[1] ?? null, stamp: found[2] ?? null }
}

/** What stands behind an artifact. */
export function proofOf(kind: string, payload: AdapterPayload, context: KoaContextWithOIDC | undefined): Proof {
  if (kind === 'AccessToken') return readAcr(acrOfSource(context))
  return readAcr(kind === 'Interaction' ? acrOfLogin(payload) : payload.acr)
}

function acrOfSource(context: KoaContextWithOIDC | undefined): unknown {
  if (context === undefined) return undefined
  const { AuthorizationCode: code, RefreshToken: refreshToken, [PROOF]: acr } = context.oidc.entities
  return acr ?? code?.acr ?? refreshToken?.acr
}

/** What an access token is made with, besides what stands behind it. */
export function fitsGiven(
  kind: string,
  context: KoaContextWithOIDC | undefined,
): { readonly fits?: readonly string[] } {
  const fits = kind === 'AccessToken' ? context?.oidc.entities[FITS] : undefined
  return fits === undefined ? {} : { fits: fits as readonly string[] }
}

/** Somebody has signed in, and the browser is on its way back to the authorization endpoint. */
function acrOfLogin(payload: AdapterPayload): unknown {
  return loginOf(payload)?.['acr']
}

/** Who that is, of an interaction. */
export function accountOfLogin(payload: AdapterPayload): string | undefined {
  const uuid = loginOf(payload)?.['accountId']
  return typeof uuid === 'string' ? uuid : undefined
}

function loginOf({ result }: AdapterPayload): { readonly [member: string]: unknown } | undefined {
  const login = isObject(result) ? result['login'] : undefined
  return isObject(login) ? login : undefined
}
