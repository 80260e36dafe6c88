import type { Middleware } from 'koa'
import type { Client } from 'oidc-provider'

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
