import type { AdapterPayload } from 'oidc-provider'
import { isObject, type JsonObject } from '../../lib/json.ts'

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
