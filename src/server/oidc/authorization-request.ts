import type { ParsedUrlQuery } from 'node:querystring'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Middleware } from 'koa'
import type { AccessContext } from '../../platform/access/access-context.ts'
import type { Client } from '../../platform/access/clients/client.ts'
import { findClient } from '../../platform/access/clients/clients.ts'
import { domainSettings } from '../../platform/access/methods/domain-settings.ts'

const PATH = '/authenticate'

/** Reads what must be known about the domain and the consumer before the library handles an authorization request. */
export function prepareAuthorization(access: AccessContext): Middleware {
  return async (context, next) => {
    if (context.path !== PATH || context.method === 'OPTIONS') return next()
    context.state['requiresPkce'] = (await domainSettings(access)).requiresPkce
    const { client_id: clientId } = context.query
    const client = typeof clientId === 'string' ? await findClient(access, clientId) : null
    if (client !== null) context.query = { ...context.query, ...omittedBy(client, context.query) }
    return next()
  }
}

/** The parameters that the request leaves out and the consumer defines (RFC 6749, sections 3.1, 3.1.2.3 and 3.3). */
function omittedBy({ scopes, defaultRedirectUri }: Client, asked: ParsedUrlQuery): { [parameter: string]: string } {
  return {
    ...(!asked['scope'] && scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(!asked['redirect_uri'] && defaultRedirectUri !== null && { redirect_uri: defaultRedirectUri }),
  }
}

export function requiresPkce({ state }: KoaContextWithOIDC): boolean {
  return state['requiresPkce'] !== false
}
