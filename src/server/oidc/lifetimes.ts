import type { KoaContextWithOIDC, Session } from 'oidc-provider'
import type { AccessContext } from '../../platform/access/access-context.ts'
import { isConsole } from '../../platform/access/clients/clients.ts'
import { SESSION_IDLE_SECONDS, SESSION_SECONDS_IN_ALL } from '../../platform/access/sessions/session-lifetime.ts'
import { readProof, type Proof } from '../login/proof.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const REFRESH_IDLE = 30 * DAY
/** The lifetime of a family of refresh tokens, from the first to the last. docs/security.md states it. */
export const REFRESH_IN_ALL = 90 * DAY

export const ACCESS_TOKEN_SECONDS = 10 * MINUTE

type Access = Pick<AccessContext, 'external' | 'now'>

/**
 * Returns the lifetimes of oidc-provider's artifacts in seconds. binding.ts has the lifetime of interactions.
 */
export function lifetimesFor(access: Access) {
  return {
    AccessToken: accessTokenSeconds,
    AuthorizationCode: MINUTE,
    IdToken: 10 * MINUTE,
    RefreshToken: (_: unknown, token: RefreshTokenLike) => refreshTokenSeconds(access, token),
    Session: sessionSeconds,
    Grant: grantSeconds,
  }
}

/**
 * Returns the lifetime of an access token. In the console it lasts as long as its session and is extended with each use
 * (`SessionsInUse`), because the console has no refresh token. Scripts cannot read the console's token. Signing out
 * ends it.
 */
function accessTokenSeconds(_: unknown, token: { readonly clientId?: string | undefined }): number {
  return isConsole(token.clientId ?? '') ? SESSION_IDLE_SECONDS : ACCESS_TOKEN_SECONDS
}

type RefreshTokenLike = Parameters<typeof readProof>[0] & { totalLifetime(): number }

/** The lifetime of a refresh token, which each use renews, up to that of its family or of the provider's sign-in. */
function refreshTokenSeconds(access: Access, token: RefreshTokenLike): number {
  const inAll = REFRESH_IN_ALL - token.totalLifetime()
  return atLeastOne(Math.min(REFRESH_IDLE, inAll, secondsToRefresh(access, readProof(token)) ?? inAll))
}

/**
 * Returns how many seconds tokens from a sign-in at a provider may still be refreshed; null for other sign-ins. The
 * limit locks out people who have left a company, because nobody asks its provider again.
 */
export function secondsToRefresh({ external, now }: Access, { provider }: Proof): number | null {
  return provider === null ? null : provider.at + external.refreshSeconds - Math.floor(now().getTime() / 1_000)
}

function sessionSeconds(_: unknown, { loginTs }: Session): number {
  if (loginTs === undefined) return SESSION_IDLE_SECONDS
  return atLeastOne(Math.min(SESSION_IDLE_SECONDS, loginTs + SESSION_SECONDS_IN_ALL - Math.floor(Date.now() / 1000)))
}

/** The lifetime of a grant: longer than of all artifacts based on it. An unknown client could have refresh tokens. */
function grantSeconds(context: KoaContextWithOIDC | undefined): number {
  const client = context?.oidc.client
  const isBrief = client !== undefined && !client.grantTypeAllowed('refresh_token')
  return SESSION_SECONDS_IN_ALL + (isBrief ? accessTokenSeconds(context, client) : REFRESH_IN_ALL)
}

/** Returns at least one second, because the library accepts no smaller lifetime. */
function atLeastOne(seconds: number): number {
  return Math.max(1, seconds)
}
