import { randomBytes } from 'node:crypto'
import type { Configuration, Adapter, AdapterPayload, Grant, KoaContextWithOIDC } from 'oidc-provider'
import { needsPkce } from '../../auth/redirect-uri.ts'
import { SCOPES } from '../../auth/scopes.ts'
import type { AccessContext } from '../../platform/access/access-context.ts'
import type { SigningKeys } from '../../platform/access/keys/signing-keys.ts'
import { cookieName, bindInteraction } from '../login/binding.ts'
import { interactionUrl } from '../login/interaction-url.ts'
import { CLAIMS, findActiveAccount } from './accounts.ts'
import { ArtifactAdapter } from './artifact-adapter.ts'
import { checkAuthorization, requiresPkce } from './authorization-request.ts'
import { SKIPS_CONSENT, UNKNOWN_SCOPES, findClientMetadata } from './clients/clients.ts'
import { mayIntrospect } from './introspection.ts'
import { lifetimesFor } from './lifetimes.ts'
import { renderError, renderSignedOut, renderSignOut } from './pages.ts'
import { NAMES_REDIRECT_URI } from './redirect-uri.ts'
import { mayRevoke } from './revocation.ts'

const CLIENT_SECRET_BYTES = 32

/** The configuration of oidc-provider, besides its defaults. Advertised features that nobody needs are off. */
export function configurationFor(access: AccessContext, issuer: string, keys: SigningKeys): Configuration {
  const clientSecret = randomBytes(CLIENT_SECRET_BYTES).toString('base64url')
  return {
    adapter: (kind) =>
      kind === 'Client' ? new ClientAdapter(access, issuer, clientSecret) : new ArtifactAdapter(kind, access, issuer),
    findAccount: (_, uuid) => findActiveAccount(access, uuid),
    claims: CLAIMS,
    // Auth.js, passport and others read only the ID token, so it contains all claims that the scopes allow.
    conformIdTokenClaims: false,
    scopes: Object.keys(SCOPES),
    responseTypes: ['code'],
    // Only RS256 is offered, because every client knows it, and Debian's mod_auth_openidc refuses EdDSA.
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    // The first key signs.
    jwks: { keys: keys.published },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    extraClientMetadata: { properties: [SKIPS_CONSENT, UNKNOWN_SCOPES] },
    // Consumers are servers. Only the platform's own pages send requests from a browser.
    clientBasedCORS: (_, origin) => origin === issuer,
    extraParams: { [NAMES_REDIRECT_URI]: checkAuthorization },
    pkce: {
      required: (context, client) =>
        client.clientAuthMethod === 'none' ||
        requiresPkce(context) ||
        needsPkce(String(context.oidc.params?.['redirect_uri'])),
    },
    ttl: {
      ...lifetimesFor(access),
      Interaction: (context, interaction) => bindInteraction(access, context, interaction),
    },
    formats: { bitsOfOpaqueRandomness: 256 },
    rotateRefreshToken: true,
    issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
    // Tokens do not depend on the session. `markWhatPersists` decides which tokens end when the person signs out.
    expiresWithSession: () => false,
    loadExistingGrant: existingGrant,
    // An omitted redirect URI means the only one, or the default one: see authorization-request.ts and clients.ts.
    allowOmittingSingleRegisteredRedirectUri: true,
    interactions: { url: (context, interaction) => interactionUrl(access, context, interaction) },
    routes: ROUTES,
    cookies: cookies(issuer.startsWith('https:')),
    renderError,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      introspection: { enabled: true, allowedPolicy: (_, client, token) => mayIntrospect(access, client, token) },
      revocation: { enabled: true, allowedPolicy: (_, client, token) => mayRevoke(client, token) },
      rpInitiatedLogout: { enabled: true, logoutSource: renderSignOut, postLogoutSuccessSource: renderSignedOut },
    },
  }
}

const ROUTES = {
  authorization: '/authenticate',
  token: '/authenticate/token',
  jwks: '/authenticate/keys',
  userinfo: '/authenticate/userinfo',
  revocation: '/authenticate/revoke',
  introspection: '/authenticate/introspect',
  end_session: '/logout',
}

/** Returns the names of the cookies. `__Host-` requires the path `/`, but the library narrows it for two cookies. */
function cookies(isSecure: boolean): Configuration['cookies'] {
  const options = { httpOnly: true, sameSite: 'lax', secure: isSecure } as const
  const part = (name: string) => `${isSecure ? '__Secure-' : ''}holdfast-${name}`
  return {
    names: { session: cookieName('session', isSecure), interaction: part('interaction'), resume: part('resume') },
    long: options,
    short: options,
  }
}

/** Reads clients from records and methods. The library cannot write them. */
class ClientAdapter implements Adapter {
  readonly #context: AccessContext
  readonly #issuer: string
  readonly #secret: string

  constructor(context: AccessContext, issuer: string, secret: string) {
    this.#context = context
    this.#issuer = issuer
    this.#secret = secret
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return findClientMetadata(this.#context, this.#issuer, id, this.#secret)
  }

  findByUid = readOnly
  findByUserCode = readOnly
  upsert = readOnly
  consume = readOnly
  destroy = readOnly
  revokeByGrantId = readOnly
}

function readOnly(): Promise<undefined> {
  return Promise.reject(new Error('clients are not made by signing in'))
}

/**
 * Returns the grant that the application already has, from this sign-in or an earlier one in the session. A consumer
 * that skips consent gets all requested scopes.
 */
export async function existingGrant(context: KoaContextWithOIDC): Promise<Grant | undefined> {
  const found = await findGrant(context)
  return context.oidc.client?.[SKIPS_CONSENT] === true ? allowAll(context, found) : found
}

async function findGrant({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { provider, result, session, client, account } = oidc
  const id = result?.consent?.grantId ?? (client && session?.grantIdFor(client.clientId))
  const grant = id === undefined ? undefined : await provider.Grant.find(id)
  const isTheirs = grant?.accountId === account?.accountId && grant?.clientId === client?.clientId
  return isTheirs ? grant : undefined
}

async function allowAll({ oidc }: KoaContextWithOIDC, found: Grant | undefined): Promise<Grant> {
  const { provider, client, account, requestParamOIDCScopes: asked } = oidc
  const grant = found ?? new provider.Grant({ accountId: account?.accountId, clientId: client?.clientId })
  const missing = asked.difference(new Set(grant.getOIDCScope().split(' ')))
  if (found !== undefined && missing.size === 0) return found
  grant.addOIDCScope(missing)
  await grant.save()
  return grant
}
