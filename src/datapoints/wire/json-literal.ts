/**
 * Text that is compared with a body eight bytes at a time, which is several times faster than one byte at a time. The
 * text is ASCII of at least eight characters. Eight such bytes, read as a double, are never NaN or zero, so two of
 * these doubles are equal only if their bytes are equal.
 */
export class JsonLiteral {
  readonly length: number
  readonly #words: Float64Array

  constructor(text: string) {
    const bytes = Buffer.from(text, 'latin1')
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    this.length = bytes.length
    this.#words = Float64Array.from({ length: Math.ceil(bytes.length / 8) }, (_, index) =>
      view.getFloat64(Math.min(index * 8, bytes.length - 8), true),
    )
  }

  /** Tells whether the text stands at `start`. The last eight bytes may overlap those before them. */
  isAt(view: DataView, start: number): boolean {
    const words = this.#words
    const last = words.length - 1
    const lastAt = start + this.length - 8
    if (lastAt + 8 > view.byteLength) return false
    for (let index = 0; index < last; index++) {
      if (view.getFloat64(start + index * 8, true) !== words[index]) return false
    }
    return view.getFloat64(lastAt, true) === words[last]
  }
}
