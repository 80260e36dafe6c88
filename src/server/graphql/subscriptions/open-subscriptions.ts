import type { Connection } from './open-streams.ts'
import type { Streams, Subscriptions, SubscriptionsParts } from './subscriptions.ts'

/** The subscriptions of a process, which are loaded for the first subscription. */
export class OpenSubscriptions {
  readonly #parts: () => SubscriptionsParts
  #loading: Promise<Subscriptions> | undefined
  #loaded: Subscriptions | undefined

  constructor(parts: () => SubscriptionsParts) {
    this.#parts = parts
  }

  /** How many are open. */
  get count(): number {
    return this.#loaded?.count ?? 0
  }

  async streamsFor(connection: Connection): Promise<Streams> {
    this.#loading ??= this.#load()
    const subscriptions = await this.#loading
    return subscriptions.streamsFor(connection)
  }

  async #load(): Promise<Subscriptions> {
    const { Subscriptions } = await import('./subscriptions.ts')
    this.#loaded = new Subscriptions(this.#parts())
    return this.#loaded
  }
}
