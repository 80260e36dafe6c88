import { HoldfastError } from '../../lib/errors.ts'
import { accountOf, type Actor } from '../../platform/access/grants/actor.ts'
import { SharedSlots } from '../../platform/shared-slots.ts'
import { sizeText, type Limits } from './limits.ts'

type StoringLimits = Pick<Limits, 'storingBytes' | 'storingBytesOfAccount'>

/** Counts the bytes of batches that are checked and stored at this moment, so that one sender leaves room for the others. */
export class HeldBytes {
  readonly #limits: StoringLimits
  readonly #slots: SharedSlots

  constructor(limits: StoringLimits) {
    this.#limits = limits
    this.#slots = new SharedSlots({ most: limits.storingBytes, mostOfAccount: limits.storingBytesOfAccount })
  }

  /** Works on a body that was read, unpacked. What is announced does not count: a slow sender would shut the others out. */
  during<T>(actor: Actor, { length }: Uint8Array, work: () => Promise<T>): Promise<T> {
    const release = this.#hold(actor, length)
    return work().finally(release)
  }

  /** Returns the function that releases the bytes. Fails where no more may be held. */
  #hold(actor: Actor, bytes: number): () => void {
    const account = accountOf(actor)
    const lacking = this.#slots.lacking(account)
    if (lacking === null) return this.#slots.take(account, bytes)
    const limit = lacking === 'all' ? 'storingBytes' : 'storingBytesOfAccount'
    const whose = lacking === 'all' ? '' : ` of ${actor.name}`
    throw new HoldfastError(
      'UNAVAILABLE',
      `batches${whose} with ${sizeText(this.#limits[limit])} are being stored here, which is the most at once (${limit}); nothing of the batch was stored; try again in a moment`,
    )
  }
}
