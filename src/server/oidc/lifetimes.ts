import type { KoaContextWithOIDC, Session } from 'oidc-provider'
import { isConsole } from '../../platform/access/clients/clients.ts'
import { SESSION_IDLE_SECONDS, SESSION_SECONDS_IN_ALL } from '../../platform/access/sessions/session-lifetime.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const REFRESH_IDLE = 30 * DAY
const REFRESH_IN_ALL = 90 * DAY

export const ACCESS_TOKEN_SECONDS = 10 * MINUTE

/** The lifetimes of oidc-provider's artifacts in seconds. */
export const LIFETIMES = {
  AccessToken: accessTokenSeconds,
  AuthorizationCode: MINUTE,
  IdToken: 10 * MINUTE,
  Interaction: 10 * MINUTE,
  RefreshToken: refreshTokenSeconds,
  Session: sessionSeconds,
  Grant: grantSeconds,
}

/**
 * An access token of the console lasts as long as its session, from one use to the next (`SessionsInUse`): the console
 * has no refresh token, and keeps its token where no script can read it. Signing out ends it.
 */
function accessTokenSeconds(_: unknown, token: { readonly clientId?: string | undefined }): number {
  return isConsole(token.clientId ?? '') ? SESSION_IDLE_SECONDS : ACCESS_TOKEN_SECONDS
}

/** A refresh token lasts from one use to the next, and never beyond the lifetime of the first token in its family. */
function refreshTokenSeconds(_: unknown, token: { totalLifetime(): number }): number {
  return atLeastOne(Math.min(REFRESH_IDLE, REFRESH_IN_ALL - token.totalLifetime()))
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
