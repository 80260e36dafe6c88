import type { Claims } from '../../../../auth/token-rules.ts'
import { writeAccess } from '../../../../store/domains.ts'
import { forgetOldRefusals, noteRefusal } from '../../../../store/access/external-identities.ts'
import type { AccessContext } from '../../access-context.ts'
import type { DelegatedMethod } from '../../methods/method.ts'
import { IdentityRefusal } from '../refusal.ts'
import { sightingOf } from './told-identity.ts'

// Administrators can see why an identity was refused, and strangers cannot.

/** The maximum number of refused identities without an account that a domain keeps. */
export const MOST_REFUSALS = 1_000
/** The time for which refused identities are kept. */
export const REFUSALS_MS = 30 * 24 * 3_600_000

/** Records the refusal of an identity if the work throws one. The claims must have been checked. */
export async function notingRefusals<Result>(
  context: AccessContext,
  method: DelegatedMethod,
  claims: Claims,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof IdentityRefusal) await note(context, method, claims, error)
    throw error
  }
}

async function note(
  { database, domain, now, newId }: AccessContext,
  method: DelegatedMethod,
  claims: Claims,
  { reason, detail }: IdentityRefusal,
): Promise<void> {
  const sighting = sightingOf(method, claims, now())
  await writeAccess(database, domain.id, async (sql) => {
    await noteRefusal(sql, domain.id, sighting, { uuid: newId(), reason, detail })
    await forgetOldRefusals(sql, domain.id, MOST_REFUSALS)
  })
}
