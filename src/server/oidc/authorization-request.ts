import type { ParsedUrlQuery } from 'node:querystring'
import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { Middleware } from 'koa'
import type { AccessContext } from '../../platform/access/access-context.ts'
import type { Client } from '../../platform/access/clients/client.ts'
import { findClient } from '../../platform/access/clients/clients.ts'
import { domainSettings } from '../../platform/access/methods/domain-settings.ts'
import { plainText } from './answers/failures.ts'
import { NAMES_REDIRECT_URI } from './redirect-uri.ts'

const PATH = '/authenticate'

/** Loads the domain and consumer before the library handles an authorization request. */
export function prepareAuthorization(access: AccessContext): Middleware {
  return async (context, next) => {
    if (context.path !== PATH || context.method === 'OPTIONS') return next()
    const { query, state } = context
    state['requiresPkce'] = (await domainSettings(access)).requiresPkce
    state[NAMES_REDIRECT_URI] = Boolean(query['redirect_uri'])
    const { client_id: clientId } = query
    const client = typeof clientId === 'string' ? await findClient(access, clientId) : null
    if (client !== null) context.query = { ...query, ...omittedBy(client, query), ...allowedTo(client, query) }
    return next()
  }
}

/** Returns the parameters that the request omits and the consumer defines (RFC 6749, sections 3.1, 3.1.2.3 and 3.3). */
function omittedBy({ scopes, defaultRedirectUri }: Client, asked: ParsedUrlQuery): { [parameter: string]: string } {
  return {
    ...(!asked['scope'] && scopes.length > 0 && { scope: scopes.join(' ') }),
    ...(!asked['redirect_uri'] && defaultRedirectUri !== null && { redirect_uri: defaultRedirectUri }),
  }
}

/**
 * Returns the requested scopes that the consumer lists. Many libraries always ask for `openid email profile`, so other
 * scopes are removed, and the answer names the issued scopes (RFC 6749, section 3.3). If none remains, the library
 * rejects the request.
 */
function allowedTo({ allowedScopes }: Client, { scope }: ParsedUrlQuery): { readonly scope?: string } {
  if (typeof scope !== 'string') return {}
  const allowed = scope.split(' ').filter((name) => allowedScopes.includes(name))
  return allowed.length === 0 ? {} : { scope: allowed.join(' ') }
}

/** Called after the library's own checks. */
export function checkAuthorization({ oidc, state }: KoaContextWithOIDC): void {
  // This overwrites a parameter of that name from the client.
  oidc.params![NAMES_REDIRECT_URI] = state[NAMES_REDIRECT_URI] === true ? 'yes' : undefined
  if (oidc.requestParamOIDCScopes.size > 0) return
  const asked = plainText([...oidc.requestParamScopes].join(' '))
  throw new errors.InvalidScope(`none of the scopes exists here: ${asked}`, asked)
}

export function requiresPkce({ state }: KoaContextWithOIDC): boolean {
  return state['requiresPkce'] !== false
}
