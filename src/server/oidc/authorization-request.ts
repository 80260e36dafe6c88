import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Middleware } from 'koa'
import type { AccessContext } from '../../platform/access/access-context.ts'
import { findClient } from '../../platform/access/clients.ts'
import { readDomain } from '../../store/domains.ts'
import { fetchDomainSettings } from '../../store/domain-settings.ts'

const PATH = '/authenticate'

/** What has to be known of the domain and the consumer before the library looks at an authorization request. */
export function prepareAuthorization(access: AccessContext): Middleware {
  return async (context, next) => {
    if (context.path !== PATH || context.method === 'OPTIONS') return next()
    context.state['requiresPkce'] = (await settingsOf(access)).requiresPkce
    const { client_id: clientId, scope } = context.query
    if (typeof clientId === 'string' && !scope) {
      const client = await findClient(access, clientId)
      // None asked for: all that the consumer has (RFC 6749, section 3.3).
      if (client !== null && client.scopes.length > 0)
        context.query = { ...context.query, scope: client.scopes.join(' ') }
    }
    return next()
  }
}

export function requiresPkce({ state }: KoaContextWithOIDC): boolean {
  return state['requiresPkce'] !== false
}

function settingsOf({ database, domain }: AccessContext) {
  return readDomain(database, domain.id, (sql) => fetchDomainSettings(sql, domain.id))
}
