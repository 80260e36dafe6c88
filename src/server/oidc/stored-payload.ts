import type { AdapterPayload } from 'oidc-provider'
import { isObject, type JsonObject } from '../../lib/json.ts'

// What is kept of an artifact must not give whoever reads the database what its owner holds: the artifact's own value
// (`jti`), the session's cookie, the address by which an interaction goes on, somebody's ID token.

/** The payload to store. */
export function withoutBearerValues(payload: AdapterPayload): JsonObject {
  const { jti: _, returnTo: __, session, params, prompt, ...rest } = payload
  const kept = {
    ...rest,
    ...(session !== undefined && { session: without(session, 'cookie') }),
    ...(params !== undefined && { params: without(params, 'id_token_hint') }),
    ...(prompt !== undefined && { prompt: { ...prompt, details: without(prompt.details, 'id_token_hint') } }),
  }
  // As the database will have it: members that are undefined are none.
  return JSON.parse(JSON.stringify(kept)) as JsonObject
}

/** The payload as the library knows it, for whoever came with the value. */
export function withBearerValues(kind: string, id: string, stored: JsonObject, issuer: string): AdapterPayload {
  const payload = { ...stored, jti: id }
  return kind === 'Interaction' ? { ...payload, returnTo: `${issuer}/authenticate/${id}` } : payload
}

function without(value: unknown, member: string): object | undefined {
  if (!isObject(value)) return undefined
  const { [member]: _, ...rest } = value
  return rest
}
