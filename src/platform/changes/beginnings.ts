import { HoldfastError } from '../../lib/errors.ts'
import { SharedSlots, type SlotLimits } from '../shared-slots.ts'

/**
 * The largest weight (feed.ts) that waits to be sent to subscriptions that resume. The read that exceeds it still
 * completes.
 */
export const MOST_BEGUN: SlotLimits = { most: 12_000_000, mostOfAccount: 6_000_000 }
/**
 * The limits of concurrent reads. They are small, since a weight is known only after its read. A domain without a read
 * may begin one beyond `ofAny`, so that it does not wait for slow reads of others.
 */
const AT_ONCE = { ofAny: 2, inAll: 4 }

/** Limits the memory for missed changes. Each subscription that resumes holds its own copy until that is sent. */
export class Beginnings {
  readonly #slots: SharedSlots
  /** The domains of the reads that run. */
  readonly #running: number[] = []
  readonly #waiting: { readonly domainId: number; begin(): void }[] = []

  constructor(limits = MOST_BEGUN) {
    this.#slots = new SharedSlots(limits)
  }

  /** Runs `read`. It passes the weight to `hold`, and calls the returned function when everything was sent. */
  async read<T>(
    domainId: number,
    account: string,
    read: (hold: (weight: number) => () => void) => Promise<T>,
  ): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ domainId, begin: resolve })
    this.#beginNext()
    await promise
    try {
      if (this.#slots.lacking(account) !== null) throw full()
      return await read((weight) => this.#slots.take(account, weight))
    } finally {
      this.#running.splice(this.#running.indexOf(domainId), 1)
      this.#beginNext()
    }
  }

  #beginNext(): void {
    const running = this.#running
    const mayBegin = ({ domainId }: { readonly domainId: number }): boolean =>
      running.length < (running.includes(domainId) ? AT_ONCE.ofAny : AT_ONCE.inAll)
    const place = this.#waiting.findIndex(mayBegin)
    for (const { domainId, begin } of place === -1 ? [] : this.#waiting.splice(place, 1)) {
      running.push(domainId)
      begin()
      // The end of one read may let two begin: another one of a running domain, and the first one of its own domain.
      this.#beginNext()
    }
  }
}

function full(): HoldfastError {
  return new HoldfastError(
    'UNAVAILABLE',
    'this server has no memory left for the changes that this subscription missed; subscribe again after this cursor in a moment',
  )
}
