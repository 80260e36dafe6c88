// The binary format of COPY (PostgreSQL manual, COPY, "Binary Format") is a header, rows of fields with their lengths
// before them, all big-endian, and an end.

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const HEADER = SIGNATURE.length + 8

export class BinaryRows {
  #bytes: Buffer<ArrayBuffer>
  #view: DataView<ArrayBuffer>
  #length = HEADER

  constructor(size = 65_536) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(size, HEADER))
    this.#view = new DataView(this.#bytes.buffer)
    SIGNATURE.copy(this.#bytes)
    this.#bytes.fill(0, SIGNATURE.length, HEADER)
  }

  /** The bytes are valid until more is written. */
  finish(): Uint8Array<ArrayBuffer> {
    this.#need(2)
    this.#view.setInt16(this.#length, -1)
    return this.#bytes.subarray(0, this.#length + 2)
  }

  /** Begins a row. `size` is the room for the fields that are not bytes or text, with their lengths. */
  row(fields: number, size: number): void {
    this.#need(size + 2)
    this.#view.setInt16(this.#length, fields)
    this.#length += 2
  }

  null(): void {
    this.#view.setInt32(this.#length, -1)
    this.#length += 4
  }

  int2(value: number): void {
    this.#view.setInt32(this.#length, 2)
    this.#view.setInt16(this.#length + 4, value)
    this.#length += 6
  }

  int4(value: number): void {
    this.#view.setInt32(this.#length, 4)
    this.#view.setInt32(this.#length + 4, value)
    this.#length += 8
  }

  /** The number is exact for every safe integer. */
  int8(value: number): void {
    this.#view.setInt32(this.#length, 8)
    this.#view.setInt32(this.#length + 4, Math.floor(value / 4_294_967_296))
    this.#view.setUint32(this.#length + 8, value)
    this.#length += 12
  }

  wide(value: bigint): void {
    this.#view.setInt32(this.#length, 8)
    this.#view.setBigInt64(this.#length + 4, value)
    this.#length += 12
  }

  float8(value: number): void {
    this.#view.setInt32(this.#length, 8)
    this.#view.setFloat64(this.#length + 4, value)
    this.#length += 12
  }

  text(value: string): void {
    const size = Buffer.byteLength(value)
    this.#need(size + 4)
    this.#view.setInt32(this.#length, size)
    this.#bytes.write(value, this.#length + 4, 'utf8')
    this.#length += size + 4
  }

  bytes(value: Uint8Array): void {
    this.#need(value.length + 4)
    this.#view.setInt32(this.#length, value.length)
    this.#bytes.set(value, this.#length + 4)
    this.#length += value.length + 4
  }

  /** Makes room for twelve bytes more, so that a short field after text or bytes has room as well. */
  #need(size: number): void {
    const end = this.#length + size + 12
    if (end <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(end, this.#bytes.length * 2))
    this.#bytes.copy(grown, 0, 0, this.#length)
    this.#bytes = grown
    this.#view = new DataView(grown.buffer)
  }
}
