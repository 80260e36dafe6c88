import { HoldfastError } from '../../lib/errors.ts'
import { accountOf, type Actor } from '../../platform/access/grants/actor.ts'
import { SharedSlots } from '../../platform/shared-slots.ts'
import { sizeText, type Limits } from './limits.ts'

type StoringLimits = Pick<Limits, 'storingBytes' | 'storingBytesOfAccount'>

/** Says how many bytes a batch has in memory by now. Fails where no more may be held. */
export type Hold = (bytes: number) => void

/** Counts the bytes of batches that arrive or are stored at this moment, so that one sender leaves room for the others. */
export class HeldBytes {
  readonly #limits: StoringLimits
  readonly #slots: SharedSlots

  constructor(limits: StoringLimits) {
    this.#limits = limits
    this.#slots = new SharedSlots({ most: limits.storingBytes, mostOfAccount: limits.storingBytesOfAccount })
  }

  /**
   * Works on a batch, which counts as far as it has arrived. What is announced does not count: who sends nothing would shut the
   * others out.
   */
  async during<T>(actor: Actor, work: (hold: Hold) => Promise<T>): Promise<T> {
    const account = accountOf(actor)
    let held = 0
    let release: (() => void) | undefined
    const hold: Hold = (bytes) => {
      if (bytes > held) this.#requireRoom(actor, held)
      release?.()
      release = this.#slots.take(account, bytes)
      held = bytes
    }
    try {
      return await work(hold)
    } finally {
      release?.()
    }
  }

  /** `own` bytes of the batch itself do not count, so the one that reaches the limit is still taken. */
  #requireRoom(actor: Actor, own: number): void {
    const lacking = this.#slots.lacking(accountOf(actor), own)
    if (lacking === null) return
    const limit = lacking === 'all' ? 'storingBytes' : 'storingBytesOfAccount'
    const whose = lacking === 'all' ? '' : ` of ${actor.name}`
    throw new HoldfastError(
      'UNAVAILABLE',
      `batches${whose} with ${sizeText(this.#limits[limit])} are arriving and being stored here, which is the most at once (${limit}); nothing of the batch was stored; try again in a moment`,
    )
  }
}
