import type { Database, Transaction } from '../../../db/sql.ts'
import { countSegments } from '../../../store/datapoints/arriving/hot-rows.ts'
import {
  buffersOf,
  dropRetiredBuffers,
  emptyBuffers,
  limitWaiting,
  lockBuffer,
} from '../../../store/datapoints/packed/partitions.ts'
import { holdSlot } from '../../../store/datapoints/arriving/writer-slots.ts'
import { insertFolded, type BlockMerger } from './block-merger.ts'
import type { ChunkMerger } from './chunk-merger.ts'
import type { Committer } from '../ingest/committer.ts'
import { foldBuffer, foldSlot, type FoldParts } from './fold-buffer.ts'
import type { FoldedPoints } from './fold-points.ts'
import type { FilledBuffer, HotBuffers } from './hot-buffers.ts'

export interface CompactorParts extends FoldParts {
  readonly database: Database
  readonly buffers: HotBuffers
  readonly committer: Committer
  readonly merger: ChunkMerger
  readonly blockMerger: BlockMerger
  /** A buffer is folded when it has this many points or rows, or when its first point is this old. */
  readonly atPoints: number
  readonly atRows: number
  readonly afterMs: number
}

/** Folds what this process has committed into blocks and chunks. */
export class Compactor {
  readonly #parts: CompactorParts
  /** Whether a fold holds the row of the slot, so that nobody takes the slot over. */
  #isHeld = false
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

  /** Notes that this process is alive, whatever a fold waits for meanwhile. */
  async beat(): Promise<void> {
    const { database, buffers } = this.#parts
    const active = buffers.current()?.active
    if (active === undefined || this.#isHeld) return
    const { slot, numbers } = active
    const isOurs = await database.transaction((sql) =>
      holdSlot(sql, { slot, owner: buffers.owner }, numbers.settledUpTo),
    )
    if (!isOurs) buffers.lose(slot)
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
  }

  async #fold(): Promise<void> {
    const { buffers, committer } = this.#parts
    const before = buffers.current()
    // The other buffer still has points where they could not be stored before.
    if (before !== null && before.other.points > 0) await this.#store(before.other)
    if (buffers.current()?.active.points === 0) return
    // From here on the other buffer is written to.
    buffers.switch()
    await committer.flushed()
    const { other } = buffers.current() ?? {}
    if (other !== undefined && other.points > 0) await this.#store(other)
  }

  async #store(filled: FilledBuffer): Promise<void> {
    const { database, buffers, foldThread, partitions, merger, blockMerger, now } = this.#parts
    if (this.#folded?.of !== filled)
      this.#folded = { of: filled, points: await foldThread.flushes(filled.flushes, now()) }
    const { points } = this.#folded
    await partitions.ensure(points.months)
    const stored = await database
      .transaction(async (sql) => {
        await limitWaiting(sql)
        const isOurs = await holdSlot(sql, { slot: filled.slot, owner: buffers.owner }, filled.numbers.settledUpTo)
        this.#isHeld = isOurs
        return isOurs ? this.#moveWithin(sql, filled, points) : null
      })
      .finally(() => (this.#isHeld = false))
      .catch((error: unknown) => {
        // A partition may have been dropped as empty in the meantime.
        partitions.forget()
        throw error
      })
    this.#folded = null
    if (stored === null) return buffers.lose(filled.slot)
    for (const { small, blocks } of stored) {
      merger.note(small)
      blockMerger.note(blocks)
    }
    filled.flushes.length = 0
    filled.points = 0
    filled.rows = 0
  }

  /**
   * Puts the points of a buffer where they are to stay. The buffer says which these are, because an earlier attempt may have
   * been committed.
   */
  async #moveWithin(sql: Transaction, { buffer, flushes, rows }: FilledBuffer, points: FoldedPoints) {
    await lockBuffer(sql, buffer)
    const found = await countSegments(sql, buffer)
    // Those that are noted come and go together, so with their first one all of them are there.
    const isAsNoted = found.count === rows && found.firstGeneration === flushes[0]?.generation
    const stored = isAsNoted ? [points] : await foldBuffer(sql, buffer, this.#parts)
    if (isAsNoted) await insertFolded(sql, points)
    await emptyBuffers(sql, [buffer])
    return stored
  }

  async #end(): Promise<void> {
    const { database, buffers } = this.#parts
    await this.#fold()
    const active = buffers.current()?.active
    if (active === undefined) return
    const { slot, numbers } = active
    await database.transaction(async (sql) => {
      await limitWaiting(sql)
      if (!(await holdSlot(sql, { slot, owner: buffers.owner }, numbers.settledUpTo))) return
      for (const buffer of buffersOf(slot)) await lockBuffer(sql, buffer)
      await foldSlot(sql, slot, this.#parts)
    })
    buffers.lose(slot)
    await dropRetiredBuffers(database)
  }
}
