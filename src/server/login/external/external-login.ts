import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
} from 'openid-client'
import type { AccessContext } from '../../../platform/access/access-context.ts'
import type { Demanded } from '../../../platform/access/delegated/provider/authentication.ts'
import { callbackOf, SHARED_CALLBACK } from '../../../platform/access/methods/callback.ts'
import { listMethods, methodClientSecret, type DelegatedMethod } from '../../../platform/access/methods/methods.ts'
import { tokenHash } from '../../../platform/access/sessions/token-hash.ts'
import { consumeArtifact, findArtifact, saveArtifact } from '../../../store/access/artifacts.ts'
import { readDomain, writeAccess } from '../../../store/domains.ts'
import { INTERACTION_SECONDS, type Interaction } from '../interaction.ts'
import { providerConfigurations } from './provider-configurations.ts'

// The Authorization Code flow for signing in at another provider. This platform is the client (RFC 6749, section 4.1;
// RFC 9700).

const KIND = 'ExternalLogin'
const WANTED = 'openid email profile'

/** The members that every release stores for a pending sign-in. */
type Begun = Omit<PendingLogin, keyof typeof EARLIER>

/** Values for members that an earlier release did not store. It knew only the shared path, and passed no demands on. */
const EARLIER = { callback: SHARED_CALLBACK, demanded: { leftAt: 0, maxAge: null } } as const

/** A sign-in at another provider that waits for the person to come back. */
export interface PendingLogin {
  /** The interaction to which the sign-in belongs. */
  readonly interaction: string
  /** The authentication method. Only an answer of its provider is accepted. */
  readonly method: string
  readonly nonce: string
  readonly verifier: string
  /** The path to which the provider sends the browser back. */
  readonly callback: string
  readonly demanded: Demanded
}

/** Returns the address where the browser signs in at the provider of a method. */
export async function startExternalLogin(
  access: AccessContext,
  method: DelegatedMethod,
  { uid, params }: Pick<Interaction, 'uid' | 'params'>,
  issuer: string,
): Promise<string> {
  const configuration = await openProvider(access, method)
  const state = randomState()
  const callback = callbackOf(method, await listMethods(access))
  const pending = {
    interaction: uid,
    method: method.uuid,
    nonce: randomNonce(),
    verifier: randomPKCECodeVerifier(),
    callback,
    demanded: { leftAt: Math.floor(access.now().getTime() / 1_000), maxAge: maxAgeIn(params) },
  }
  await keepPending(access, state, pending)
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: new URL(callback, issuer).href,
    scope: WANTED,
    state,
    nonce: pending.nonce,
    code_challenge: await calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    ...passedOn(params),
  })
  return url.href
}

/** Returns the application's demands on the authentication, for the provider that asks the person. */
function passedOn(params: Interaction['params']): { [parameter: string]: string } {
  const [hint, acrs, maxAge] = [params['login_hint'], params['acr_values'], maxAgeIn(params)]
  return {
    ...(typeof hint === 'string' && { login_hint: hint }),
    ...(typeof acrs === 'string' && { acr_values: acrs }),
    // With `max_age` the provider must say when it authenticated the person (OpenID Connect Core 1.0, section 3.1.2.1).
    ...(maxAge !== null && { max_age: String(maxAge) }),
    ...(wantsNew(params) && { prompt: 'login' }),
  }
}

/** The maximum age of the authentication in seconds, which oidc-provider has checked; null if none. */
function maxAgeIn(params: Interaction['params']): number | null {
  if (wantsNew(params)) return 0
  return params['max_age'] === undefined ? null : Number(params['max_age'])
}

function wantsNew({ prompt }: Interaction['params']): boolean {
  return typeof prompt === 'string' && prompt.split(' ').includes('login')
}

/** Returns a person's claims from the provider. Fails if state, nonce, issuer or signature is wrong. */
export async function finishExternalLogin(
  access: AccessContext,
  method: DelegatedMethod,
  { pending, url, state }: { pending: PendingLogin; url: URL; state: string },
): Promise<{ readonly [claim: string]: unknown }> {
  const configuration = await openProvider(access, method)
  const tokens = await authorizationCodeGrant(configuration, url, {
    expectedState: state,
    expectedNonce: pending.nonce,
    pkceCodeVerifier: pending.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new Error('the provider gave no ID token')
  return claims['email'] === undefined ? withUserInfo(configuration, tokens.access_token, claims) : claims
}

/**
 * Adds the claims of the userinfo endpoint, because many providers leave name and e-mail out of the ID token (OpenID
 * Connect Core 1.0, section 5.4).
 */
async function withUserInfo<Claims extends { readonly sub: string }>(
  configuration: Configuration,
  accessToken: string,
  claims: Claims,
): Promise<{ readonly [claim: string]: unknown }> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims
  return joinedClaims(claims, await fetchUserInfo(configuration, accessToken, claims.sub))
}

/** Adds the userinfo claims to the others. The address and the claims that verify it always have one source. */
export function joinedClaims(
  claims: object,
  told: { readonly [claim: string]: unknown },
): { readonly [claim: string]: unknown } {
  const { email, email_verified, xms_edov } = told
  return { ...told, ...claims, email, email_verified, xms_edov }
}

async function openProvider(
  access: AccessContext,
  { uuid, configuration: { issuer, clientId } }: DelegatedMethod,
): Promise<Configuration> {
  const clientSecret = await methodClientSecret(access, uuid)
  return providerConfigurations(access.external).open({ method: uuid, issuer, clientId, clientSecret })
}

async function keepPending(access: AccessContext, state: string, pending: PendingLogin): Promise<void> {
  const { database, domain, key } = access
  const now = access.now()
  // The verifier and the interaction are secrets of this sign-in, so they are encrypted.
  const sealed = Buffer.from(key.seal(JSON.stringify(pending), encryptionContext(access))).toString('base64')
  const artifact = {
    kind: KIND,
    hash: tokenHash(state),
    payload: { sealed },
    grantId: null,
    uid: null,
    clientId: null,
    accountUuid: null,
    methodUuid: pending.method,
    scope: null,
    issuedAt: now,
    consumedAt: null,
    expiresAt: new Date(now.getTime() + INTERACTION_SECONDS * 1_000),
  }
  await writeAccess(database, domain.id, (sql) => saveArtifact(sql, domain.id, artifact))
}

/** Returns the pending sign-in without using it up. Null if there is none, or it expired or was used. */
export async function findPending(access: AccessContext, state: string): Promise<PendingLogin | null> {
  const { database, domain, key } = access
  const found = await readDomain(database, domain.id, (sql) => findArtifact(sql, domain.id, KIND, tokenHash(state)))
  if (found === null || found.consumedAt !== null || found.expiresAt <= access.now()) return null
  const sealed = new Uint8Array(Buffer.from(String(found.payload['sealed']), 'base64'))
  const pending = JSON.parse(key.unseal(sealed, encryptionContext(access))) as Partial<PendingLogin> & Begun
  return { ...EARLIER, ...pending }
}

/** Uses a pending sign-in up. It returns true only once, because a second answer is a replay. */
export async function usePending(access: AccessContext, state: string): Promise<boolean> {
  const { database, domain } = access
  return writeAccess(database, domain.id, (sql) =>
    consumeArtifact(sql, domain.id, KIND, tokenHash(state), access.now()),
  )
}

function encryptionContext({ domain }: AccessContext): string {
  return `${KIND} of ${domain.uuid}`
}
