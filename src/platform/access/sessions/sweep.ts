import type { Database, Sql } from '../../../db/sql.ts'
import { deleteExpiredArtifacts } from '../../../store/access/artifacts.ts'
import { forgetEndedArtifacts } from '../../../store/access/ended-artifacts.ts'
import { deleteOldRefusals } from '../../../store/access/external-identities.ts'
import { listDomainIds, writeAccess } from '../../../store/domains.ts'
import { forgetFailures, forgetPlaces } from '../../../store/access/sign-in-failures.ts'
import { deleteExpiredPasswordLinks } from '../../../store/access/password-links.ts'
import { deleteExpiredPlans } from '../../../store/model/kept-plans.ts'
import { REFUSALS_MS } from '../delegated/identity/refused-identities.ts'

/** Small enough that the locks of a batch delay no other request. */
const BATCH = 1_000

/** Longer than any request. A request may continue after its token has expired: see `stillMay`. */
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
 * removal fails, the others continue, and the error is thrown at the end.
 */
export async function sweepExpired(database: Database, now: Date): Promise<number> {
  let removed = 0
  const failures: unknown[] = []
  for (const domainId of await database.read(listDomainIds)) {
    for (const remove of REMOVALS) {
      try {
        removed += await removeAll(database, domainId, (sql) => remove(sql, domainId, now, BATCH))
      } catch (error) {
        failures.push(error)
      }
    }
  }
  if (failures.length > 0) throw failures[0]
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
