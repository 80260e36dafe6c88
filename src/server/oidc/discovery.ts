import type { Middleware } from 'koa'
import { isObject } from '../../lib/json.ts'
import type { AccessContext } from '../../platform/access/access-context.ts'
import { delegatedMethods, TOKEN_EXCHANGE } from './clients/clients.ts'

const PATH = '/.well-known/openid-configuration'

/**
 * Removes the token exchange from the discovery document where no other provider is trusted, and with it the clients
 * without a secret: besides the console, these only exchange tokens. The library advertises everything that it knows.
 */
export function advertiseWhatWorks(access: AccessContext): Middleware {
  return async (context, next) => {
    await next()
    const { path, body } = context
    if (path !== PATH || !isObject(body)) return
    const { grant_types_supported: grants, token_endpoint_auth_methods_supported: ways } = body
    if (!Array.isArray(grants) || !Array.isArray(ways) || (await delegatedMethods(access)).length > 0) return
    context.body = {
      ...body,
      grant_types_supported: without(grants, TOKEN_EXCHANGE),
      token_endpoint_auth_methods_supported: without(ways, 'none'),
    }
  }
}

function without(list: readonly unknown[], value: string): readonly unknown[] {
  return list.filter((one) => one !== value)
}
