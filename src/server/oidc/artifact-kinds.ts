import { errors, type AdapterPayload, type KoaContextWithOIDC } from 'oidc-provider'
import { type JsonObject, isObject } from '../../lib/json.ts'
import { agentSummary } from '../login/agent-summary.ts'
import { shownNetworkOf } from '../login/guard/network.ts'
import { stateOf } from './request-state.ts'

// These functions tell what oidc-provider's kinds of artifacts have to do with sessions.

type RequestContext = KoaContextWithOIDC | undefined

/**
 * The stored kinds. A new kind comes with another feature of the library. A test checks for each kind that every way to
 * end something ends it, too (test/platform/access/sessions/late-writes.test.ts).
 */
export const ARTIFACT_KINDS = [
  'Session',
  'Grant',
  'Interaction',
  'AuthorizationCode',
  'AccessToken',
  'RefreshToken',
] as const

export type ArtifactKind = (typeof ARTIFACT_KINDS)[number]

/** The library also looks for kinds that nobody was given, but must not store any. */
export function refuseUnknown(kind: string): void {
  if (!ARTIFACT_KINDS.some((known) => known === kind)) throw new Error(`no rule says how a ${kind} ends`)
}

const TOKENS = new Set(['AuthorizationCode', 'AccessToken', 'RefreshToken'])

/** Tells whether an application holds artifacts of this kind. */
export function isToken(kind: string): boolean {
  return TOKENS.has(kind)
}

/**
 * The session that must not have ended when an artifact is saved. Access and refresh tokens have none: those of a
 * consumer that lists REFRESH_TOKEN continue without it, and all others end with their grant.
 */
export function sessionBehind(kind: string, payload: AdapterPayload, context: RequestContext): string | null {
  if (kind === 'Session') return payload.uid ?? null
  if (kind === 'AuthorizationCode') return payload.sessionUid ?? null
  // A grant that a browser's request makes has a session, and one that comes from a password has none.
  return kind === 'Grant' ? (context?.oidc.session?.uid ?? null) : null
}

/**
 * The uid of a session that is destroyed; null if only its id in the browser is, which is replaced when someone
 * signs in.
 */
export function uidToEnd(kind: string, id: string, context: RequestContext): string | null {
  const session = kind === 'Session' ? context?.oidc.session : undefined
  return session?.jti === id ? session.uid : null
}

/** The error for an artifact that was not saved. */
export function hasEnded(kind: string, context: RequestContext): Error {
  if (kind === 'Interaction') return new errors.SessionNotFound('the interaction has ended')
  if (context?.oidc.route === 'token') return new errors.InvalidGrant('it was revoked')
  return new errors.LoginRequired('the session has ended')
}

/** The browser and the network of a session, by which people recognise it. Nothing more and no history is stored. */
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

// A stored artifact must not give a reader of the database what its owner holds: the artifact's own value (`jti`),
// the session's cookie, the address by which an interaction continues, or an ID token.

/** The payload to store. */
export function withoutBearerValues(payload: AdapterPayload): JsonObject {
  const { jti: _, returnTo: __, session, params, prompt, ...rest } = payload
  const kept = {
    ...rest,
    ...(session !== undefined && { session: without(session, 'cookie') }),
    ...(params !== undefined && { params: without(params, 'id_token_hint') }),
    ...(prompt !== undefined && { prompt: { ...prompt, details: without(prompt.details, 'id_token_hint') } }),
  }
  // The database stores JSON, in which undefined members do not exist.
  return JSON.parse(JSON.stringify(kept)) as JsonObject
}

/** The payload in the library's form, for a request that came with the value. */
export function withBearerValues(kind: string, id: string, stored: JsonObject, issuer: string): AdapterPayload {
  const payload = { ...stored, jti: id }
  return kind === 'Interaction' ? { ...payload, returnTo: `${issuer}/authenticate/${id}` } : payload
}

function without(value: unknown, member: string): object | undefined {
  if (!isObject(value)) return undefined
  const { [member]: _, ...rest } = value
  return rest
}
