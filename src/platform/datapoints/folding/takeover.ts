import type { Database, Transaction } from '../../../db/sql.ts'
import { Attempts } from '../../../lib/attempts.ts'
import { buffersOf, dropRetiredBuffers, limitWaiting } from '../../../store/datapoints/packed/partitions.ts'
import { findDeadSlots, takeSlot } from '../../../store/datapoints/arriving/writer-slots.ts'
import type { BlockMerger } from './block-merger.ts'
import type { ChunkMerger } from './chunk-merger.ts'
import { foldBesides, foldRowsAside } from './fold-aside.ts'
import { withFreeKeys } from './failed-merges.ts'
import { failOfDamaged, foldSlot, type FoldParts } from './fold-buffer.ts'

interface SlotParts extends FoldParts {
  readonly database: Database
  readonly merger: ChunkMerger
  readonly blockMerger: BlockMerger
}

export interface TakeoverParts extends SlotParts {
  /** A process that was silent for this long counts as dead. */
  readonly deadAfterSeconds: number
}

/**
 * Folds the rows of dead processes, and ends their slots. It also folds rows that were set aside. Several processes may
 * do so at once.
 */
export async function takeOver(parts: TakeoverParts, self: string): Promise<void> {
  const dead = await findDeadSlots(parts.database, parts.deadAfterSeconds, self)
  // Another process may have dropped some partitions.
  if (dead.length > 0) parts.partitions.forget()
  const attempts = new Attempts()
  for (const slot of dead) await attempts.make(() => takeOverSlot(parts, slot))
  if (dead.length > 0) await attempts.make(() => dropRetiredBuffers(parts.database))
  await attempts.make(() => foldRowsAside(parts))
  attempts.end()
}

async function takeOverSlot({ deadAfterSeconds, ...parts }: TakeoverParts, slot: number): Promise<void> {
  failOfDamaged(await foldWholeSlot(parts, slot, (sql) => takeSlot(sql, slot, deadAfterSeconds)))
}

/**
 * Folds a slot, in several transactions that each have to `hold` it, and ends it. Returns why rows could not be read.
 */
export async function foldWholeSlot(
  { database, ...parts }: SlotParts,
  slot: number,
  hold: (sql: Transaction) => Promise<boolean>,
): Promise<string[]> {
  const damaged: string[] = []
  for (let isOver = false; !isOver;) {
    const fold = () =>
      withFreeKeys((raised) =>
        database.transaction(async (sql) => {
          await limitWaiting(sql)
          return (await hold(sql)) ? foldSlot(sql, slot, { ...parts, raised }) : null
        }),
      )
    const rows = await foldBesides(database, buffersOf(slot), hold, fold)
    for (const { small, blocks } of rows?.folded ?? []) {
      parts.merger.note(small)
      parts.blockMerger.note(blocks)
    }
    damaged.push(...(rows?.damaged ?? []))
    isOver = rows?.isAll ?? true
  }
  return damaged
}
