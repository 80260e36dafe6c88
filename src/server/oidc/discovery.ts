import type { Middleware } from 'koa'
import { isObject } from '../../lib/json.ts'
import type { AccessContext } from '../../platform/access/access-context.ts'
import { delegatedMethods, TOKEN_EXCHANGE } from './clients/clients.ts'

const PATH = '/.well-known/openid-configuration'

/**
 * Removes the token exchange from the discovery document where no other provider is trusted. The library advertises
 * every grant type that it knows.
 */
export function advertiseWhatWorks(access: AccessContext): Middleware {
  return async (context, next) => {
    await next()
    const { path, body } = context
    if (path !== PATH || !isObject(body) || !Array.isArray(body['grant_types_supported'])) return
    if ((await delegatedMethods(access)).length > 0) return
    const grants: readonly unknown[] = body['grant_types_supported']
    context.body = { ...body, grant_types_supported: grants.filter((grant) => grant !== TOKEN_EXCHANGE) }
  }
}
