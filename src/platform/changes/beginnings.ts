import { HoldfastError } from '../../lib/errors.ts'
import { Semaphore } from '../semaphore.ts'
import { SharedSlots, type SlotLimits } from '../shared-slots.ts'

/** The most that waits to be sent to subscriptions that resume, by weight (feed.ts). The one that reaches it is still read. */
export const MOST_BEGUN: SlotLimits = { most: 12_000_000, mostOfAccount: 6_000_000 }
/** So many are read at once, since their weight is known when they are read. */
const AT_ONCE = 2

/** Bounds the memory of what the subscriptions of a process missed, which each of them has for itself until it is sent. */
export class Beginnings {
  readonly #slots: SharedSlots
  readonly #turns = new Semaphore(AT_ONCE)

  constructor(limits = MOST_BEGUN) {
    this.#slots = new SharedSlots(limits)
  }

  /** Runs `read`, which passes the weight to `hold` and calls what that returns when all was sent. */
  async read<T>(account: string, read: (hold: (weight: number) => () => void) => Promise<T>): Promise<T> {
    return this.#turns.run(() => {
      if (this.#slots.lacking(account) !== null) throw full()
      return read((weight) => this.#slots.take(account, weight))
    })
  }
}

function full(): HoldfastError {
  return new HoldfastError(
    'UNAVAILABLE',
    'other subscriptions have not read yet what they missed, and no more fits into the memory of this server; subscribe again after this cursor in a moment',
  )
}
