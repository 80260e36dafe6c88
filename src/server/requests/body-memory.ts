const SMALLEST = 65_536
const LARGEST = 4_194_304
/** The largest amount of memory that is kept for later use, and for how long after the last body. */
const MOST_KEPT = 33_554_432
const KEPT_MS = 10_000

/**
 * Lends memory to one body after the other. Otherwise two million datapoints would allocate a gigabyte, and V8 scans
 * its whole heap whenever 64 MB of such memory wait to be freed.
 */
export class BodyMemory {
  readonly #free = new Map<number, ArrayBuffer[]>()
  /** The set is weak, because memory that is never given back is garbage. */
  readonly #lent = new WeakSet<ArrayBufferLike>()
  #kept = 0
  #timer: NodeJS.Timeout | undefined

  /** Joins the pieces, which must not be used any more. A single piece is returned as it is. */
  join(pieces: readonly Uint8Array[]): Uint8Array {
    const [first] = pieces
    if (first !== undefined && pieces.length === 1) return first
    const size = pieces.reduce((sum, { length }) => sum + length, 0)
    const joined = new Uint8Array(this.#take(size), 0, size)
    let end = 0
    for (const piece of pieces) {
      joined.set(piece, end)
      end += piece.length
      free(piece)
    }
    return joined
  }

  /** Takes memory back, which must not be used any more. */
  giveBack({ buffer }: Uint8Array): void {
    if (!this.#lent.delete(buffer) || !(buffer instanceof ArrayBuffer)) return
    const size = buffer.byteLength
    if (this.#kept + size > MOST_KEPT) return
    const free = this.#free.get(size) ?? []
    this.#free.set(size, free)
    free.push(buffer)
    this.#kept += size
    this.#timer ??= setTimeout(() => this.#forget(), KEPT_MS).unref()
    this.#timer.refresh()
  }

  /** The bytes that are kept for later use. */
  get kept(): number {
    return this.#kept
  }

  /** Frees the memory at once. An idle server collects no garbage, so the memory would stay for long. */
  #forget(): void {
    for (const buffer of [...this.#free.values()].flat()) buffer.transfer(0)
    this.#free.clear()
    this.#kept = 0
    this.#timer = undefined
  }

  #take(size: number): ArrayBuffer {
    if (size > LARGEST) return new ArrayBuffer(size)
    const rounded = Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(size)))
    const found = this.#free.get(rounded)?.pop()
    if (found !== undefined) this.#kept -= rounded
    const buffer = found ?? new ArrayBuffer(rounded)
    this.#lent.add(buffer)
    return buffer
  }
}

/** If a piece has its own buffer, frees the memory at once. The parser has copied the piece and no longer needs it. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
