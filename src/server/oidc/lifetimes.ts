import type { KoaContextWithOIDC, Session } from 'oidc-provider'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const REFRESH_IDLE = 30 * DAY
const REFRESH_IN_ALL = 90 * DAY
const SESSION_IDLE = HOUR
const SESSION_IN_ALL = 8 * HOUR

export const ACCESS_TOKEN_SECONDS = 10 * MINUTE

/** In seconds. */
export const LIFETIMES = {
  AccessToken: ACCESS_TOKEN_SECONDS,
  AuthorizationCode: MINUTE,
  IdToken: 10 * MINUTE,
  Interaction: 10 * MINUTE,
  RefreshToken: refreshTokenSeconds,
  Session: sessionSeconds,
  Grant: grantSeconds,
}

/** From one use to the next, and never beyond what the first one of its family may live. */
function refreshTokenSeconds(_: unknown, token: { totalLifetime(): number }): number {
  return atLeastOne(Math.min(REFRESH_IDLE, REFRESH_IN_ALL - token.totalLifetime()))
}

function sessionSeconds(_: unknown, { loginTs }: Session): number {
  if (loginTs === undefined) return SESSION_IDLE
  return atLeastOne(Math.min(SESSION_IDLE, loginTs + SESSION_IN_ALL - Math.floor(Date.now() / 1000)))
}

/** A grant outlives what hangs on it. Where the client is not known, it may be one with refresh tokens. */
function grantSeconds(context: KoaContextWithOIDC | undefined): number {
  const client = context?.oidc.client
  const isBrief = client !== undefined && !client.grantTypeAllowed('refresh_token')
  return SESSION_IN_ALL + (isBrief ? ACCESS_TOKEN_SECONDS : REFRESH_IN_ALL)
}

/** The library takes no other number; what has no time left ends with this second. */
function atLeastOne(seconds: number): number {
  return Math.max(1, seconds)
}
