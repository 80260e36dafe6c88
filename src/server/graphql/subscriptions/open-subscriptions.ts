import { loadedOnce } from '../../../lib/loaded-once.ts'
import type { Connection } from './open-streams.ts'
import type { Streams, Subscriptions, SubscriptionsParts } from './subscriptions.ts'

/** The subscriptions of a process. Their code is loaded for the first one. */
export class OpenSubscriptions {
  readonly #parts: () => SubscriptionsParts
  #loaded: Subscriptions | undefined
  readonly #load = loadedOnce(async () => {
    const { Subscriptions } = await import('./subscriptions.ts')
    this.#loaded = new Subscriptions(this.#parts())
    return this.#loaded
  })

  constructor(parts: () => SubscriptionsParts) {
    this.#parts = parts
  }

  /** The number of open subscriptions. */
  get count(): number {
    return this.#loaded?.count ?? 0
  }

  async streamsFor(connection: Connection): Promise<Streams> {
    const subscriptions = await this.#load()
    return subscriptions.streamsFor(connection)
  }
}
