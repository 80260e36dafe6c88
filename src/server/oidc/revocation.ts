import type { Middleware } from 'koa'
import type { Client, KoaContextWithOIDC } from 'oidc-provider'

interface Token {
  readonly clientId?: string | undefined
}

/** A client can revoke its own tokens, and does not learn whether other tokens exist (RFC 7009). */
export function mayRevoke(client: Client, { clientId }: Token): boolean {
  return clientId === client.clientId
}

/** Adds an empty JSON body, because simple-oauth2 fails without one, although the body has no use. */
export const answerRevocationInJson: Middleware = async (context, next) => {
  await next()
  if (context.path === '/authenticate/revoke' && context.method === 'POST' && context.status === 200) context.body = {}
}

/**
 * Signing out ends the session and its access tokens, except for a consumer that lists REFRESH_TOKEN, whose tokens
 * are meant for working without the person. The library ends what is not marked in the session.
 */
export function markWhatPersists({ oidc: { client, session } }: KoaContextWithOIDC): void {
  if (client === undefined || session === undefined) return
  session.authorizationFor(client.clientId).persistsLogout = client.grantTypeAllowed('refresh_token')
}
