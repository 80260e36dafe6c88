import type { Database } from '../../../db/sql.ts'
import {
  buffersOf,
  dropRetiredBuffers,
  emptyBuffer,
  isBufferEmpty,
  limitWaiting,
} from '../../../store/datapoints/partitions.ts'
import { endSlot, holdSlot } from '../../../store/datapoints/writer-slots.ts'
import { insertFolded, type BlockMerger } from './block-merger.ts'
import type { ChunkMerger } from './chunk-merger.ts'
import type { ChunkPartitions } from './chunk-partitions.ts'
import type { Committer } from '../committer.ts'
import type { FoldedPoints } from './fold-points.ts'
import type { FoldThread } from './fold-thread.ts'
import type { FilledBuffer, HotBuffers } from './hot-buffers.ts'

export interface CompactorParts {
  readonly database: Database
  readonly buffers: HotBuffers
  readonly committer: Committer
  readonly foldThread: FoldThread
  readonly partitions: ChunkPartitions
  readonly merger: ChunkMerger
  readonly blockMerger: BlockMerger
  /** A buffer is folded when it has this many points or rows, or when its first point is this old. */
  readonly atPoints: number
  readonly atRows: number
  readonly afterMs: number
  /** In microseconds since 1970. */
  now(): number
}

const HEARTBEAT_MS = 3_000

/** Folds what this process has committed into blocks and chunks. */
export class Compactor {
  readonly #parts: CompactorParts
  #lastHeartbeat = 0
  /**
   * The folded points of the buffer that is being stored. They are made once, even where storing takes several
   * attempts.
   */
  #folded: { readonly of: FilledBuffer; readonly points: FoldedPoints } | null = null

  constructor(parts: CompactorParts) {
    this.#parts = parts
  }

  /** Folds what is due. */
  tick(): Promise<void> {
    return this.#inOrder(() => this.#foldWhatIsDue())
  }

  /** Folds everything that is there now. */
  compact(): Promise<void> {
    return this.#inOrder(() => this.#fold())
  }

  /** Folds everything and releases the slot. Nothing may be written afterwards. */
  end(): Promise<void> {
    return this.#inOrder(() => this.#end())
  }

  #last: Promise<void> = Promise.resolve()

  #inOrder(work: () => Promise<void>): Promise<void> {
    const next = this.#last.then(work)
    this.#last = next.catch(() => undefined)
    return next
  }

  async #foldWhatIsDue(): Promise<void> {
    const { buffers, atPoints, atRows, afterMs } = this.#parts
    const current = buffers.current()
    if (current === null) return
    const { active, other } = current
    const isLate = active.points > 0 && performance.now() - active.since >= afterMs
    const isDue = isLate || active.points >= atPoints || active.rows >= atRows
    if (other.points > 0 || isDue) await this.#fold()
    else await this.#beat(active.slot)
  }

  async #fold(): Promise<void> {
    const { buffers, committer } = this.#parts
    const before = buffers.current()
    // The other buffer still has points where they could not be stored before.
    if (before !== null && before.other.points > 0) await this.#store(before.other)
    if (buffers.current()?.active.points === 0) return
    buffers.switch()
    await committer.flushed()
    const current = buffers.current()
    if (current !== null && current.other.points > 0) await this.#store(current.other)
  }

  async #store(filled: FilledBuffer): Promise<void> {
    const { database, buffers, committer, foldThread, partitions, merger, blockMerger, now } = this.#parts
    if (this.#folded?.of !== filled)
      this.#folded = { of: filled, points: await foldThread.flushes(filled.flushes, now()) }
    const { points } = this.#folded
    await partitions.ensure(points.months)
    const isOurs = await database
      .transaction(async (sql) => {
        await limitWaiting(sql)
        if (!(await holdSlot(sql, filled.slot, committer.settledUpTo))) return false
        // An earlier attempt was committed, and its answer was lost.
        if (await isBufferEmpty(sql, filled.buffer)) return true
        await insertFolded(sql, points)
        await emptyBuffer(sql, filled.buffer)
        return true
      })
      .catch((error: unknown) => {
        // A partition may have been dropped as empty in the meantime.
        partitions.forget()
        throw error
      })
    this.#folded = null
    this.#lastHeartbeat = performance.now()
    if (!isOurs) return buffers.lose(filled.slot)
    merger.note(points.small)
    blockMerger.note(points.blocks)
    filled.flushes.length = 0
    filled.points = 0
    filled.rows = 0
  }

  async #beat(slot: number): Promise<void> {
    const { database, buffers, committer } = this.#parts
    if (performance.now() - this.#lastHeartbeat < HEARTBEAT_MS) return
    const isOurs = await database.transaction((sql) => holdSlot(sql, slot, committer.settledUpTo))
    this.#lastHeartbeat = performance.now()
    if (!isOurs) buffers.lose(slot)
  }

  async #end(): Promise<void> {
    const { database, buffers, committer } = this.#parts
    await this.#fold()
    const { slot } = buffers
    if (slot === null) return
    await database.transaction(async (sql) => {
      await limitWaiting(sql)
      if (!(await holdSlot(sql, slot, committer.settledUpTo))) return
      for (const buffer of buffersOf(slot)) if (!(await isBufferEmpty(sql, buffer))) return
      await endSlot(sql, slot)
    })
    buffers.lose(slot)
    await dropRetiredBuffers(database)
  }
}
