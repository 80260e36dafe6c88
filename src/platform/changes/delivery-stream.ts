import { HoldfastError } from '../../lib/errors.ts'

type Result<View> = IteratorResult<View, undefined>

const DONE: Result<never> = { done: true, value: undefined }

/** A stream that other code can end. */
export interface EndableStream<View> extends AsyncIterableIterator<View, undefined> {
  fail(error: unknown): void
}

interface StreamOptions<Delivered, View> {
  /** The parts of one delivery that are sent to the subscriber. */
  show(delivered: Delivered): Iterator<View>
  /** The size of a delivery. */
  count(delivered: Delivered): number
  /** The limit of what may wait for a slow reader. */
  readonly most: number
  /** Called once when the stream fails, before the reader learns it. */
  ending(): void
  /** Called once when nothing more will be read. */
  closed(): void
}

/**
 * Keeps deliveries until they are read. It is not a generator, because a waiting generator notices its end only when it
 * resumes.
 */
export class DeliveryStream<Delivered, View> implements EndableStream<View> {
  readonly #options: StreamOptions<Delivered, View>
  #waiting: Delivered[] = []
  #waitingCount = 0
  #shown: Iterator<View> | null = null
  /** Called when the beginning was sent or dropped. */
  #release: (() => void) | undefined
  #asked: PromiseWithResolvers<Result<View>> | null = null
  #end: { readonly error: unknown } | null = null
  #isClosed = false

  constructor(options: StreamOptions<Delivered, View>) {
    this.#options = options
  }

  push(delivered: Delivered): void {
    if (this.#end !== null || this.#isClosed) return
    const isBehind = this.#waitingCount > 0
    this.#waitingCount += this.#options.count(delivered)
    // If no other delivery waits, the reader had no time to read a part of this one yet. So its size does not matter.
    if (isBehind && this.#waitingCount > this.#options.most) return this.fail(tooSlow(this.#options.most))
    this.#waiting.push(delivered)
    this.#answer()
  }

  /**
   * Delivers the beginning before everything else. Its size is not limited. `release` is called when it is no longer
   * held.
   */
  begin(delivered: Delivered, release?: () => void): void {
    if (this.#end !== null || this.#isClosed) return release?.()
    this.#release = release
    this.#shown = this.#options.show(delivered)
    this.#answer()
  }

  /** Ends the stream with an error. Waiting deliveries are dropped: its last cursor brings them again. */
  fail(error: unknown): void {
    if (this.#end !== null || this.#isClosed) return
    this.#end = { error }
    this.#waiting = []
    this.#endShown()
    this.#options.ending()
    this.#answer()
  }

  next(): Promise<Result<View>> {
    if (this.#isClosed) return Promise.resolve(DONE)
    this.#asked = Promise.withResolvers()
    const { promise } = this.#asked
    this.#answer()
    return promise
  }

  return(): Promise<Result<View>> {
    this.#asked?.resolve(DONE)
    this.#close()
    return Promise.resolve(DONE)
  }

  throw(): Promise<Result<View>> {
    return this.return()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return()
  }

  #answer(): void {
    const asked = this.#asked
    if (asked === null) return
    if (this.#end !== null) {
      this.#close()
      return asked.reject(this.#end.error)
    }
    const view = this.#nextView()
    if (view === undefined) return
    this.#asked = null
    asked.resolve({ done: false, value: view })
  }

  #nextView(): View | undefined {
    for (;;) {
      const shown = this.#shown?.next()
      if (shown !== undefined && shown.done !== true) return shown.value
      this.#endShown()
      const next = this.#waiting.shift()
      if (next === undefined) return undefined
      this.#waitingCount -= this.#options.count(next)
      this.#shown = this.#options.show(next)
    }
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#asked = null
    this.#waiting = []
    this.#endShown()
    this.#options.closed()
  }

  #endShown(): void {
    this.#shown = null
    this.#release?.()
    this.#release = undefined
  }
}

function tooSlow(most: number): HoldfastError {
  return new HoldfastError(
    'LIMIT_EXCEEDED',
    `more than ${most.toLocaleString('en-US')} datapoints, or as many bytes, wait to be read: this client is too slow; subscribe again with the last cursor`,
  )
}
