import { HoldfastError } from '../../lib/errors.ts'
import { accountOf, type Actor } from '../../platform/access/grants/actor.ts'
import { SharedSlots } from '../../platform/shared-slots.ts'
import { sizeText, type Limits } from './limits.ts'

/** Counts the bytes of batches that are read and stored at this moment, so that one sender leaves room for the others. */
export class HeldBytes {
  readonly #limits: Pick<Limits, 'storingBytes' | 'storingBytesOfAccount'>
  readonly #slots: SharedSlots

  constructor(limits: Pick<Limits, 'storingBytes' | 'storingBytesOfAccount'>) {
    this.#limits = limits
    this.#slots = new SharedSlots({ most: limits.storingBytes, mostOfAccount: limits.storingBytesOfAccount })
  }

  /** Holds bytes for a batch, and returns the function that releases them. It is refused where no more may be held. */
  hold(actor: Actor, bytes: number): () => void {
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
