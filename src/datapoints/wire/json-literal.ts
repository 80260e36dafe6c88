/**
 * Text that is looked for in a body, eight bytes at a time, which is several times faster than one by one. Of ASCII, at
 * least eight characters: none of its eight bytes are NaN or a zero, so only doubles of the same bytes are equal to them.
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

  /** The last eight bytes may overlap those before them. */
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
