import type { Middleware } from 'koa'
import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { isObject } from '../../lib/json.ts'
import type { AccessContext } from '../../platform/access/access-context.ts'
import { identifyBearer } from '../../platform/access/bearer.ts'
import { findClient } from '../../platform/access/clients.ts'
import { findActiveAccount } from './accounts.ts'

interface Token {
  readonly kind: string
  readonly clientId?: string | undefined
  readonly accountId?: string | undefined
}

/**
 * Every consumer may ask about the tokens of its domain, as a resource server does (RFC 7662), and about nobody else's
 * refresh tokens. Of a token whose account or consumer is not ACTIVATED it learns that it is not active.
 */
export async function mayIntrospect(
  access: AccessContext,
  client: Client,
  { kind, clientId, accountId }: Token,
): Promise<boolean> {
  if (client.clientAuthMethod === 'none') return false
  if (kind === 'RefreshToken' && clientId !== client.clientId) return false
  if (accountId === undefined || (await findActiveAccount(access, accountId)) === undefined) return false
  const consumer = clientId === undefined ? null : await findClient(access, clientId)
  // None: the token is one that another provider's was exchanged for, and its method has been looked at.
  return consumer === null || consumer.status === 'ACTIVATED'
}

/** The library tells what an access token was given for. A resource server goes by what it allows now, as we do. */
export function introspectPresent(access: AccessContext): Middleware {
  return async (context, next) => {
    await next()
    const { path, body } = context
    if (path !== '/authenticate/introspect' || !isObject(body) || body['token_type'] !== 'Bearer') return
    const { params } = (context as unknown as KoaContextWithOIDC).oidc
    const actor = await identifyBearer(access, String(params?.['token']))
    context.body = actor === null ? { active: false } : { ...body, scope: actor.scopes.join(' ') }
  }
}
