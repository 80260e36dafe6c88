import { errors, type AdapterPayload, type KoaContextWithOIDC } from 'oidc-provider'
import { type JsonObject, isObject } from '../../lib/json.ts'
import { agentSummary } from '../login/agent-summary.ts'
import { shownNetworkOf } from '../login/guard/network.ts'
import { stateOf } from './request-state.ts'

// The relation between oidc-provider's kinds of artifacts and sessions.

type RequestContext = KoaContextWithOIDC | undefined

/**
 * The stored kinds. New features of the library may add kinds. A test checks for each kind that every way to end access
 * also ends its artifacts (test/platform/access/sessions/late-writes.test.ts).
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

/** Rejects unknown kinds. The library may look them up, but must not store them. */
export function refuseUnknown(kind: string): void {
  if (!ARTIFACT_KINDS.some((known) => known === kind)) throw new Error(`no rule says how a ${kind} ends`)
}

const TOKENS = new Set(['AuthorizationCode', 'AccessToken', 'RefreshToken'])

/** Tells whether an application holds artifacts of this kind. */
export function isToken(kind: string): boolean {
  return TOKENS.has(kind)
}

/**
 * Returns the session that must still exist when an artifact is saved. Access and refresh tokens have none: with
 * REFRESH_TOKEN they survive the session, and otherwise they end with their grant.
 */
export function sessionBehind(kind: string, payload: AdapterPayload, context: RequestContext): string | null {
  if (kind === 'Session') return payload.uid ?? null
  if (kind === 'AuthorizationCode') return payload.sessionUid ?? null
  // A grant from a browser's request has a session. A grant from a password has none.
  return kind === 'Grant' ? (context?.oidc.session?.uid ?? null) : null
}

/** Returns the uid of a session that is destroyed. Null if only its id in the browser changes, at a sign-in. */
export function uidToEnd(kind: string, id: string, context: RequestContext): string | null {
  const session = kind === 'Session' ? context?.oidc.session : undefined
  return session?.jti === id ? session.uid : null
}

/** Returns the error for an artifact that was not saved. */
export function hasEnded(kind: string, context: RequestContext): Error {
  if (kind === 'Interaction') return new errors.SessionNotFound('the interaction has ended')
  if (context?.oidc.route === 'token') return new errors.InvalidGrant('it was revoked')
  return new errors.LoginRequired('the session has ended')
}

/** Returns the browser and the network of a session, so that people recognise it. Nothing else is stored. */
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

// A stored artifact must not let a reader of the database act as its owner. So the following is not stored: the
// artifact's own value (`jti`), the session's cookie, the address of an interaction, and ID tokens.

/** Returns the payload for the database. */
export function withoutBearerValues(payload: AdapterPayload): JsonObject {
  const { jti: _, returnTo: __, session, params, prompt, ...rest } = payload
  const kept = {
    ...rest,
    ...(session !== undefined && { session: without(session, 'cookie') }),
    ...(params !== undefined && { params: without(params, 'id_token_hint') }),
    ...(prompt !== undefined && { prompt: { ...prompt, details: without(prompt.details, 'id_token_hint') } }),
  }
  // The database stores JSON, which has no undefined members.
  return JSON.parse(JSON.stringify(kept)) as JsonObject
}

/** Returns the payload in the library's form. The request has sent the value of the artifact. */
export function withBearerValues(kind: string, id: string, stored: JsonObject, issuer: string): AdapterPayload {
  const payload = { ...stored, jti: id }
  return kind === 'Interaction' ? { ...payload, returnTo: `${issuer}/authenticate/${id}` } : payload
}

function without(value: unknown, member: string): object | undefined {
  if (!isObject(value)) return undefined
  const { [member]: _, ...rest } = value
  return rest
}
