import type { AdapterPayload, KoaContextWithOIDC } from 'oidc-provider'
import { isObject } from '../../lib/json.ts'
import type { ProviderSignIn } from '../../platform/access/sessions/provider-sign-in.ts'

// Everything that comes from a sign-in carries its proof, so that it ends when the proof becomes invalid. oidc-provider
// copies `acr` and `amr` (OpenID Connect Core 1.0, section 2) from a login to its session, code and refresh tokens, so
// the proof is stored there. Clients never see it. An access token has no proof of its own, and uses the proof of the
// code or token that it was made from.

export interface Proof {
  /** The authentication method; null for the password of a machine user, which needs none. */
  readonly methodUuid: string | null
  /** The security stamp of the password or identity: see security-stamp.ts. Null if there is none. */
  readonly stamp: string | null
  /** Null for a password, and for sign-ins that an earlier release stored. */
  readonly provider: ProviderSignIn | null
}

const NOTHING: Proof = { methodUuid: null, stamp: null, provider: null }

/** The entity of a token request that contains the proof if there is no code or refresh token that has it. */
export const PROOF = 'Proof'

/** The entity with the grants by claims of an exchanged token. They count for the new token only. */
export const FITS = 'Fits'

const ACR = /^([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})?\.([\w-]{22})?$/

/** The members in which oidc-provider carries a proof. */
export interface CarriedProof {
  readonly acr: string
  readonly amr?: string[]
}

/**
 * Writes a proof into the two members that oidc-provider carries. The data about a provider is in `amr`, so that a
 * server of an earlier release still finds the method and the stamp in `acr`.
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

/** Returns the grants by claims for a new access token. */
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

/** Returns the login of an interaction whose browser is returning to the authorization endpoint. */
function loginOf({ result }: AdapterPayload): { readonly [member: string]: unknown } | undefined {
  const login = isObject(result) ? result['login'] : undefined
  return isObject(login) ? login : undefined
}
