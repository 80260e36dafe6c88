import { HoldfastError } from '../../lib/errors.ts'
import { accountOf, type Actor } from '../../platform/access/grants/actor.ts'
import { SharedSlots } from '../../platform/shared-slots.ts'
import { sizeText, type Limits } from './limits.ts'
import { SlowBodies, type Arriving, type HeldBody } from './slow-bodies.ts'

type StoringLimits = Pick<Limits, 'storingBytes' | 'storingBytesOfAccount'>

/**
 * Says how many bytes a batch has in memory by now, and how to break it off while it is arriving. Fails where no more may be
 * held.
 */
export type Hold = (bytes: number, arriving?: Arriving) => void

/** Counts the bytes of batches that arrive or are stored at this moment, so that one sender leaves room for the others. */
export class HeldBytes {
  readonly #limits: StoringLimits
  readonly #slots: SharedSlots
  readonly #slow: SlowBodies

  constructor(limits: StoringLimits) {
    this.#limits = limits
    const { storingBytes: most, storingBytesOfAccount: mostOfAccount } = limits
    const slots = (this.#slots = new SharedSlots({ most, mostOfAccount }))
    // While more than half is free, nobody waits for a slow body.
    this.#slow = new SlowBodies((account) => slots.taken >= most / 2 || slots.takenBy(account) >= mostOfAccount / 2)
  }

  /**
   * Works on a batch, which counts as far as it has arrived. What is announced does not count: who sends nothing would shut the
   * others out.
   */
  async during<T>(actor: Actor, work: (hold: Hold) => Promise<T>): Promise<T> {
    const body: HeldBody = { account: accountOf(actor), held: 0, ticks: 0, before: 0 }
    let release: (() => void) | undefined
    const hold: Hold = (bytes, arriving) => {
      if (bytes > body.held) this.#requireRoom(actor, body.held)
      release?.()
      release = this.#slots.take(body.account, bytes)
      body.held = bytes
      this.#slow.watch(body, arriving)
    }
    try {
      return await work(hold)
    } finally {
      release?.()
      this.#slow.watch(body, undefined)
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
