import type { Middleware } from 'koa'
import type { Client } from 'oidc-provider'

interface Token {
  readonly clientId?: string | undefined
}

/** A client takes back what it was given itself. Of other tokens it is not even told that they exist (RFC 7009). */
export function mayRevoke(client: Client, { clientId }: Token): boolean {
  return clientId === client.clientId
}

/** Nobody needs the body of such an answer, but simple-oauth2 fails where there is no JSON in it. */
export const answerRevocationInJson: Middleware = async (context, next) => {
  await next()
  if (context.path === '/authenticate/revoke' && context.method === 'POST' && context.status === 200) context.body = {}
}
