import { errors, type AdapterPayload, type KoaContextWithOIDC } from 'oidc-provider'
import type { JsonObject } from '../../lib/json.ts'

// The redirect URI in an authorization request, and in the token request for its code.

/** Marks an authorization request and its code if the client sent a redirect URI itself. */
export const NAMES_REDIRECT_URI = 'names_redirect_uri'

type RequestContext = KoaContextWithOIDC | undefined

/** Returns the part of the authorization request that is stored with a code. */
export function redirectUriOf(kind: string, context: RequestContext): JsonObject {
  const isNamed = kind === 'AuthorizationCode' && context?.oidc.params?.[NAMES_REDIRECT_URI] !== undefined
  return isNamed ? { [NAMES_REDIRECT_URI]: true } : {}
}

/** A token request must repeat a redirect URI that the client has named (RFC 6749, section 4.1.3). */
export function requireRedirectUri(payload: AdapterPayload, context: RequestContext): void {
  if (payload[NAMES_REDIRECT_URI] !== true || context?.oidc.route !== 'token') return
  if (!context.oidc.body?.['redirect_uri'])
    throw new errors.InvalidRequest('redirect_uri is needed, as in the authorization request')
}
