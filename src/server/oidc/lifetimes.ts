import type { KoaContextWithOIDC, Session } from 'oidc-provider'
import type { AccessContext } from '../../platform/access/access-context.ts'
import { isConsole } from '../../platform/access/clients/clients.ts'
import { SESSION_IDLE_SECONDS, SESSION_SECONDS_IN_ALL } from '../../platform/access/sessions/session-lifetime.ts'
import { readProof, type Proof } from '../login/proof.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const REFRESH_IDLE = 30 * DAY
/** From the first refresh token to the last one that comes out of it. Docs/security.md names it. */
export const REFRESH_IN_ALL = 90 * DAY

export const ACCESS_TOKEN_SECONDS = 10 * MINUTE

type Access = Pick<AccessContext, 'external' | 'now'>

/** The lifetimes of oidc-provider's artifacts in seconds, but for interactions (bind-interaction.ts). */
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
 * An access token of the console lasts as long as its session, from one use to the next (`SessionsInUse`): the console
 * has no refresh token, and keeps its token where no script can read it. Signing out ends it.
 */
function accessTokenSeconds(_: unknown, token: { readonly clientId?: string | undefined }): number {
  return isConsole(token.clientId ?? '') ? SESSION_IDLE_SECONDS : ACCESS_TOKEN_SECONDS
}

type RefreshTokenLike = Parameters<typeof readProof>[0] & { totalLifetime(): number }

/**
 * A refresh token lasts from one use to the next, and never beyond the lifetime of the first token in its family, nor of
 * the sign-in at a provider.
 */
function refreshTokenSeconds(access: Access, token: RefreshTokenLike): number {
  const inAll = REFRESH_IN_ALL - token.totalLifetime()
  return atLeastOne(Math.min(REFRESH_IDLE, inAll, secondsToRefresh(access, readProof(token)) ?? inAll))
}

/**
 * For how long tokens that come out of a sign-in at a provider may still be refreshed; null for other sign-ins. Who has
 * left a company stays here no longer, since nobody asks its provider again.
 */
export function secondsToRefresh({ external, now }: Access, { provider }: Proof): number | null {
  return provider === null ? null : provider.at + external.refreshSeconds - Math.floor(now().getTime() / 1_000)
}

function sessionSeconds(_: unknown, { loginTs }: Session): number {
  if (loginTs === undefined) return SESSION_IDLE_SECONDS
  return atLeastOne(Math.min(SESSION_IDLE_SECONDS, loginTs + SESSION_SECONDS_IN_ALL - Math.floor(Date.now() / 1000)))
}

/**
 * The lifetime of a grant, which is longer than that of everything based on it. An unknown client may have refresh
 * tokens.
 */
function grantSeconds(context: KoaContextWithOIDC | undefined): number {
  const client = context?.oidc.client
  const isBrief = client !== undefined && !client.grantTypeAllowed('refresh_token')
  return SESSION_SECONDS_IN_ALL + (isBrief ? accessTokenSeconds(context, client) : REFRESH_IN_ALL)
}

/** At least one second, because the library accepts no other number. */
function atLeastOne(seconds: number): number {
  return Math.max(1, seconds)
}
