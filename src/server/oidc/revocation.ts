import type { Middleware } from 'koa'
import type { Client, KoaContextWithOIDC } from 'oidc-provider'

interface Token {
  readonly clientId?: string | undefined
}

/** Tells whether a client may revoke a token. It may revoke its own, and learns of no others (RFC 7009). */
export function mayRevoke(client: Client, { clientId }: Token): boolean {
  return clientId === client.clientId
}

/** Adds an empty JSON body. It has no use, but simple-oauth2 fails without a body. */
export const answerRevocationInJson: Middleware = async (context, next) => {
  await next()
  if (context.path === '/authenticate/revoke' && context.method === 'POST' && context.status === 200) context.body = {}
}

/**
 * Marks artifacts that survive signing out. The session and its access tokens end, unless the consumer lists
 * REFRESH_TOKEN: its tokens are for work without the person. The library ends everything that is not marked in the
 * session.
 */
export function markWhatPersists({ oidc: { client, session } }: KoaContextWithOIDC): void {
  if (client === undefined || session === undefined) return
  session.authorizationFor(client.clientId).persistsLogout = client.grantTypeAllowed('refresh_token')
}
