const UTF8 = new TextDecoder('utf-8')

/** A list of records as JSON text: a quarter of the memory that its values would take, and ready to be sent. */
export class WrittenList {
  readonly length: number
  /** What stands between the brackets, in UTF-8. */
  readonly elements: Uint8Array

  constructor(length: number, elements: Uint8Array) {
    this.length = length
    this.elements = elements
  }

  static of(values: readonly unknown[]): WrittenList {
    return new WrittenList(values.length, Buffer.from(JSON.stringify(values)).subarray(1, -1))
  }

  values(): unknown[] {
    return JSON.parse(`[${UTF8.decode(this.elements)}]`) as unknown[]
  }
}
