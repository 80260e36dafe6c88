import { isNodeAway } from '../../../db/sql-error.ts'
import type { Database, Sql } from '../../../db/sql.ts'
import { Attempts } from '../../../lib/attempts.ts'
import { deleteExpiredArtifacts } from '../../../store/access/artifacts.ts'
import { forgetEndedArtifacts } from '../../../store/access/ended-artifacts.ts'
import { deleteOldRefusals } from '../../../store/access/external-identities.ts'
import { listDomainIds, writeAccess } from '../../../store/domains.ts'
import { forgetFailures, forgetPlaces } from '../../../store/access/sign-in-failures.ts'
import { inEachDomain } from '../../../store/nodes-of-domains.ts'
import { deleteExpiredPasswordLinks } from '../../../store/access/password-links.ts'
import { deleteExpiredPlans } from '../../../store/model/kept-plans.ts'
import { REFUSALS_MS } from '../delegated/identity/refused-identities.ts'

/** The rows of one batch. They are so few that their locks delay no other request. */
const BATCH = 1_000

/** No request takes that long. A request may continue after its token has expired: see `stillMay`. */
const LONGEST_REQUEST_MS = 7_200_000

const REMOVALS = [
  deleteArtifacts,
  deleteExpiredPasswordLinks,
  deleteExpiredPlans,
  deleteRefusals,
  forgetEndedArtifacts,
  forgetFailures,
  forgetPlaces,
]

/**
 * Removes expired rows in all domains, and returns their number. Any number of processes may do this at once. If one
 * removal fails, the others continue, and its error is thrown at the end.
 */
export async function sweepExpired(database: Database, now: Date): Promise<number> {
  let removed = 0
  const attempts = new Attempts()
  await inEachDomain(database, await database.read(listDomainIds), attempts, async (domainId) => {
    for (const remove of REMOVALS) {
      try {
        removed += await removeAll(database, domainId, (sql) => remove(sql, domainId, now, BATCH))
      } catch (error) {
        // Each other removal would wait for the same node.
        if (isNodeAway(error)) throw error
        await attempts.make(() => Promise.reject(error))
      }
    }
  })
  attempts.end()
  return removed
}

function deleteArtifacts(sql: Sql, domainId: number, now: Date, most: number): Promise<number> {
  return deleteExpiredArtifacts(sql, domainId, new Date(now.getTime() - LONGEST_REQUEST_MS), most)
}

function deleteRefusals(sql: Sql, domainId: number, now: Date, most: number): Promise<number> {
  return deleteOldRefusals(sql, domainId, new Date(now.getTime() - REFUSALS_MS), most)
}

async function removeAll(
  database: Database,
  domainId: number,
  removeBatch: (sql: Sql) => Promise<number>,
): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await writeAccess(database, domainId, removeBatch)
    removed += count
    if (count < BATCH) return removed
  }
}
