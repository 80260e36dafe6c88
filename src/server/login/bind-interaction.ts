import type { KoaContextWithOIDC } from 'oidc-provider'
import type { AccessContext } from '../../platform/access/access-context.ts'
import { bindingOf, browserCookie } from './binding.ts'
import { INTERACTION_SECONDS, type Interaction } from './interaction.ts'

/**
 * Binds a new interaction to its browser, and returns its lifetime in seconds. It is `ttl.Interaction` of
 * oidc-provider, which calls it right before it stores the interaction. `cid` is a random id that the library stores
 * and never reads.
 */
export function bindInteraction(access: AccessContext, koa: KoaContextWithOIDC, interaction: Interaction): number {
  const secure = koa.oidc.provider.issuer.startsWith('https:')
  const { name, value, seconds } = browserCookie((cookie) => koa.cookies.get(cookie, { signed: false }), secure)
  interaction.cid = bindingOf(access, value)
  koa.cookies.set(name, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    signed: false,
    overwrite: true,
    maxAge: seconds * 1000,
  })
  return INTERACTION_SECONDS
}
