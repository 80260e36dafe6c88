import { errors, type AdapterPayload, type KoaContextWithOIDC } from 'oidc-provider'
import type { JsonObject } from '../../lib/json.ts'
import { agentSummary } from '../login/agent-summary.ts'
import { shownNetworkOf } from '../login/guard/network.ts'
import { stateOf } from './request-state.ts'

// What oidc-provider's kinds of artifacts have to do with sessions.

type RequestContext = KoaContextWithOIDC | undefined

const TOKENS = new Set(['AuthorizationCode', 'AccessToken', 'RefreshToken'])

/** What a session is left with in an application's hands. */
export function isToken(kind: string): boolean {
  return TOKENS.has(kind)
}

/**
 * The session that must not have ended where something is saved. Access and refresh tokens are not asked for one: those of
 * a consumer that lists REFRESH_TOKEN go on without it, and all others end with their grant.
 */
export function sessionBehind(kind: string, payload: AdapterPayload, context: RequestContext): string | null {
  if (kind === 'Session') return payload.uid ?? null
  if (kind === 'AuthorizationCode') return payload.sessionUid ?? null
  // A grant that a browser's request makes; one that comes of a password has no session.
  return kind === 'Grant' ? (context?.oidc.session?.uid ?? null) : null
}

/** Of the session that is destroyed, unless only its name in the browser is: it gets another one when somebody signs in. */
export function uidToEnd(kind: string, id: string, context: RequestContext): string | null {
  const session = kind === 'Session' ? context?.oidc.session : undefined
  return session?.jti === id ? session.uid : null
}

/** What an answer says instead of what was not saved. */
export function hasEnded(kind: string, context: RequestContext): Error {
  if (kind === 'Interaction') return new errors.SessionNotFound('the interaction has ended')
  if (context?.oidc.route === 'token') return new errors.InvalidGrant('it was taken back')
  return new errors.LoginRequired('the session has ended')
}

/** What people know one of their sessions again by: which browser, which network. No more of it is kept, and no history. */
export function originOf(kind: string, context: RequestContext): JsonObject {
  if (kind !== 'Session' || context === undefined) return {}
  const { address, arrivedAt } = stateOf(context)
  return {
    origin: {
      agent: agentSummary(context.get('user-agent')),
      network: shownNetworkOf(address),
      usedAt: arrivedAt.toISOString(),
    },
  }
}
