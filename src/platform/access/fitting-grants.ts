import type { Claims } from '../../auth/federation-rules.ts'
import type { Sql } from '../../db/sql.ts'
import { writeAccess } from '../../store/domains.ts'
import { saveFits } from '../../store/external-identities.ts'
import type { AccessContext } from './access-context.ts'

// Which grants somebody has by what another provider claims of them. A token of that provider keeps those that it fits
// (`fits` of its artifact's payload); for people in a browser their identity keeps those of their last sign-in.

/** By their ids. */
export function claimGrantsOf(
  _sql: Sql,
  _domainId: number,
  _methodUuid: string,
  _claims: Claims,
): Promise<readonly string[]> {
  return Promise.resolve([])
}

/** At each sign-in that leads to a token of ours. */
export async function keepFits(
  { database, domain }: AccessContext,
  methodUuid: string,
  identity: string,
  claims: Claims,
): Promise<void> {
  await writeAccess(database, domain.id, async (sql) => {
    await saveFits(sql, domain.id, identity, await claimGrantsOf(sql, domain.id, methodUuid, claims))
  })
}
