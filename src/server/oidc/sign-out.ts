import type { KoaContextWithOIDC } from 'oidc-provider'

/**
 * Signing out ends the session and the access tokens that came out of it, except where a consumer lists REFRESH_TOKEN:
 * that is there to go on without the person. The library ends what is not marked so in the session.
 */
export function markWhatPersists({ oidc: { client, session } }: KoaContextWithOIDC): void {
  if (client === undefined || session === undefined) return
  session.authorizationFor(client.clientId).persistsLogout = client.grantTypeAllowed('refresh_token')
}
