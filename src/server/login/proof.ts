import type { AdapterPayload, KoaContextWithOIDC } from 'oidc-provider'
import { isObject } from '../../lib/json.ts'
import type { ProviderSignIn } from '../../platform/access/sessions/provider-sign-in.ts'

// The proof of a sign-in accompanies everything that comes out of it, so that it ends with the proof. oidc-provider
// carries `acr` and `amr`, the ways of authentication (OpenID Connect Core 1.0, section 2), from a login to its session,
// code and refresh tokens; clients never see ours. An access token has none, and takes it from what it is made from.

export interface Proof {
  /** The authentication method; null for the password of a machine user, which needs none. */
  readonly methodUuid: string | null
  /** The security stamp of the password or identity: see security-stamp.ts. Null if there is none. */
  readonly stamp: string | null
  /** Null for a password, and for what an earlier release wrote down. */
  readonly provider: ProviderSignIn | null
}

const NOTHING: Proof = { methodUuid: null, stamp: null, provider: null }

/**
 * The member of a token request's entities with the proof, where there is no code or refresh token to take it from.
 */
export const PROOF = 'Proof'

/** The member with the grants by claims of an exchanged token, which count for the new token only. */
export const FITS = 'Fits'

const ACR = /^([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})?\.([\w-]{22})?$/

/** The members by which oidc-provider carries a proof. */
export interface CarriedProof {
  readonly acr: string
  readonly amr?: string[]
}

/**
 * Writes a proof into the two members that oidc-provider carries. What concerns a provider is in `amr`, so that a server of an
 * earlier release still finds the method and the stamp where it looks for them.
 */
export function carry({ methodUuid, stamp, provider }: Proof): CarriedProof {
  const acr = `${methodUuid ?? ''}.${stamp ?? ''}`
  return provider === null ? { acr } : { acr, amr: [JSON.stringify(provider)] }
}

export function readProof({ acr, amr }: { readonly acr?: unknown; readonly amr?: unknown }): Proof {
  const found = typeof acr === 'string' ? ACR.exec(acr) : null
  if (found === null) return NOTHING
  const [, methodUuid = null, stamp = null] = found
  return { methodUuid, stamp, provider: readProvider(amr) }
}

function readProvider(amr: unknown): ProviderSignIn | null {
  const [text]: unknown[] = Array.isArray(amr) ? amr : []
  return typeof text === 'string' ? (JSON.parse(text) as ProviderSignIn) : null
}

/** The proof of an artifact. */
export function proofOf(kind: string, payload: AdapterPayload, context: KoaContextWithOIDC | undefined): Proof {
  if (kind === 'AccessToken') return proofOfSource(context)
  return readProof(kind === 'Interaction' ? (loginOf(payload) ?? {}) : payload)
}

function proofOfSource(context: KoaContextWithOIDC | undefined): Proof {
  if (context === undefined) return NOTHING
  const { AuthorizationCode: code, RefreshToken: refreshToken, [PROOF]: proof } = context.oidc.entities
  return (proof as Proof | undefined) ?? readProof(code ?? refreshToken ?? {})
}

/** The grants by claims that an access token is made with. */
export function fitsGiven(
  kind: string,
  context: KoaContextWithOIDC | undefined,
): { readonly fits?: readonly string[] } {
  const fits = kind === 'AccessToken' ? context?.oidc.entities[FITS] : undefined
  return fits === undefined ? {} : { fits: fits as readonly string[] }
}

/** The account of an interaction's login. */
export function accountOfLogin(payload: AdapterPayload): string | undefined {
  const uuid = loginOf(payload)?.['accountId']
  return typeof uuid === 'string' ? uuid : undefined
}

/** The login of an interaction, when the browser is on its way back to the authorization endpoint. */
function loginOf({ result }: AdapterPayload): { readonly [member: string]: unknown } | undefined {
  const login = isObject(result) ? result['login'] : undefined
  return isObject(login) ? login : undefined
}
