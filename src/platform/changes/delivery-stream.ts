import { HoldfastError } from '../../lib/errors.ts'

type Result<View> = IteratorResult<View, undefined>

const DONE: Result<never> = { done: true, value: undefined }

/** A stream that others can end. */
export interface EndableStream<View> extends AsyncIterableIterator<View, undefined> {
  fail(error: unknown): void
}

export interface StreamOptions<Delivered, View> {
  /** What is shown of one delivery, part by part. */
  show(delivered: Delivered): Iterator<View>
  /** How many things are in it. */
  count(delivered: Delivered): number
  /** So many may wait for whoever reads slowly. */
  readonly most: number
  /** Called once, when it fails and that was not told yet. */
  ending(): void
  /** Called once, when nothing more will be asked for. */
  closed(): void
}

/**
 * What was delivered, until somebody asks for it. Not a generator: one that waits hears of its end only when it has
 * waited long enough.
 */
export class DeliveryStream<Delivered, View> implements EndableStream<View> {
  readonly #options: StreamOptions<Delivered, View>
  #waiting: Delivered[] = []
  #waitingCount = 0
  #shown: Iterator<View> | null = null
  #asked: PromiseWithResolvers<Result<View>> | null = null
  #end: { readonly error: unknown } | null = null
  #isClosed = false

  constructor(options: StreamOptions<Delivered, View>) {
    this.#options = options
  }

  push(delivered: Delivered): void {
    if (this.#end !== null || this.#isClosed) return
    this.#waitingCount += this.#options.count(delivered)
    if (this.#waitingCount > this.#options.most) return this.fail(tooSlow(this.#options.most))
    this.#waiting.push(delivered)
    this.#answer()
  }

  /** Before everything else, however much it is. */
  begin(delivered: Delivered): void {
    if (this.#end !== null || this.#isClosed) return
    this.#shown = this.#options.show(delivered)
    this.#answer()
  }

  /** What waits is forgotten: whoever goes on later gets it by the last cursor. */
  fail(error: unknown): void {
    if (this.#end !== null || this.#isClosed) return
    this.#end = { error }
    this.#waiting = []
    this.#shown = null
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
      this.#shown = null
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
    this.#shown = null
    this.#options.closed()
  }
}

function tooSlow(most: number): HoldfastError {
  return new HoldfastError(
    'LIMIT_EXCEEDED',
    `more than ${most.toLocaleString('en-US')} changes are waiting to be read: this client is too slow for what it has asked for; subscribe again after the last cursor`,
  )
}
