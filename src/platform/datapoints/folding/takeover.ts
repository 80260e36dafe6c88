import type { Database } from '../../../db/sql.ts'
import { packSegments } from '../../../datapoints/segments/packed-flush.ts'
import { readBuffer, type HotRow } from '../../../store/datapoints/hot-rows.ts'
import { buffersOf, dropRetiredBuffers, limitWaiting } from '../../../store/datapoints/partitions.ts'
import { endSlot, findDeadSlots, takeSlot } from '../../../store/datapoints/writer-slots.ts'
import { insertFolded, type BlockMerger } from './block-merger.ts'
import type { ChunkMerger } from './chunk-merger.ts'
import type { ChunkPartitions } from './chunk-partitions.ts'
import type { FoldedPoints, HotFlush } from './fold-points.ts'
import type { FoldThread } from './fold-thread.ts'

export interface TakeoverParts {
  readonly database: Database
  readonly foldThread: FoldThread
  readonly partitions: ChunkPartitions
  readonly merger: ChunkMerger
  readonly blockMerger: BlockMerger
  /** In microseconds since 1970. */
  now(): number
  /** A process that was silent for this long counts as dead. */
  readonly deadAfterSeconds: number
}

/** Folds what dead processes left, and ends their slots. Several processes may do so at once. */
export async function takeOver(parts: TakeoverParts, self: string): Promise<void> {
  const dead = await findDeadSlots(parts.database, parts.deadAfterSeconds, self)
  // Another process may have dropped some partitions.
  if (dead.length > 0) parts.partitions.forget()
  for (const slot of dead) await takeOverSlot(parts, slot)
  if (dead.length > 0) await dropRetiredBuffers(parts.database)
}

async function takeOverSlot({ database, deadAfterSeconds, ...parts }: TakeoverParts, slot: number): Promise<void> {
  const stored: FoldedPoints[] = []
  await database.transaction(async (sql) => {
    await limitWaiting(sql)
    if (!(await takeSlot(sql, slot, deadAfterSeconds))) return
    for (const buffer of buffersOf(slot)) {
      for await (const flushes of wholeFlushes(readBuffer(sql, buffer))) {
        const folded = await parts.foldThread.flushes(flushes, parts.now())
        await parts.partitions.ensureWithin(sql, folded.months)
        await insertFolded(sql, folded)
        stored.push(folded)
      }
    }
    await endSlot(sql, slot)
  })
  for (const { small, blocks } of stored) {
    parts.merger.note(small)
    parts.blockMerger.note(blocks)
  }
}

/** Rows that are folded together, so that they fit into memory. */
const ROWS_OF_FOLD = 10_000

/**
 * Rows come by flush, and are cut between flushes, because two chunks of one series might otherwise have the same key.
 */
async function* wholeFlushes(batches: AsyncIterable<HotRow[]>): AsyncGenerator<HotFlush[]> {
  let rest: HotRow[] = []
  for await (const batch of batches) {
    rest = rest.concat(batch)
    if (rest.length < ROWS_OF_FOLD) continue
    const last = rest.at(-1)?.generation
    const cut = rest.findIndex(({ generation }) => generation === last)
    if (cut > 0) yield flushesOf(rest.slice(0, cut))
    rest = cut > 0 ? rest.slice(cut) : rest
  }
  if (rest.length > 0) yield flushesOf(rest)
}

function flushesOf(rows: readonly HotRow[]): HotFlush[] {
  return [...Map.groupBy(rows, ({ generation }) => generation)].map(([generation, own]) => ({
    ...packSegments(own),
    generation,
  }))
}
