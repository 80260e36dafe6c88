import type { Middleware } from 'koa'
import type { KoaContextWithOIDC } from 'oidc-provider'
import { isObject } from '../../../lib/json.ts'
import type { AccessContext } from '../../../platform/access/access-context.ts'
import { identifyBearer } from '../../../platform/access/sessions/identify-bearer.ts'
import { readProof } from '../proof.ts'

/**
 * Corrects the scopes of a token's answer, which must be those that the token has (RFC 6749, section 5.1). The library
 * tells what was consented to, and knows nothing of the rule by which a provider's person came in.
 */
export function tellScopes(access: AccessContext): Middleware {
  return async (context, next) => {
    await next()
    const { path, status, body } = context
    if (path !== '/authenticate/token' || status !== 200 || !isObject(body)) return
    const { AuthorizationCode: code, RefreshToken: refreshToken } = (context as unknown as KoaContextWithOIDC).oidc
      .entities
    if (readProof(code ?? refreshToken ?? {}).provider === null) return
    const actor = await identifyBearer(access, String(body['access_token']))
    if (actor !== null) context.body = { ...body, scope: actor.scopes.join(' ') }
  }
}
