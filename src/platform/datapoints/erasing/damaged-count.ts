import type { Segment } from '../../../datapoints/segments/segment.ts'
import { DamagedPoints, decodeStoredDirectory, decodeStoredSegment } from '../damaged-points.ts'

/** Leaves out segments that cannot be read, and counts their points by their directories. */
export class DamagedCount {
  count = 0
  readonly #seriesIds: ReadonlySet<number>

  constructor(seriesIds: ReadonlySet<number>) {
    this.#seriesIds = seriesIds
  }

  readable<One extends Segment>(segments: readonly One[]): One[] {
    return segments.filter((segment) => this.#isReadable(segment))
  }

  async *readableRows<One extends Segment>(rows: AsyncIterable<One>): AsyncGenerator<One> {
    for await (const row of rows) if (this.#isReadable(row)) yield row
  }

  #isReadable(segment: Segment): boolean {
    if (isIntact(() => decodeStoredSegment(segment, this.#seriesIds))) return true
    isIntact(() => {
      const { series, counts } = decodeStoredDirectory(segment, '')
      for (const [run, seriesId] of series.entries()) if (this.#seriesIds.has(seriesId)) this.count += counts[run] ?? 0
    })
    return false
  }
}

function isIntact(decode: () => unknown): boolean {
  try {
    decode()
    return true
  } catch (error) {
    if (error instanceof DamagedPoints) return false
    throw error
  }
}
