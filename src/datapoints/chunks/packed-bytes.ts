// Whole numbers take as few bytes as they need (LEB128). Signed numbers are written as zigzag: 0, -1, 1, -2, … become
// 0, 1, 2, 3, …

/** The largest absolute value of a signed number: twice as much must still be an exact double. */
export const MOST = 2 ** 52

export class PackedWriter {
  #bytes: Uint8Array<ArrayBuffer>
  #length = 0

  constructor(size: number) {
    this.#bytes = new Uint8Array(size)
  }

  /** Begins anew in the same memory. */
  reset(): void {
    this.#length = 0
  }

  /** A copy of what was written so far. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length)
  }

  /** Makes room for more bytes, which count as written, and returns it to be filled. */
  reserve(size: number): Uint8Array<ArrayBuffer> {
    const end = this.#length + size
    if (end > this.#bytes.length) this.#grow(end)
    const room = this.#bytes.subarray(this.#length, end)
    this.#length = end
    return room
  }

  #grow(size: number): void {
    const bytes = new Uint8Array(Math.max(size, this.#bytes.length * 2))
    bytes.set(this.#bytes)
    this.#bytes = bytes
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) this.#grow(this.#length + 1)
    this.#bytes[this.#length++] = value
  }

  unsigned(value: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#grow(this.#length + 8)
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
}

export class PackedReader {
  readonly #bytes: Uint8Array
  #position = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  byte(): number {
    const value = this.#bytes[this.#position++]
    if (value === undefined) throw new RangeError('packed bytes end too early')
    return value
  }

  take(size: number): Uint8Array {
    const end = this.#position + size
    if (end > this.#bytes.length) throw new RangeError('packed bytes end too early')
    const part = this.#bytes.subarray(this.#position, end)
    this.#position = end
    return part
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
}
