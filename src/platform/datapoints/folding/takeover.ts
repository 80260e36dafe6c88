import type { Database } from '../../../db/sql.ts'
import { KINDS, newPoints, type Flush } from '../../../datapoints/chunks/flush.ts'
import { insertChunks } from '../../../store/datapoints/chunks.ts'
import { readBuffer, type HotRow } from '../../../store/datapoints/hot-rows.ts'
import { buffersOf, dropRetiredBuffers, limitWaiting } from '../../../store/datapoints/partitions.ts'
import { endSlot, findDeadSlots, takeSlot } from '../../../store/datapoints/writer-slots.ts'
import type { ChunkMerger } from './chunk-merger.ts'
import type { ChunkPartitions } from './chunk-partitions.ts'
import type { FoldedPoints } from './fold-points.ts'
import type { FoldThread } from './fold-thread.ts'

export interface TakeoverParts {
  readonly database: Database
  readonly foldThread: FoldThread
  readonly partitions: ChunkPartitions
  readonly merger: ChunkMerger
  /** A process that was silent for this long counts as dead. */
  readonly deadAfterSeconds: number
}

/** Folds what dead processes left into chunks, and ends their slots. Several processes may do so at once. */
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
      for await (const rows of wholeSeries(readBuffer(sql, buffer))) {
        const folded = await parts.foldThread.flushes([toFlush(rows)])
        await parts.partitions.ensureWithin(sql, folded.months)
        await insertChunks(sql, folded.encoded)
        stored.push(folded)
      }
    }
    await endSlot(sql, slot)
  })
  for (const { small } of stored) parts.merger.note(small)
}

/**
 * Rows come by series, and batches are cut between series, because two chunks of one series might otherwise have the
 * same key.
 */
async function* wholeSeries(batches: AsyncIterable<HotRow[]>): AsyncGenerator<HotRow[]> {
  let rest: HotRow[] = []
  for await (const batch of batches) {
    const all = rest.concat(batch)
    const last = all.at(-1)?.seriesId
    const cut = all.findIndex(({ seriesId }) => seriesId === last)
    rest = all.slice(cut)
    if (cut > 0) yield all.slice(0, cut)
  }
  if (rest.length > 0) yield rest
}

function toFlush(rows: readonly HotRow[]): Flush {
  const points = newPoints(rows.length)
  const generation = new Float64Array(rows.length)
  for (const [index, row] of rows.entries()) {
    points.series[index] = row.seriesId
    points.at[index] = row.at
    points.kinds[index] = KINDS.indexOf(row.kind)
    generation[index] = row.generation
    const value = row.float8 ?? row.text ?? BigInt(row.whole ?? 0)
    if (typeof value === 'number') points.values[index] = value
    else if (typeof value === 'string' || !Number.isSafeInteger(Number(value))) points.others.set(index, value)
    else points.values[index] = Number(value)
    if (rows[index + 1]?.domainId !== row.domainId) points.domains.push({ domainId: row.domainId, end: index + 1 })
  }
  return { ...points, generation }
}
