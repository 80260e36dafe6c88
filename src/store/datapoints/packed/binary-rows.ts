// The binary format of COPY (PostgreSQL manual, COPY, "Binary Format") has a header, rows, and an end. A row has
// fields, each after its length. All numbers are big-endian.

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

  /** Writes the end, and returns all bytes. They are valid until the next write. */
  finish(): Uint8Array<ArrayBuffer> {
    this.#need(2)
    this.#view.setInt16(this.#length, -1)
    return this.#bytes.subarray(0, this.#length + 2)
  }

  /** Begins a row. `size` is the bytes of all fields except bytes and texts, including their lengths. */
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

  /** Writes a number. It is exact for every safe integer. */
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

  /** Makes room for `size` and twelve more bytes, so that a short field fits after text or bytes. */
  #need(size: number): void {
    const end = this.#length + size + 12
    if (end <= this.#bytes.length) return
    const grown = Buffer.allocUnsafeSlow(Math.max(end, this.#bytes.length * 2))
    this.#bytes.copy(grown, 0, 0, this.#length)
    this.#bytes = grown
    this.#view = new DataView(grown.buffer)
  }
}
