import { isObject } from '../../../../lib/json.ts'
import { UnreachableError, type GuardedFetch } from './guarded-fetch.ts'

/** The address of a provider's description of itself (OpenID Connect Discovery 1.0, section 4). */
export function descriptionAddress(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
}

/** Reads a JSON object of a provider. It fails with an UnreachableError that gives the reason. */
export async function readDocument(fetch: GuardedFetch, address: string): Promise<{ [key: string]: unknown }> {
  const answer = await fetch(address, { headers: { accept: 'application/json' } })
  if (answer.status !== 200) throw new UnreachableError(`it answers with status ${answer.status}`)
  const value: unknown = await answer.json().catch((error: unknown) => {
    throw error instanceof SyntaxError ? new UnreachableError('its answer is no JSON') : error
  })
  if (isObject(value)) return value
  throw new UnreachableError('its answer is no JSON object')
}
