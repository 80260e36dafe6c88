import type { Directory } from './directory.ts'

/** Times, generations and values of each point. */
const NUMBERS_OF_POINT = 3

/**
 * The memory of all points that are decoded of a segment. To take it at once costs less than three times for each of a
 * thousand series, and so does giving it back.
 */
export class PointMemory {
  readonly #bytes: ArrayBuffer
  #taken = 0

  constructor({ series, counts }: Directory, wanted?: Pick<ReadonlySet<number>, 'has'>) {
    let points = 0
    for (let run = 0; run < series.length; run++)
      if (wanted === undefined || wanted.has(series[run] ?? 0)) points += counts[run] ?? 0
    this.#bytes = new ArrayBuffer(points * NUMBERS_OF_POINT * Float64Array.BYTES_PER_ELEMENT)
  }

  take(count: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#bytes, this.#advance(count), count)
  }

  takeWide(count: number): BigInt64Array<ArrayBuffer> {
    return new BigInt64Array(this.#bytes, this.#advance(count), count)
  }

  #advance(count: number): number {
    const place = this.#taken
    this.#taken += count * Float64Array.BYTES_PER_ELEMENT
    return place
  }
}
