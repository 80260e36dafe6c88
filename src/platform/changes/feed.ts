import type { ChangeStatus } from '../../store/changes.ts'

/** The status that a poll begins with. */
export interface LookStatus extends ChangeStatus {
  /** No flush of datapoints up to this number is still under way. */
  readonly settled: number
}

/** What became visible between two positions. */
export interface Delivery<Position, Item> {
  readonly items: readonly Item[]
  readonly before: Position
  readonly after: Position
}

/** The source of a feed's changes. A position says exactly what was seen. */
export interface ChangeSource<Position, Item, Filter> {
  /** The position of this moment. */
  start(status: LookStatus): Promise<Position>
  /** What is visible now and was not at `position`; null where nothing has changed. */
  look(position: Position, status: LookStatus): Promise<Delivery<Position, Item> | null>
  /** The stored items that became visible after `from`, as far as they were at `to`. */
  between(from: Position, to: Position, filter: Filter): Promise<readonly Item[]>
}

type Listener<Position, Item> = (delivery: Delivery<Position, Item>) => void

/** The changes of one kind in one domain, read once for all listeners in this process. */
export class Feed<Position, Item, Filter> {
  readonly #source: ChangeSource<Position, Item, Filter>
  readonly #listeners = new Map<Listener<Position, Item>, (error: unknown) => void>()
  #position: Position
  #staying = 0

  private constructor(source: ChangeSource<Position, Item, Filter>, position: Position) {
    this.#source = source
    this.#position = position
  }

  static async begin<Position, Item, Filter>(
    source: ChangeSource<Position, Item, Filter>,
    status: LookStatus,
  ): Promise<Feed<Position, Item, Filter>> {
    return new Feed(source, await source.start(status))
  }

  get isIdle(): boolean {
    return this.#listeners.size + this.#staying === 0
  }

  /** Adds a listener, which gets everything that was not yet visible at the returned position. */
  join(listener: Listener<Position, Item>, fail: (error: unknown) => void): Position {
    this.#listeners.set(listener, fail)
    return this.#position
  }

  get position(): Position {
    return this.#position
  }

  /** Keeps the feed from being forgotten, until `end` is called. */
  stay(): { end(): void } {
    this.#staying += 1
    return {
      end: () => {
        this.#staying -= 1
      },
    }
  }

  leave(listener: Listener<Position, Item>): void {
    this.#listeners.delete(listener)
  }

  between(from: Position, to: Position, filter: Filter): Promise<readonly Item[]> {
    return this.#source.between(from, to, filter)
  }

  async look(status: LookStatus): Promise<void> {
    const delivery = await this.#source.look(this.#position, status)
    if (delivery === null) return
    this.#position = delivery.after
    if (delivery.items.length === 0) return
    for (const listener of this.#listeners.keys()) listener(delivery)
  }

  /** Tells all listeners why nothing more will come. */
  fail(error: unknown): void {
    for (const fail of this.#listeners.values()) fail(error)
    this.#listeners.clear()
  }
}
