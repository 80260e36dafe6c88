import { errors, Provider, type Client as OidcClient } from 'oidc-provider'
import type { AccessContext } from '../../../platform/access/access-context.ts'
import { requireMethod } from '../require-method.ts'
import { refuseWithoutScope } from '../answers/token-answer.ts'
import { guardedClientSecret } from './client-secret-guard.ts'

/** The members of the library's client class that are replaced here. */
export interface ClientClass {
  new (metadata: object): object
  readonly prototype: Pick<OidcClient, 'compareClientSecret' | 'grantTypeAllowed' | 'responseTypeAllowed'>
  readonly Schema: { readonly prototype: { redirectUris(): void } }
}

/**
 * Replaces methods of the library, which has no options for this. The library's own tests and maintainers do the same.
 * Each method must exist, so that a new release of the library cannot disable the replacement silently.
 */
export function adaptClients({ Client }: Pick<Provider, 'Client'>, access: AccessContext): void {
  replaceMethods(Client as unknown as ClientClass, (clientId, secret) => guardedClientSecret(access, clientId, secret))
}

export function replaceMethods(
  Client: ClientClass,
  isSecretOf: (clientId: string, secret: string) => Promise<boolean>,
): void {
  requireMethod(Client.prototype, 'compareClientSecret', 1)
  Client.prototype.compareClientSecret = function (this: OidcClient, secret: string) {
    return isSecretOf(this.clientId, secret)
  }
  // With another application type the library would accept other schemes, but compare them less exactly: see
  // clients.ts.
  requireMethod(Client.Schema.prototype, 'redirectUris', 0)
  Client.Schema.prototype.redirectUris = () => undefined
  requireOwnSchemes(Client)
  sayUnauthorized(Client)
}

/**
 * Rejects a grant or response type that the client does not list with `unauthorized_client` (RFC 6749, sections 4.1.2.1
 * and 5.2). The library would use `invalid_request`.
 */
function sayUnauthorized({ prototype }: ClientClass): void {
  requireMethod(prototype, 'grantTypeAllowed', 1)
  requireMethod(prototype, 'responseTypeAllowed', 1)
  const { grantTypeAllowed, responseTypeAllowed } = prototype
  prototype.grantTypeAllowed = function (this: OidcClient, type) {
    const isAllowed = grantTypeAllowed.call(this, type)
    if (!isAllowed && isAskedFor(type)) throw unauthorized(this, type)
    return isAllowed
  }
  prototype.responseTypeAllowed = function (this: OidcClient, type) {
    if (!responseTypeAllowed.call(this, type)) throw unauthorized(this, 'authorization_code')
    return true
  }
}

/** Tells whether the request asks for the grant type. The library also asks about others, as for its refresh token. */
function isAskedFor(grantType: string): boolean {
  const { ctx } = Provider
  return ctx?.oidc.route === 'token' && ctx.oidc.params?.['grant_type'] === grantType
}

const NEEDED: { readonly [grantType: string]: string } = {
  password: 'PASSWORD in grantTypes',
  refresh_token: 'REFRESH_TOKEN in grantTypes',
}

function unauthorized(client: OidcClient, grantType: string): Error {
  refuseWithoutScope(client)
  const needed = NEEDED[grantType] ?? 'AUTHORIZATION_CODE in grantTypes, and redirectUris and scopes that are not empty'
  return new errors.UnauthorizedClient(`this client may not use ${grantType}: its application consumer needs ${needed}`)
}

function requireOwnSchemes(Client: ClientClass): void {
  try {
    void new Client({ client_id: 'check', token_endpoint_auth_method: 'none', redirect_uris: ['com.example.check:/'] })
  } catch (cause) {
    throw new Error('oidc-provider has changed: it refuses the redirect addresses of applications', { cause })
  }
}
