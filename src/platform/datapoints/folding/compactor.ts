import type { Database, Sql, Transaction } from '../../../db/sql.ts'
import { forgetDomains } from '../../../store/datapoints/arriving/domains-of-buffers.ts'
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
import { foldBesides } from './fold-aside.ts'
import { withFreeKeys } from './failed-merges.ts'
import { BYTES_OF_FOLD, failOfDamaged, foldBuffer, type FoldedRows, type FoldParts } from './fold-buffer.ts'
import type { FoldedPoints } from './fold-points.ts'
import { emptied, type FilledBuffer, type HotBuffers } from './hot-buffers.ts'
import { foldWholeSlot } from './takeover.ts'

interface CompactorParts extends FoldParts {
  readonly database: Database
  readonly buffers: HotBuffers
  readonly committer: Committer
  readonly merger: ChunkMerger
  readonly blockMerger: BlockMerger
  /** A buffer is folded when it has this many points, rows or bytes, or when its first point is this old. */
  readonly atPoints: number
  readonly atRows: number
  readonly atBytes: number
  readonly afterMs: number
}

/** Folds what this process has committed into blocks and chunks. */
export class Compactor {
  readonly #parts: CompactorParts
  /** Whether a fold holds the row of the slot, so that nobody takes the slot over. */
  #isHeld = false
  /**
   * The folded points of the buffer that is being stored. They are made once, even if storing takes several attempts.
   */
  #folded: { readonly of: FilledBuffer; readonly parts: FoldedPoints[]; isFromTable: boolean } | null = null

  constructor(parts: CompactorParts) {
    this.#parts = parts
  }

  /** Folds the buffers that are due. */
  tick(): Promise<void> {
    return this.#inOrder(() => this.#foldWhatIsDue())
  }

  /** Notes that this process is alive, even if a fold or requests are waiting. */
  async beat(): Promise<void> {
    const { database, buffers } = this.#parts
    const active = buffers.current()?.active
    if (active === undefined || this.#isHeld) return
    const { slot, numbers } = active
    const rows: Sql['rows'] = (shape, text, values) => database.rowsAtOnce(shape, text, values)
    const isOurs = await holdSlot({ rows }, { slot, owner: buffers.owner }, numbers.settledUpTo)
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
    const { buffers, atPoints, atRows, atBytes, afterMs } = this.#parts
    const current = buffers.current()
    const of = this.#folded?.of
    if (of !== current?.active && of !== current?.other) this.#folded = null
    if (current === null) return
    const { active, other } = current
    const isLate = active.points > 0 && performance.now() - active.since >= afterMs
    const isFull = active.points >= atPoints || active.rows >= atRows || active.bytes >= atBytes
    const isDue = isLate || isFull
    if (other.points > 0 || isDue) await this.#fold()
  }

  async #fold(): Promise<void> {
    const { buffers, committer } = this.#parts
    const before = buffers.current()
    // If storing failed before, the other buffer still has points.
    if (before !== null && before.other.points > 0) await this.#store(before.other)
    if (buffers.current()?.active.points === 0) return
    // From now on, the process writes to the other buffer.
    buffers.switch()
    await committer.flushed()
    const { other } = buffers.current() ?? {}
    if (other !== undefined && other.points > 0) await this.#store(other)
  }

  async #store(filled: FilledBuffer): Promise<void> {
    const { database, buffers, partitions } = this.#parts
    const parts = await this.#foldFlushes(filled)
    await partitions.ensure(parts.flatMap(({ months }) => months))
    const damaged: string[] = []
    for (let isAll = false; !isAll;) {
      const hold = (sql: Sql) => holdSlot(sql, { slot: filled.slot, owner: buffers.owner }, filled.numbers.settledUpTo)
      const stored = await foldBesides(database, [filled.buffer], hold, () =>
        withFreeKeys((raised) => this.#storeFolded(filled, parts, raised)),
      )
      if (stored === null) {
        this.#folded = null
        return buffers.lose(filled.slot)
      }
      this.#note(stored)
      damaged.push(...stored.damaged)
      isAll = stored.isAll
    }
    this.#folded = null
    emptied(filled)
    failOfDamaged(damaged)
  }

  /** Folds the flushes of a buffer, some at a time, and forgets those that are folded. */
  async #foldFlushes(filled: FilledBuffer): Promise<readonly FoldedPoints[]> {
    const { foldThread, now } = this.#parts
    if (this.#folded?.of !== filled) this.#folded = { of: filled, parts: [], isFromTable: false }
    const { parts } = this.#folded
    const { flushes } = filled
    while (flushes.length > 0) {
      let [end, bytes] = [0, 0]
      do bytes += flushes[end++]?.body.length ?? 0
      while (end < flushes.length && bytes < BYTES_OF_FOLD)
      const part = await foldThread.flushes({
        flushes: flushes.slice(0, end),
        arrivedAt: now(),
        arePart: false,
        raised: 0,
      })
      if (part.damaged !== undefined) this.#folded.isFromTable = true
      parts.push(part)
      flushes.splice(0, end)
    }
    return parts
  }

  /** Null if the slot was taken over. */
  #storeFolded(filled: FilledBuffer, parts: readonly FoldedPoints[], raised: number): Promise<FoldedRows | null> {
    const { database, buffers, partitions } = this.#parts
    return database
      .transaction(async (sql) => {
        await limitWaiting(sql)
        const isOurs = await holdSlot(sql, { slot: filled.slot, owner: buffers.owner }, filled.numbers.settledUpTo)
        this.#isHeld = isOurs
        const stored = isOurs ? await this.#moveWithin(sql, filled, parts, raised) : null
        // The transaction may have taken long, and other processes see this time only after its commit.
        if (stored !== null)
          await holdSlot(sql, { slot: filled.slot, owner: buffers.owner }, filled.numbers.settledUpTo)
        return stored
      })
      .finally(() => (this.#isHeld = false))
      .catch((error: unknown) => {
        // A partition may have been dropped as empty in the meantime.
        partitions.forget()
        throw error
      })
  }

  /**
   * Moves the points of a buffer to their blocks and chunks. The buffer tells which points are left, because an earlier
   * attempt may have been committed.
   */
  async #moveWithin(
    sql: Transaction,
    { buffer, rows, firstGeneration, written }: FilledBuffer,
    parts: readonly FoldedPoints[],
    raised: number,
  ): Promise<FoldedRows> {
    await lockBuffer(sql, buffer)
    const found = await countSegments(sql, buffer)
    const empty = async (): Promise<void> => {
      await forgetDomains(sql, buffer, written)
      await emptyBuffers(sql, [buffer])
    }
    // The noted rows are inserted and deleted together. So if the first one exists, all exist.
    const areAsNoted = found.count === rows && found.firstGeneration === firstGeneration
    // A fold from the table works in parts and keeps damaged rows. So the number of rows that are left proves nothing.
    if ((!areAsNoted || raised > 0) && this.#folded !== null) this.#folded.isFromTable = true
    if (this.#folded?.isFromTable !== false) {
      const stored = await foldBuffer(sql, buffer, { ...this.#parts, raised })
      if (stored.isAll) await empty()
      return stored
    }
    for (const part of parts) await insertFolded(sql, part)
    await empty()
    return { folded: parts, damaged: [], isAll: true }
  }

  #note({ folded }: FoldedRows): void {
    for (const { small, blocks } of folded) {
      this.#parts.merger.note(small)
      this.#parts.blockMerger.note(blocks)
    }
  }

  async #end(): Promise<void> {
    const { database, buffers } = this.#parts
    await this.#fold()
    const active = buffers.current()?.active
    if (active === undefined) return
    const { slot, numbers } = active
    const damaged = await foldWholeSlot(this.#parts, slot, async (sql) => {
      const isOurs = await holdSlot(sql, { slot, owner: buffers.owner }, numbers.settledUpTo)
      for (const buffer of isOurs ? buffersOf(slot) : []) await lockBuffer(sql, buffer)
      return isOurs
    })
    buffers.lose(slot)
    await dropRetiredBuffers(database)
    failOfDamaged(damaged)
  }
}
