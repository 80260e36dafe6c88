import type { Database } from '../../../db/sql.ts'
import type { HotFlush } from './fold-ranges.ts'
import { buffersOf } from '../../../store/datapoints/packed/partitions.ts'
import { FlushNumbers } from '../ingest/flush-numbers.ts'
import { claimSlot } from '../../../store/datapoints/arriving/writer-slots.ts'

/** The flushes that this process has committed and not folded yet. */
export interface FilledBuffer {
  readonly slot: number
  readonly buffer: number
  /** The flush numbers of the slot. */
  readonly numbers: FlushNumbers
  /** The flushes that are not folded yet. */
  readonly flushes: HotFlush[]
  /** The number of the first flush. */
  firstGeneration: number
  points: number
  /** The number of rows of these flushes. */
  rows: number
  bytes: number
  /** The domains of these flushes. */
  written: Set<number>
  /** The domains that are noted in the database. */
  noted: Set<number>
  /** The time of the first commit, in milliseconds of the process. */
  since: number
}

/** The slot of this process with its two buffers. One is written while the other one is folded. */
export class HotBuffers {
  readonly #database: Database
  readonly #newId: () => string
  #owner: string
  #claimed: { readonly slot: number; active: FilledBuffer; other: FilledBuffer } | null = null
  #claiming: Promise<void> | null = null

  constructor(database: Database, newId: () => string) {
    this.#database = database
    this.#newId = newId
    this.#owner = newId()
  }

  /** The id under which this process holds its slot. No other process has it, not even this one after a restart. */
  get owner(): string {
    return this.#owner
  }

  /** The number of points that wait to be folded. */
  get points(): number {
    return this.#claimed === null ? 0 : this.#claimed.active.points + this.#claimed.other.points
  }

  /** The number of bytes of these points. */
  get bytes(): number {
    return this.#claimed === null ? 0 : this.#claimed.active.bytes + this.#claimed.other.bytes
  }

  /** The time for which the oldest of these points has waited; 0 if there are none. */
  get oldestMs(): number {
    const { active, other } = this.#claimed ?? {}
    const since = [active, other].flatMap((one) => (one !== undefined && one.points > 0 ? [one.since] : []))
    return since.length === 0 ? 0 : performance.now() - Math.min(...since)
  }

  /** The buffer to write to. The slot is claimed on first use. */
  async active(): Promise<FilledBuffer> {
    while (this.#claimed === null) {
      this.#claiming ??= this.#claim().finally(() => (this.#claiming = null))
      await this.#claiming
    }
    return this.#claimed.active
  }

  async #claim(): Promise<void> {
    const { slot, settled } = await claimSlot(this.#database, this.#owner).catch((error: unknown) => {
      // The slot may exist although the statement failed. This process then takes another id, so the takeover finds the
      // slot.
      this.#owner = this.#newId()
      throw error
    })
    const [active, other] = buffersOf(slot)
    const of = { slot, numbers: new FlushNumbers(settled) }
    this.#claimed = { slot, active: newBuffer(of, active), other: newBuffer(of, other) }
  }

  /** Null if nothing was ever written. */
  current(): { readonly active: FilledBuffer; readonly other: FilledBuffer } | null {
    return this.#claimed
  }

  /** Makes the other buffer, which must be empty, the active one. */
  switch(): void {
    const claimed = this.#claimed
    if (claimed === null) return
    this.#claimed = { slot: claimed.slot, active: claimed.other, other: claimed.active }
  }

  /**
   * Leaves the slot, because it belongs to another database, or because the answer to a flush was lost. Then a process
   * takes it over like the slot of a dead process: another process, or this one under another id.
   */
  leave(): void {
    if (this.#claimed === null) return
    this.#claimed = null
    this.#owner = this.#newId()
  }

  /** Forgets a slot that was taken over. All that it had is in blocks or chunks, and the next flush claims another. */
  lose(slot: number): void {
    if (this.#claimed?.slot === slot) this.#claimed = null
  }
}

function newBuffer(of: Pick<FilledBuffer, 'slot' | 'numbers'>, buffer: number): FilledBuffer {
  return {
    ...of,
    buffer,
    flushes: [],
    firstGeneration: 0,
    points: 0,
    rows: 0,
    bytes: 0,
    written: new Set(),
    noted: new Set(),
    since: 0,
  }
}

/** Notes a flush that was committed to a buffer. */
export function noteFlush(filled: FilledBuffer, flush: HotFlush): void {
  if (flush.count === 0) return
  if (filled.points === 0) {
    filled.since = performance.now()
    filled.firstGeneration = flush.generation
  }
  filled.flushes.push(flush)
  filled.points += flush.count
  filled.rows += flush.pieces.length
  filled.bytes += flush.body.length
  for (const { domainId } of flush.pieces) filled.written.add(domainId)
}

/** Notes that everything in a buffer is folded, and that the notes of other domains were removed. */
export function emptied(filled: FilledBuffer): void {
  filled.flushes.length = 0
  filled.points = 0
  filled.rows = 0
  filled.bytes = 0
  filled.noted = filled.written
  filled.written = new Set()
}
