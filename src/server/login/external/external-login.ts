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
import { methodClientSecret, type DelegatedMethod } from '../../../platform/access/methods/methods.ts'
import { tokenHash } from '../../../platform/access/sessions/token-hash.ts'
import { consumeArtifact, findArtifact, saveArtifact } from '../../../store/access/artifacts.ts'
import { readDomain, writeAccess } from '../../../store/domains.ts'
import type { Interaction } from '../interaction.ts'
import { providerConfigurations } from './provider-configurations.ts'

// This is the Authorization Code flow of a sign-in at another provider, with this platform as the client (RFC 6749,
// section 4.1; RFC 9700).

/** The address that providers send people back to, and that operators register there. */
export const CALLBACK = '/login/callback'

const KIND = 'ExternalLogin'
const PENDING_MS = 600_000
const WANTED = 'openid email profile'

/** What is remembered about a sign-in at another provider until it comes back. */
export interface PendingLogin {
  /** The interaction that it belongs to. */
  readonly interaction: string
  /** The authentication method. Only its provider's answer is accepted. */
  readonly method: string
  readonly nonce: string
  readonly verifier: string
}

/** The address where the browser signs in at the provider of a method. */
export async function startExternalLogin(
  access: AccessContext,
  method: DelegatedMethod,
  { uid, params }: Pick<Interaction, 'uid' | 'params'>,
  issuer: string,
): Promise<string> {
  const configuration = await openProvider(access, method)
  const state = randomState()
  const pending = { interaction: uid, method: method.uuid, nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
  await keepPending(access, state, pending)
  const hint = params['login_hint']
  const url = buildAuthorizationUrl(configuration, {
    redirect_uri: new URL(CALLBACK, issuer).href,
    scope: WANTED,
    state,
    nonce: pending.nonce,
    code_challenge: await calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    ...(typeof hint === 'string' && { login_hint: hint }),
  })
  return url.href
}

/**
 * The claims of the person who came back from the provider. It checks state, nonce, issuer, signature and the rest,
 * and fails otherwise.
 */
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
  const told = await fetchUserInfo(configuration, accessToken, claims.sub)
  // `email_verified` may only be trusted together with the address of the same source.
  return { ...told, ...claims, email: told.email, email_verified: told.email_verified }
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
  // The verifier and the interaction are secrets of this sign-in, so they are stored encrypted.
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
    expiresAt: new Date(now.getTime() + PENDING_MS),
  }
  await writeAccess(database, domain.id, (sql) => saveArtifact(sql, domain.id, artifact))
}

/**
 * The pending sign-in; null where it was never begun, began too long ago, or has come back before. It is not used up.
 */
export async function findPending(access: AccessContext, state: string): Promise<PendingLogin | null> {
  const { database, domain, key } = access
  const found = await readDomain(database, domain.id, (sql) => findArtifact(sql, domain.id, KIND, tokenHash(state)))
  if (found === null || found.consumedAt !== null || found.expiresAt <= access.now()) return null
  const sealed = new Uint8Array(Buffer.from(String(found.payload['sealed']), 'base64'))
  return JSON.parse(key.unseal(sealed, encryptionContext(access))) as PendingLogin
}

/** Uses a pending sign-in up. It returns true only once, because an answer that comes back twice is a replay. */
export async function usePending(access: AccessContext, state: string): Promise<boolean> {
  const { database, domain } = access
  return writeAccess(database, domain.id, (sql) =>
    consumeArtifact(sql, domain.id, KIND, tokenHash(state), access.now()),
  )
}

function encryptionContext({ domain }: AccessContext): string {
  return `${KIND} of ${domain.uuid}`
}
