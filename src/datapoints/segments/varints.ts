// Whole numbers take as few bytes as they need (LEB128). Signed numbers are written as zigzag: 0, -1, 1, -2, … become
// 0, 1, 2, 3, …

/** The largest absolute value of a signed number: twice as much must still be an exact double. */
export const MOST_SIGNED = 2 ** 52

/** The maximum number of bytes of memory that are kept after a reset. All numbers of the largest flush fit into it. */
const MOST_KEPT = 4_194_304

export class VarintWriter {
  readonly #size: number
  #bytes: Buffer<ArrayBuffer>
  #length = 0

  constructor(size: number) {
    this.#size = size
    this.#bytes = Buffer.allocUnsafeSlow(size)
  }

  get length(): number {
    return this.#length
  }

  /** Starts again in the same memory, unless it has become too large. */
  reset(): void {
    if (this.#bytes.length > MOST_KEPT) this.#bytes = Buffer.allocUnsafeSlow(this.#size)
    this.#length = 0
  }

  /** The written bytes from `start` to `end`. The view is valid until the next write or reset. */
  view(start = 0, end = this.#length): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(start, end)
  }

  #need(size: number): void {
    if (this.#length + size <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#length + size, this.#bytes.length * 2))
    this.#bytes.copy(grown, 0, 0, this.#length)
    this.#bytes = grown
  }

  byte(value: number): void {
    this.#need(1)
    this.#bytes[this.#length++] = value
  }

  bytes(value: Uint8Array): void {
    this.#need(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
  }

  unsigned(value: number): void {
    this.#need(8)
    let rest = value
    // The bitwise operators of JavaScript work on 32 bits only.
    while (rest > 0x7fff_ffff) {
      this.#bytes[this.#length++] = (rest % 128) | 0x80
      rest = Math.floor(rest / 128)
    }
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#bytes[this.#length++] = rest
  }

  signed(value: number): void {
    this.unsigned(value < 0 ? -value * 2 - 1 : value * 2)
  }

  double(value: number): void {
    this.#need(8)
    this.#length = this.#bytes.writeDoubleLE(value, this.#length)
  }

  wide(value: bigint): void {
    this.#need(8)
    this.#length = this.#bytes.writeBigInt64LE(value, this.#length)
  }

  text(value: string): void {
    const size = Buffer.byteLength(value, 'utf8')
    this.unsigned(size)
    this.#need(size)
    this.#length += this.#bytes.write(value, this.#length, 'utf8')
  }
}

export class VarintReader {
  readonly #bytes: Buffer
  #position = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  }

  get position(): number {
    return this.#position
  }

  get left(): number {
    return this.#bytes.length - this.#position
  }

  skip(size: number): void {
    this.#take(size)
  }

  /** Moves past the next bytes, and returns the position before them. */
  #take(size: number): number {
    if (!(size <= this.left)) throw damaged('it ends too early')
    const start = this.#position
    this.#position += size
    return start
  }

  byte(): number {
    const value = this.#bytes[this.#position++]
    if (value === undefined) throw damaged('it ends too early')
    return value
  }

  bytes(size: number): Uint8Array {
    const start = this.#take(size)
    return this.#bytes.subarray(start, start + size)
  }

  unsigned(): number {
    let byte = this.byte()
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    let factor = 128
    do {
      byte = this.byte()
      value += (byte & 0x7f) * factor
      factor *= 128
    } while (byte >= 0x80)
    return value
  }

  signed(): number {
    const value = this.unsigned()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#take(8))
  }

  wide(): bigint {
    return this.#bytes.readBigInt64LE(this.#take(8))
  }

  text(): string {
    const size = this.unsigned()
    const start = this.#take(size)
    return this.#bytes.toString('utf8', start, start + size)
  }
}

export function damaged(what: string): RangeError {
  return new RangeError(`a stored segment is damaged: ${what}; restore its row from a backup, or delete it`)
}
