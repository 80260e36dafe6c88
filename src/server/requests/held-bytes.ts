import { HoldfastError } from '../../lib/errors.ts'
import { accountOf, type Actor } from '../../platform/access/grants/actor.ts'
import { SharedSlots } from '../../platform/shared-slots.ts'
import { sizeText, type Limits } from './limits.ts'

type StoringLimits = Pick<Limits, 'batchBytes' | 'storingBytes' | 'storingBytesOfAccount'>

/** Counts the bytes of batches that are read and stored at this moment, so that one sender leaves room for the others. */
export class HeldBytes {
  readonly #limits: StoringLimits
  readonly #slots: SharedSlots

  constructor(limits: StoringLimits) {
    this.#limits = limits
    this.#slots = new SharedSlots({ most: limits.storingBytes, mostOfAccount: limits.storingBytesOfAccount })
  }

  /**
   * Reads a body and works on it. While it is read, it counts as long as its head says; a packed body may be a thousand times
   * as long.
   */
  async during<T>(
    actor: Actor,
    announced: string | undefined,
    read: () => Promise<Uint8Array>,
    work: (body: Uint8Array) => Promise<T>,
  ): Promise<T> {
    const endReading = this.#hold(actor, Math.min(Number(announced ?? 0), this.#limits.batchBytes))
    const body = await read().finally(endReading)
    const release = this.#hold(actor, body.length)
    return work(body).finally(release)
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
