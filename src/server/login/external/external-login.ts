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

// Signing in at another provider: the Authorization Code flow, with us as the client (RFC 6749, section 4.1; RFC 9700).

/** Where providers send people back to; the address that an operator registers there. */
export const CALLBACK = '/login/callback'

const KIND = 'ExternalLogin'
const PENDING_MS = 600_000
const WANTED = 'openid email profile'

/** What is known of a sign-in at another provider until it comes back. */
export interface PendingLogin {
  /** The interaction that it is part of. */
  readonly interaction: string
  /** The authentication method: only its provider's answer is taken. */
  readonly method: string
  readonly nonce: string
  readonly verifier: string
}

/** Where the browser goes to sign in at the provider of a method. */
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

/** Who came back from the provider. Checks state, nonce, issuer, signature and the rest, and fails otherwise. */
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

/** Many providers keep name and e-mail out of the ID token (OpenID Connect Core 1.0, section 5.4). */
async function withUserInfo<Claims extends { readonly sub: string }>(
  configuration: Configuration,
  accessToken: string,
  claims: Claims,
): Promise<{ readonly [claim: string]: unknown }> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims
  const told = await fetchUserInfo(configuration, accessToken, claims.sub)
  // Whether an address is verified is only to be believed together with the address.
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
  // The verifier and the interaction are secrets of this sign-in; rows of the database give none away.
  const sealed = Buffer.from(key.seal(JSON.stringify(pending), placeOf(access))).toString('base64')
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

/** Null where nobody began this sign-in, or too long ago, or where it has come back before. Does not use it up. */
export async function findPending(access: AccessContext, state: string): Promise<PendingLogin | null> {
  const { database, domain, key } = access
  const found = await readDomain(database, domain.id, (sql) => findArtifact(sql, domain.id, KIND, tokenHash(state)))
  if (found === null || found.consumedAt !== null || found.expiresAt <= access.now()) return null
  const sealed = new Uint8Array(Buffer.from(String(found.payload['sealed']), 'base64'))
  return JSON.parse(key.unseal(sealed, placeOf(access))) as PendingLogin
}

/** True once: an answer that comes back twice is a replay. */
export async function usePending(access: AccessContext, state: string): Promise<boolean> {
  const { database, domain } = access
  return writeAccess(database, domain.id, (sql) =>
    consumeArtifact(sql, domain.id, KIND, tokenHash(state), access.now()),
  )
}

function placeOf({ domain }: AccessContext): string {
  return `${KIND} of ${domain.uuid}`
}
