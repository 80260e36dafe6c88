import type { ChangeStatus } from '../../store/changes.ts'

/** What a look begins with. */
export interface LookStatus extends ChangeStatus {
  /** Up to this number no flush of datapoints is on its way. */
  readonly settled: number
}

/** What became visible between two moments. */
export interface Delivery<Position, Item> {
  readonly items: readonly Item[]
  readonly before: Position
  readonly after: Position
}

/** Where changes come from. A position says exactly what somebody has seen. */
export interface ChangeSource<Position, Item, Filter> {
  /** Of this moment. */
  start(status: LookStatus): Promise<Position>
  /** What is to be seen now and was not at `position`; null where nothing has changed. */
  look(position: Position, status: LookStatus): Promise<Delivery<Position, Item> | null>
  /** What is stored of that which became visible after `from`, as far as it was at `to`. */
  between(from: Position, to: Position, filter: Filter): Promise<readonly Item[]>
}

type Listener<Position, Item> = (delivery: Delivery<Position, Item>) => void

/** The changes of one kind in one domain: read once for all who listen in this process. */
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

  /** From now on `listener` gets everything that was not to be seen at the position that this gives back. */
  join(listener: Listener<Position, Item>, fail: (error: unknown) => void): Position {
    this.#listeners.set(listener, fail)
    return this.#position
  }

  get position(): Position {
    return this.#position
  }

  /** Keeps it from being forgotten. */
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

  /** Everybody is told why there is nothing more to come. */
  fail(error: unknown): void {
    for (const fail of this.#listeners.values()) fail(error)
    this.#listeners.clear()
  }
}
