import type { AccessContext } from '../platform/access/access-context.ts'
import type { Domain } from '../store/domains.ts'

/** What the platform has for signing in to any of its domains. */
export type AccessParts = Omit<AccessContext, 'domain'>

export function accessContext(
  { database, secrets, key, external, grants, now, newId }: AccessParts,
  domain: Domain,
): AccessContext {
  return { database, domain, secrets, key, external, grants, now, newId }
}
