import { Provider, type AdapterPayload } from 'oidc-provider'
import { servesRedirect } from '../../../auth/redirect-uri.ts'
import type { AccessContext } from '../../../platform/access/access-context.ts'
import type { Client, GrantType } from '../../../platform/access/clients/client.ts'
import { findClient, isConsole } from '../../../platform/access/clients/clients.ts'
import { plainText } from '../answers/failures.ts'
import { listMethods, type DelegatedMethod } from '../../../platform/access/methods/methods.ts'

/** The grant type of RFC 8693, section 2.1. */
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

const GRANT_TYPES: { readonly [type in GrantType]: string } = {
  AUTHORIZATION_CODE: 'authorization_code',
  PASSWORD: 'password',
  REFRESH_TOKEN: 'refresh_token',
}

/** A member of a client's metadata: its users are not asked for consent. */
export const SKIPS_CONSENT = 'skips_consent'

/** A member of a client's metadata: its scopes, if none of them exists here. */
export const UNKNOWN_SCOPES = 'unknown_scopes'

/** Finds a client of a domain: an application consumer, or the public client for tokens of another provider. */
export async function findClientMetadata(
  context: AccessContext,
  issuer: string,
  identifier: string,
  secret: string,
): Promise<AdapterPayload | undefined> {
  const client = await findClient(context, identifier)
  if (client !== null && isConsole(identifier)) return consoleMetadata(client, issuer)
  if (client !== null) return client.status === 'ACTIVATED' ? metadataOf(client, secret) : undefined
  return (await isClientOfMethod(context, identifier)) ? publicMetadata(identifier) : undefined
}

/** The path to which people return after they signed in to the console. */
export const CONSOLE_CALLBACK = '/console/callback'

/** The metadata of the console, at the address of its domain. It is a public client (RFC 6749, section 2.1). */
function consoleMetadata({ identifier, name, scopes }: Client, issuer: string): AdapterPayload {
  return {
    client_id: identifier,
    client_name: name,
    token_endpoint_auth_method: 'none',
    grant_types: [GRANT_TYPES.AUTHORIZATION_CODE],
    response_types: ['code'],
    redirect_uris: [`${issuer}${CONSOLE_CALLBACK}`],
    post_logout_redirect_uris: [`${issuer}/`],
    scope: scopes.join(' '),
    [SKIPS_CONSENT]: true,
  }
}

/**
 * Returns the metadata of a client. `secret` is a random text that nobody knows. If the library ever compared it, it
 * would reject everybody instead of letting somebody in.
 */
function metadataOf(client: Client, secret: string): AdapterPayload {
  const redirectUris = client.redirectUris.filter(servesRedirect)
  // The authorization endpoint needs a redirect URI and a scope.
  const canBeSentBack = redirectUris.length > 0 && client.scopes.length > 0
  const grants = client.grantTypes.filter((type) => type !== 'AUTHORIZATION_CODE' || canBeSentBack)
  return {
    client_id: client.identifier,
    client_name: client.name,
    client_secret: secret,
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: [
      ...grants.map((type) => GRANT_TYPES[type]),
      // A consumer whose users sign in with a browser may also exchange tokens of their provider
      // (docs/how-to/company-login.md).
      ...(client.grantTypes.includes('AUTHORIZATION_CODE') ? [TOKEN_EXCHANGE] : []),
    ],
    response_types: grants.includes('AUTHORIZATION_CODE') ? ['code'] : [],
    redirect_uris: redeemsCode() ? impliedFirst(client, redirectUris) : redirectUris,
    post_logout_redirect_uris: redirectUris,
    // For the library an empty text means no limit, but for our own grant types it means no scopes.
    ...(client.scopes.length > 0 && { scope: client.allowedScopes.join(' ') }),
    ...(client.scopes.length === 0 &&
      client.unknownScopes.length > 0 && { [UNKNOWN_SCOPES]: plainText(client.unknownScopes.join(' ')) }),
    [SKIPS_CONSENT]: client.skipsConsent,
  }
}

function redeemsCode(): boolean {
  return Provider.ctx?.oidc.route === 'token'
}

/**
 * Returns the redirect URIs for a token request. If a client omitted the redirect URI in its authorization request and
 * has a default one, it also omits it when it redeems the code (RFC 6749, section 4.1.3). The library only accepts that
 * if there is exactly one URI.
 */
function impliedFirst({ defaultRedirectUri }: Client, redirectUris: readonly string[]): readonly string[] {
  return defaultRedirectUri !== null && redirectUris.includes(defaultRedirectUri) ? [defaultRedirectUri] : redirectUris
}

async function isClientOfMethod(context: AccessContext, identifier: string): Promise<boolean> {
  const methods = await delegatedMethods(context)
  return methods.some(({ configuration }) => configuration.clientId === identifier)
}

/** Returns the ACTIVATED methods of other providers. Without one, no token can be exchanged. */
export async function delegatedMethods(context: AccessContext): Promise<DelegatedMethod[]> {
  const methods = await listMethods(context)
  return methods.filter(
    (method): method is DelegatedMethod => method.kind === 'openid-delegated' && method.status === 'ACTIVATED',
  )
}

function publicMetadata(identifier: string): AdapterPayload {
  return {
    client_id: identifier,
    token_endpoint_auth_method: 'none',
    grant_types: [TOKEN_EXCHANGE],
    response_types: [],
    redirect_uris: [],
  }
}
