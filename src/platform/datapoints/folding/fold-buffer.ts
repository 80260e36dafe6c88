import type { Sql, Transaction } from '../../../db/sql.ts'
import { packSegments } from '../../../datapoints/segments/packed-flush.ts'
import { readBuffer, type HotRow } from '../../../store/datapoints/arriving/hot-rows.ts'
import { buffersOf } from '../../../store/datapoints/packed/partitions.ts'
import { endSlot } from '../../../store/datapoints/arriving/writer-slots.ts'
import { insertFolded } from './block-merger.ts'
import type { ChunkPartitions } from './chunk-partitions.ts'
import type { FoldedPoints } from './fold-points.ts'
import type { HotFlush } from './fold-ranges.ts'
import type { FoldThread } from './fold-thread.ts'

export interface FoldParts {
  readonly foldThread: FoldThread
  readonly partitions: ChunkPartitions
  /** In microseconds since 1970. */
  now(): number
}

/** Folds what is stored in the buffers of a slot, which nobody can write to meanwhile, and ends the slot. */
export async function foldSlot(sql: Transaction, slot: number, parts: FoldParts): Promise<FoldedPoints[]> {
  const stored: FoldedPoints[] = []
  for (const buffer of buffersOf(slot)) stored.push(...(await foldBuffer(sql, buffer, parts)))
  await endSlot(sql, slot)
  return stored
}

/**
 * Folds what is stored in a buffer, whatever any process remembers of it. The buffer is not emptied, and nobody may
 * write to it until the end of the transaction.
 */
export async function foldBuffer(sql: Transaction, buffer: number, parts: FoldParts): Promise<FoldedPoints[]> {
  const stored: FoldedPoints[] = []
  for await (const flushes of storedFlushes(sql, buffer)) {
    const folded = await parts.foldThread.flushes(flushes, parts.now())
    await parts.partitions.ensureWithin(sql, folded.months)
    await insertFolded(sql, folded)
    stored.push(folded)
  }
  return stored
}

/** Rows that are folded together, so that they fit into memory. */
const ROWS_OF_FOLD = 10_000

/**
 * Rows come by flush, and are cut between flushes, because two chunks of one series might otherwise have the same key.
 */
async function* storedFlushes(sql: Sql, buffer: number): AsyncGenerator<HotFlush[]> {
  let rest: HotRow[] = []
  for await (const batch of readBuffer(sql, buffer)) {
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
