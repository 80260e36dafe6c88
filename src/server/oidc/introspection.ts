import type { Middleware } from 'koa'
import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import type { AccessContext } from '../../platform/access/access-context.ts'
import { identifyBearer } from '../../platform/access/sessions/identify-bearer.ts'
import { findClient } from '../../platform/access/clients/clients.ts'
import { findActiveAccount } from './accounts.ts'
import { secondsAhead, shifted } from './library-clock.ts'

interface Token {
  readonly kind: string
  readonly clientId?: string | undefined
  readonly accountId?: string | undefined
}

/**
 * Tells whether a client may introspect a token. Every consumer may ask about the access tokens of its domain, as
 * resource servers do (RFC 7662), but only about its own refresh tokens. A token is reported as inactive if its account
 * or consumer is not ACTIVATED.
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
  // A token without a consumer comes from an exchange, and its method has been checked.
  return consumer === null || consumer.status === 'ACTIVATED'
}

/**
 * Corrects the library's answer, so that it has the present scopes of an access token, and not the issued ones. The
 * library does not check tokens of other providers. They are reported as active if the API accepts them.
 */
export function introspectPresent(access: AccessContext): Middleware {
  return async (context, next) => {
    await next()
    const { path, body } = context
    if (path !== '/authenticate/introspect' || !isObject(body)) return
    const { params, client } = (context as unknown as KoaContextWithOIDC).oidc
    const token = String(params?.['token'])
    if (body['token_type'] === 'Bearer') {
      const actor = await identifyBearer(access, token)
      context.body =
        actor === null ? { active: false } : { ...shifted(body, secondsAhead(access)), scope: actor.scopes.join(' ') }
    }
    if (body['error'] === STRUCTURED && client !== undefined) {
      context.status = 200
      context.body = client.clientAuthMethod === 'none' ? { active: false } : await describeForeign(access, token)
    }
  }
}

/** The library's error for a JWT. When it occurs, the client is already authenticated. */
const STRUCTURED = 'unsupported_token_type'

async function describeForeign(access: AccessContext, token: string): Promise<object> {
  const actor = await identifyBearer(access, token).catch(unlessRefused)
  if (actor === null) return { active: false }
  const { exp, iat, iss, aud } = claimsOf(token)
  const { account, scopes } = actor
  const who = { sub: account?.uuid, username: actor.name }
  return { active: true, token_type: 'Bearer', scope: scopes.join(' '), ...who, exp, iat, iss, aud }
}

function unlessRefused(error: unknown): null {
  if (error instanceof HoldfastError && error.code === 'UNAUTHENTICATED') return null
  throw error
}

/** The claims of a token that was checked. */
function claimsOf(token: string): { readonly [claim: string]: unknown } {
  const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return isObject(payload) ? payload : {}
}
