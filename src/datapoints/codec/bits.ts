// Bits fill each byte from its lowest bit on. A number of any size is written as the length of its length, its length,
// and its bits (Elias 1975, delta). This suits the head of a chunk, where most numbers are small.

/** The maximum number of bits that one call writes or reads. They share a word of 32 bits with up to 7 earlier bits. */
export const MOST_BITS = 25
/** The bits of each part of a number that has more bits. */
const PART = 24
const PART_SIZE = 2 ** PART
const WORD = 2 ** 32
/** The maximum number of bytes of memory that are kept for the next chunk. */
const MOST_KEPT = 2 ** 20

/** The number of bits of a whole number. The number must not be negative, and must be exact as a double. */
export function bitLength(value: number): number {
  return value < WORD ? 32 - Math.clz32(value) : 64 - Math.clz32(value / WORD)
}

export class BitWriter {
  #bytes = new Uint8Array(65_536)
  #view = new DataView(this.#bytes.buffer)
  /** In bits. All bytes after it are 0. */
  #position = 0

  /** Starts again in the same memory. */
  reset(): void {
    if (this.#bytes.length > MOST_KEPT) this.#take(new Uint8Array(65_536))
    else this.#bytes.fill(0, 0, (this.#position + 7) >>> 3)
    this.#position = 0
  }

  /** Returns a copy of the bytes written so far. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, (this.#position + 7) >>> 3)
  }

  #take(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer)
  }

  #makeRoom(size: number): void {
    const needed = (this.#position >>> 3) + size + 8
    if (needed <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2))
    larger.set(this.#bytes)
    this.#take(larger)
  }

  /** Writes a number of at most MOST_BITS bits. */
  bits(value: number, count: number): void {
    this.#makeRoom(0)
    const byte = this.#position >>> 3
    this.#view.setUint32(byte, this.#view.getUint32(byte, true) | (value << (this.#position & 7)), true)
    this.#position += count
  }

  /** Writes a number of any size. */
  wide(value: number, count: number): void {
    let rest = value
    let left = count
    for (; left > MOST_BITS; left -= PART) {
      this.bits(rest % PART_SIZE, PART)
      rest = Math.floor(rest / PART_SIZE)
    }
    this.bits(rest, left)
  }

  unsigned(value: number): void {
    const length = bitLength(value)
    const ofLength = bitLength(length + 1)
    // The zeros before the first 1 say how many bits follow it.
    this.bits(1 << (ofLength - 1), ofLength)
    this.bits((length + 1) & ((1 << (ofLength - 1)) - 1), ofLength - 1)
    if (length > 1) this.wide(value % 2 ** (length - 1), length - 1)
  }

  signed(value: number): void {
    this.unsigned(value < 0 ? -value * 2 - 1 : value * 2)
  }

  /** Writes bytes from the next whole byte on. */
  bytes(bytes: Uint8Array): void {
    this.#position = (this.#position + 7) & ~7
    this.#makeRoom(bytes.length)
    this.#bytes.set(bytes, this.#position >>> 3)
    this.#position += bytes.length * 8
  }
}

/** Makes an error that says what is wrong with the bytes of a chunk. */
export function damaged(what: string): RangeError {
  return new RangeError(`a stored chunk is damaged: ${what}; restore its row from a backup, or delete it`)
}

/** Zero bytes after the chunk. A read beyond its end is safe, and one check after the read detects it. */
const PADDING = 8

let memory = new Uint8Array(65_536)

/** Reads a chunk. Only one reader may be in use at a time, because all readers share their memory. */
export class BitReader {
  readonly view: DataView
  /** In bits. */
  position = 0
  readonly end: number
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    const needed = bytes.length + PADDING
    const isLarge = needed > MOST_KEPT
    if (!isLarge && needed > memory.length) memory = new Uint8Array(needed * 2)
    const own = isLarge ? new Uint8Array(needed) : memory
    own.set(bytes)
    own.fill(0, bytes.length, needed)
    this.#bytes = own
    this.view = new DataView(own.buffer)
    this.end = bytes.length * 8
  }

  /** Reads a number of at most MOST_BITS bits. */
  bits(count: number): number {
    const { position } = this
    this.position = position + count
    if (this.position > this.end) throw damaged('it ends too early')
    return (this.view.getUint32(position >>> 3, true) >>> (position & 7)) & ((1 << count) - 1)
  }

  wide(count: number): number {
    let value = 0
    let factor = 1
    let left = count
    for (; left > MOST_BITS; left -= PART) {
      value += this.bits(PART) * factor
      factor *= PART_SIZE
    }
    return value + this.bits(left) * factor
  }

  unsigned(): number {
    let ofLength = 1
    while (this.bits(1) === 0) if (++ofLength > 6) throw damaged('it has a number of more than 64 bits')
    const length = (1 << (ofLength - 1)) + this.bits(ofLength - 1) - 1
    if (length > 54) throw damaged(`it has a number of ${length} bits`)
    return length < 2 ? length : 2 ** (length - 1) + this.wide(length - 1)
  }

  signed(): number {
    const value = this.unsigned()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  /** Reads bytes from the next whole byte on. The result is valid until the next chunk is read. */
  bytes(size: number): Uint8Array {
    this.#align()
    const start = this.position >>> 3
    this.position += size * 8
    if (this.position > this.end) throw damaged('it ends too early')
    return this.#bytes.subarray(start, start + size)
  }

  #align(): void {
    const unused = -this.position & 7
    if (this.bits(unused) !== 0) throw damaged('bits between two of its parts are set')
  }

  /** Checks that the chunk ends here, apart from zero bits in the last byte. */
  finish(): void {
    this.#align()
    if (this.position !== this.end) throw damaged(`${(this.end - this.position) >>> 3} bytes follow its end`)
  }
}
