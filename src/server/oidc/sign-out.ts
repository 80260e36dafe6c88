import type { KoaContextWithOIDC } from 'oidc-provider'

/**
 * Signing out ends the session and its access tokens, except for a consumer that lists REFRESH_TOKEN, whose tokens
 * are meant for working without the person. The library ends what is not marked in the session.
 */
export function markWhatPersists({ oidc: { client, session } }: KoaContextWithOIDC): void {
  if (client === undefined || session === undefined) return
  session.authorizationFor(client.clientId).persistsLogout = client.grantTypeAllowed('refresh_token')
}
