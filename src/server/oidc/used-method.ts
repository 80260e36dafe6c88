import type { AdapterPayload, KoaContextWithOIDC } from 'oidc-provider'

// By which authentication method somebody signed in goes along with everything that comes out of it, so that it ends
// with the method. From a login to its session, code and refresh tokens oidc-provider carries `acr`, which is how
// somebody has authenticated (OpenID Connect Core 1.0, section 2); no client sees ours. An access token has none; there
// it is that of what it is made from.

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** The member of a token request's entities that holds the method, where there is no code or refresh token to ask. */
export const METHOD = 'Method'

/** The authentication method behind an artifact; null where there was none: a machine user's password needs none. */
export function methodOf(
  kind: string,
  { acr }: AdapterPayload,
  context: KoaContextWithOIDC | undefined,
): string | null {
  const found = kind === 'AccessToken' ? methodOfSource(context) : acr
  return typeof found === 'string' && UUID.test(found) ? found : null
}

function methodOfSource(context: KoaContextWithOIDC | undefined): unknown {
  if (context === undefined) return undefined
  const { AuthorizationCode: code, RefreshToken: refreshToken, [METHOD]: method } = context.oidc.entities
  return method ?? code?.acr ?? refreshToken?.acr
}
