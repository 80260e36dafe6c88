import { HoldfastError } from '../../lib/errors.ts'
import type { ChangeStatus } from '../../store/change-status.ts'

/** The status that a poll begins with. */
export interface PollStatus extends ChangeStatus {
  /** All flushes of datapoints up to this number are finished. */
  readonly settled: number
}

/** The items that became visible between two positions. */
export interface Delivery<Position, Item> {
  readonly items: readonly Item[]
  readonly before: Position
  readonly after: Position
  /** Whether more items are visible that did not fit into this delivery; left out if not. */
  readonly hasMore?: boolean
}

/** The largest part of a delivery, which becomes one message. A single item may be larger. */
export interface PartSize {
  readonly items: number
  /** The number of characters of all texts of the part. */
  readonly text: number
}

/** The source of a feed's changes. A position describes exactly which changes were seen. */
export interface ChangeSource<Position, Item, Filter> {
  /** The present position. */
  start(status: PollStatus): Promise<Position>
  /** The items that became visible since `position`; null if nothing has changed. */
  poll(position: Position, status: PollStatus): Promise<Delivery<Position, Item> | null>
  /** The stored items that became visible between `from` and `to`. */
  between(from: Position, to: Position, filter: Filter): Promise<readonly Item[]>
}

type Listener<Position, Item> = (delivery: Delivery<Position, Item>) => void

/** The changes of one kind in one domain. This process reads them once for all its listeners. */
export class Feed<Position, Item, Filter> {
  readonly #source: ChangeSource<Position, Item, Filter>
  readonly #listeners = new Map<Listener<Position, Item>, (error: unknown) => void>()
  #position: Position
  #holds = 0
  /** The error that has ended the feed. Nothing polls it any more. */
  #end: { readonly error: unknown } | null = null

  private constructor(source: ChangeSource<Position, Item, Filter>, position: Position) {
    this.#source = source
    this.#position = position
  }

  static async begin<Position, Item, Filter>(
    source: ChangeSource<Position, Item, Filter>,
    status: PollStatus,
  ): Promise<Feed<Position, Item, Filter>> {
    return new Feed(source, await source.start(status))
  }

  get isIdle(): boolean {
    return this.#listeners.size + this.#holds === 0
  }

  /** Adds a listener. It gets everything that was not yet visible at the returned position. */
  join(listener: Listener<Position, Item>, fail: (error: unknown) => void): Position {
    // It may have ended while the new listener waited for its turn.
    if (this.#end !== null) throw lostPosition(this.#end.error)
    this.#listeners.set(listener, fail)
    return this.#position
  }

  get position(): Position {
    return this.#position
  }

  /** Keeps the feed from being forgotten, until `release` is called. */
  hold(): { release(): void } {
    this.#holds += 1
    return {
      release: () => {
        this.#holds -= 1
      },
    }
  }

  leave(listener: Listener<Position, Item>): void {
    this.#listeners.delete(listener)
  }

  between(from: Position, to: Position, filter: Filter): Promise<readonly Item[]> {
    return this.#source.between(from, to, filter)
  }

  async poll(status: PollStatus): Promise<void> {
    for (let hasMore = true; hasMore;) {
      const delivery = await this.#source.poll(this.#position, status)
      if (delivery === null) return
      this.#position = delivery.after
      if (delivery.items.length > 0) this.#tell(delivery)
      hasMore = delivery.hasMore === true
    }
  }

  /** Passes the delivery to all listeners. A listener that throws has missed it and receives the error. */
  #tell(delivery: Delivery<Position, Item>): void {
    for (const [listener, fail] of this.#listeners)
      try {
        listener(delivery)
      } catch (error) {
        this.#listeners.delete(listener)
        fail(error)
      }
  }

  /** Ends the feed, and all listeners with the error. */
  fail(error: unknown): void {
    this.#end = { error }
    for (const fail of this.#listeners.values()) fail(error)
    this.#listeners.clear()
  }
}

/** The error for a client whose feed has ended. The next feed may know the cursor of the client. */
export function lostPosition(cause: unknown): HoldfastError {
  return new HoldfastError('UNAVAILABLE', 'this server lost its position in these changes; subscribe again', { cause })
}

// Waiting items are weighed in points, because each takes memory while it waits.

/** The weight of a text. A packed point has some 16 bytes, a character one or two, a text a few more. */
export function weightOfText(length: number): number {
  return Math.ceil(length / 32)
}

/** The weight of a row of a table, without its texts. */
export const WEIGHT_OF_ROW = 16
