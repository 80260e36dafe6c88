import { isNodeAway } from '../../../db/sql-error.ts'
import type { Database, Transaction } from '../../../db/sql.ts'
import { Attempts } from '../../../lib/attempts.ts'
import { ASIDE } from '../../../store/datapoints/arriving/domains-of-buffers.ts'
import { endRowsAside, listDomainsOfBuffer, setRowsAside } from '../../../store/datapoints/arriving/rows-aside.ts'
import { limitWaiting, lockBuffer } from '../../../store/datapoints/packed/partitions.ts'
import { findDomainsAway } from '../../../store/nodes-of-domains.ts'
import type { BlockMerger } from './block-merger.ts'
import type { ChunkMerger } from './chunk-merger.ts'
import { withFreeKeys } from './failed-merges.ts'
import { failOfDamaged, foldBuffer, type FoldParts } from './fold-buffer.ts'

type Hold = (sql: Transaction) => Promise<boolean>

/**
 * Folds buffers. If a node of the database is away, sets the rows of its domains aside and folds the others. So the node
 * stops neither the fold nor, later, all senders. The fold and the move are transactions that each have to `hold` the slot.
 */
export async function foldBesides<T>(
  database: Database,
  buffers: readonly number[],
  hold: Hold,
  fold: () => Promise<T>,
): Promise<T> {
  try {
    if ((database.away?.().size ?? 0) === 0) return await fold()
  } catch (error) {
    if (!isNodeAway(error)) throw error
  }
  for (const buffer of buffers) await setAside(database, buffer, hold)
  return fold()
}

async function setAside(database: Database, buffer: number, hold: Hold): Promise<void> {
  const away = await findDomainsAway(database, await listDomainsOfBuffer(database, buffer))
  if (away.length === 0) return
  await database.transaction(async (sql) => {
    await limitWaiting(sql)
    if (!(await hold(sql))) return
    await lockBuffer(sql, buffer)
    await setRowsAside(sql, buffer, away)
  })
}

interface AsideParts extends FoldParts {
  readonly database: Database
  readonly merger: ChunkMerger
  readonly blockMerger: BlockMerger
}

/** Folds the rows that were set aside, domain by domain, if their nodes can be reached again. */
export async function foldRowsAside(parts: AsideParts): Promise<void> {
  const { database } = parts
  const attempts = new Attempts()
  const domains = await listDomainsOfBuffer(database, ASIDE)
  // Another process may have dropped some partitions.
  if (domains.length > 0) parts.partitions.forget()
  const away = new Set(domains.length === 0 ? [] : await findDomainsAway(database, domains))
  for (const domainId of domains) if (!away.has(domainId)) await attempts.make(() => foldDomain(parts, domainId))
  attempts.end()
}

async function foldDomain({ database, merger, blockMerger, ...parts }: AsideParts, domainId: number): Promise<void> {
  for (let isAll = false; !isAll;) {
    const rows = await withFreeKeys((raised) =>
      database.transaction(async (sql) => {
        await limitWaiting(sql)
        await lockBuffer(sql, ASIDE)
        const folded = await foldBuffer(sql, ASIDE, { ...parts, raised }, domainId)
        if (folded.isAll) await endRowsAside(sql, domainId)
        return folded
      }),
    )
    for (const { small, blocks } of rows.folded) {
      merger.note(small)
      blockMerger.note(blocks)
    }
    failOfDamaged(rows.damaged)
    isAll = rows.isAll
  }
}
