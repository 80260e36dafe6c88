import { SCOPES } from '../../../auth/scopes.ts'
import { errors, type Client, type TokenEndpointGrantContext, type KoaContextWithOIDC } from 'oidc-provider'
import { UNKNOWN_SCOPES } from '../clients/clients.ts'
import { ACCESS_TOKEN_SECONDS } from '../lifetimes.ts'
import { carry, FITS, PROOF, type Proof, readProof } from '../../login/proof.ts'
import type { Middleware } from 'koa'
import { isObject } from '../../../lib/json.ts'
import type { AccessContext } from '../../../platform/access/access-context.ts'
import { identifyBearer } from '../../../platform/access/sessions/identify-bearer.ts'

/** The result of a grant type that this platform implements itself. */
export interface Allowed {
  readonly accountUuid: string
  readonly scopes: readonly string[]
  readonly proof: Proof
  /**
   * The grants by claims that count for the access token; left out to use the grants of the last sign-in in a browser.
   */
  readonly fits?: readonly string[]
  /** The name of the grant type, for the library. */
  readonly grantType: string
  /** The longest lifetime of the tokens, if they depend on something that ends. Then there is no refresh token. */
  readonly mostSeconds?: number
}

/**
 * Returns the scopes to issue: the requested ones that are allowed, or all allowed ones if none is requested. Many
 * libraries always ask for `openid email profile`, so other scopes are ignored, and the answer names the issued ones
 * (RFC 6749, section 3.3; OpenID Connect Core 1.0, section 3.1.2.1).
 */
export function scopesToGive(client: Client, asked: string | undefined, allowed: readonly string[]): readonly string[] {
  refuseWithoutScope(client)
  const wanted = (asked ?? '').split(' ').filter((scope) => scope !== '')
  if (wanted.length === 0) return allowed
  const given = [...new Set(wanted)].filter((scope) => allowed.includes(scope))
  if (given.length > 0) return given
  const refused = wanted.join(' ')
  const may = allowed.length === 0 ? 'none' : allowed.join(' ')
  throw new errors.InvalidScope(`none of these scopes is allowed here: ${refused}; allowed: ${may}`, refused)
}

/** Rejects a client whose scopes all do not exist here, because its tokens could do nothing. */
export function refuseWithoutScope({ [UNKNOWN_SCOPES]: listed }: Client): void {
  if (typeof listed !== 'string') return
  const known = Object.keys(SCOPES).join(', ')
  const description = `the scopes of the application consumer do not exist here: ${listed}; known are ${known}`
  throw new errors.InvalidScope(description, listed)
}

export function scopesOfClient({ scope }: Client): readonly string[] {
  return scope?.split(' ') ?? []
}

/** Makes the answer (RFC 6749, section 5.1): an access token with a grant, and a refresh token if the client may. */
export async function makeTokens(
  context: TokenEndpointGrantContext,
  { accountUuid, scopes, proof, fits, grantType, mostSeconds }: Allowed,
): Promise<object> {
  const { oidc } = context
  const { provider, client } = oidc
  const scope = scopes.join(' ')
  oidc.entity(PROOF, proof)
  if (fits !== undefined) oidc.entity(FITS, fits)
  const common = {
    accountId: accountUuid,
    client,
    gty: grantType,
    scope,
    grantId: await makeGrant(context, accountUuid, scope),
  }
  const shorter = mostSeconds === undefined ? {} : { expiresIn: Math.min(ACCESS_TOKEN_SECONDS, mostSeconds) }
  const accessToken = new provider.AccessToken({ ...common, ...shorter })
  const body: { [name: string]: unknown } = {
    access_token: await accessToken.save(),
    token_type: 'Bearer',
    expires_in: accessToken.expiration,
    scope,
  }
  if (mostSeconds === undefined && client.grantTypeAllowed('refresh_token')) {
    const refreshToken = new provider.RefreshToken({ ...common, ...carry(proof), rotations: 0 })
    body['refresh_token'] = await refreshToken.save()
  }
  return body
}

async function makeGrant({ oidc: { provider, client } }: TokenEndpointGrantContext, accountId: string, scope: string) {
  const grant = new provider.Grant({ accountId, clientId: client.clientId })
  grant.addOIDCScope(scope)
  return grant.save()
}

/**
 * Corrects the scopes in the answer, which must be the scopes of the token (RFC 6749, section 5.1). The library returns
 * the scopes that were consented to, and does not know the rule of the provider's method, which limits them.
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
