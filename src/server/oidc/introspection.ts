import type { Middleware } from 'koa'
import type { Client, KoaContextWithOIDC } from 'oidc-provider'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import type { AccessContext } from '../../platform/access/access-context.ts'
import { identifyBearer } from '../../platform/access/sessions/bearer.ts'
import { findClient } from '../../platform/access/clients/clients.ts'
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

/**
 * The library tells what an access token was given for. A resource server goes by what it allows now, as we do; and of a
 * token of another provider, which the library does not look at, by whether the API takes it.
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
      context.body = actor === null ? { active: false } : { ...body, scope: actor.scopes.join(' ') }
    }
    if (body['error'] === STRUCTURED && client !== undefined) {
      context.status = 200
      context.body = client.clientAuthMethod === 'none' ? { active: false } : await describeForeign(access, token)
    }
  }
}

/** The library's error for a token that is a JWT; by then it knows the client. */
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

/** Of a token that was checked. */
function claimsOf(token: string): { readonly [claim: string]: unknown } {
  const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return isObject(payload) ? payload : {}
}
