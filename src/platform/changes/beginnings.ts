import { HoldfastError } from '../../lib/errors.ts'
import { Semaphore } from '../semaphore.ts'
import { SharedSlots, type SlotLimits } from '../shared-slots.ts'

/**
 * The most weight (feed.ts) that waits to be sent to subscriptions that resume. The read that exceeds it still
 * completes.
 */
export const MOST_BEGUN: SlotLimits = { most: 12_000_000, mostOfAccount: 6_000_000 }
/** The number of concurrent reads. It is small, since a weight is known only after its read. */
const AT_ONCE = 2

/** Limits the memory for missed changes. Each subscription that resumes holds its own copy until that is sent. */
export class Beginnings {
  readonly #slots: SharedSlots
  readonly #turns = new Semaphore(AT_ONCE)

  constructor(limits = MOST_BEGUN) {
    this.#slots = new SharedSlots(limits)
  }

  /** Runs `read`. It passes the weight to `hold`, and calls the returned function when everything was sent. */
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
    'this server has no memory left for the changes that this subscription missed; subscribe again after this cursor in a moment',
  )
}
