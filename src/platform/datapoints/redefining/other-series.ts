import type { GeneratedColumns } from '../../../datapoints/chunks/chunk.ts'
import { lowerBound } from '../../../datapoints/chunks/columns.ts'
import { joinGenerated, mergePoints } from '../../../datapoints/chunks/merge-points.ts'
import { DAY } from '../../../datapoints/chunks/pack-series.ts'
import { slicePoints } from '../../../datapoints/segments/divide-points.ts'
import { blockOf } from '../../../datapoints/segments/fold-into-blocks.ts'
import type { SeriesOrigin } from '../../../store/datapoints/points/stored-values.ts'
import type { BlockValues, OtherValues } from './other-values.ts'

/** The values that are not in chunks. */
export interface Others {
  readonly hot: OtherValues
  /** In ascending order. */
  readonly blocks: AsyncIterable<BlockValues>
}

/** Points of one series that are not in chunks, a day or less. */
export interface OtherPart {
  readonly origin: SeriesOrigin
  readonly points: GeneratedColumns
}

interface OtherPoints {
  readonly origin: SeriesOrigin
  /** In no order, until some of them are taken. */
  parts: readonly GeneratedColumns[]
}

/** The points that are not in chunks by series, of those blocks that are looked at and of what is hot. */
export class OtherSeries {
  readonly #blocks: AsyncIterator<BlockValues>
  readonly #waiting = new Map<number, Map<number, OtherPoints>>()
  #next: BlockValues | null | undefined

  constructor({ hot, blocks }: Others) {
    this.#blocks = blocks[Symbol.asyncIterator]()
    this.#add(hot)
  }

  /** Gives the points of all blocks before this one that were not taken, and begins with this one. */
  async *moveTo(block: number): AsyncGenerator<OtherPart> {
    for (;;) {
      if (this.#next === undefined) this.#next = await this.#read()
      if (this.#next === null || this.#next.block > block) break
      const { block: reached } = this.#next
      this.#add(this.#next)
      this.#next = undefined
      if (reached < block) yield* this.#takeAll(reached)
    }
    for (const one of [...this.#waiting.keys()].sort((a, b) => a - b)) if (one < block) yield* this.#takeAll(one)
  }

  async #read(): Promise<BlockValues | null> {
    const next = await this.#blocks.next()
    return next.done === true ? null : next.value
  }

  /** Takes the points of a series before a time; null where there are none. */
  take(seriesId: number, before: number): GeneratedColumns | null {
    const own = this.#waiting.get(blockOf(seriesId))?.get(seriesId)
    if (own === undefined) return null
    const points = mergePoints(joinGenerated(own.parts))
    const end = lowerBound(points.at, before)
    own.parts = [slicePoints(points, end, points.at.length)]
    return end === 0 ? null : slicePoints(points, 0, end)
  }

  *#takeAll(block: number): Generator<OtherPart> {
    for (const { origin, parts } of this.#waiting.get(block)?.values() ?? []) {
      const points = mergePoints(joinGenerated(parts))
      for (let start = 0; start < points.at.length;) {
        const end = lowerBound(points.at, (Math.floor((points.at[start] ?? 0) / DAY) + 1) * DAY, start)
        yield { origin, points: slicePoints(points, start, end) }
        start = end
      }
    }
    this.#waiting.delete(block)
  }

  #add({ origins, points }: OtherValues): void {
    for (const origin of origins) {
      const block = blockOf(origin.seriesId)
      const series = this.#waiting.get(block) ?? new Map<number, OtherPoints>()
      this.#waiting.set(block, series)
      const known = series.get(origin.seriesId)
      const more = points.get(origin.seriesId) ?? []
      if (more.length > 0) series.set(origin.seriesId, { origin, parts: [...(known?.parts ?? []), ...more] })
    }
  }
}
