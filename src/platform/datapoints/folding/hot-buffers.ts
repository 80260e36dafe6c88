import type { Database } from '../../../db/sql.ts'
import type { Flush } from '../../../datapoints/chunks/flush.ts'
import { buffersOf } from '../../../store/datapoints/partitions.ts'
import { claimSlot } from '../../../store/datapoints/writer-slots.ts'

/** What this process has committed and not yet folded into chunks. */
export interface FilledBuffer {
  readonly slot: number
  readonly buffer: number
  readonly flushes: Flush[]
  points: number
  /** When the first of them was committed; milliseconds of the process. */
  since: number
}

/** The slot of this process with its two buffers: one is written while the other one is being folded into chunks. */
export class HotBuffers {
  readonly #database: Database
  readonly owner: string
  #claimed: { readonly slot: number; active: FilledBuffer; other: FilledBuffer } | null = null
  #claiming: Promise<void> | null = null

  constructor(database: Database, owner: string) {
    this.#database = database
    this.owner = owner
  }

  get slot(): number | null {
    return this.#claimed?.slot ?? null
  }

  /** Points that wait to be folded. */
  get points(): number {
    return this.#claimed === null ? 0 : this.#claimed.active.points + this.#claimed.other.points
  }

  /** For how long the oldest of them has waited; 0 where there is none. */
  get oldestMs(): number {
    const { active, other } = this.#claimed ?? {}
    const since = [active, other].flatMap((one) => (one !== undefined && one.points > 0 ? [one.since] : []))
    return since.length === 0 ? 0 : performance.now() - Math.min(...since)
  }

  /** Where to write now. The first time it is made. */
  async active(): Promise<FilledBuffer> {
    while (this.#claimed === null) {
      this.#claiming ??= this.#claim().finally(() => (this.#claiming = null))
      await this.#claiming
    }
    return this.#claimed.active
  }

  async #claim(): Promise<void> {
    const slot = await claimSlot(this.#database, this.owner)
    const [active, other] = buffersOf(slot)
    this.#claimed = { slot, active: emptied(slot, active), other: emptied(slot, other) }
  }

  /** Null where nothing was ever written. */
  current(): { readonly active: FilledBuffer; readonly other: FilledBuffer } | null {
    return this.#claimed
  }

  /** From now on the other one is written, which must be empty. */
  switch(): void {
    const claimed = this.#claimed
    if (claimed === null) return
    this.#claimed = { slot: claimed.slot, active: claimed.other, other: claimed.active }
  }

  /** The slot was taken over: all that was committed to it is in chunks, and the next flush claims another one. */
  lose(slot: number): void {
    if (this.#claimed?.slot === slot) this.#claimed = null
  }
}

function emptied(slot: number, buffer: number): FilledBuffer {
  return { slot, buffer, flushes: [], points: 0, since: 0 }
}
