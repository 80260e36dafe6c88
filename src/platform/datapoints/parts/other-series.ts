import type { Erased } from '../../../datapoints/chunks/erased.ts'
import type { GeneratedColumns } from '../../../datapoints/chunks/chunk.ts'
import { lowerBound } from '../../../datapoints/chunks/point-columns.ts'
import { joinGenerated, mergePoints } from '../../../datapoints/chunks/merge-points.ts'
import { slicePoints } from '../../../datapoints/segments/divide-points.ts'
import { blockOf } from '../../../datapoints/segments/fold-into-blocks.ts'
import type { PointsBySeries } from '../reading/stored/segment-points.ts'

export interface SeriesOf {
  readonly seriesId: number
  readonly erased?: Erased
}

/** Points outside of chunks, with their series. */
export interface OtherValues<Origin> {
  readonly origins: readonly Origin[]
  readonly points: PointsBySeries
}

export interface BlockValues<Origin> extends OtherValues<Origin> {
  readonly block: number
}

/** The values outside of chunks. */
export interface Others<Origin> {
  readonly hot: OtherValues<Origin>
  /** In ascending order. */
  readonly blocks: AsyncIterable<BlockValues<Origin>>
}

/** Points of one series outside of chunks, each time once. */
export interface OtherPart<Origin> {
  readonly origin: Origin
  readonly points: GeneratedColumns
}

interface OtherPoints<Origin> {
  readonly origin: Origin
  /** The points, unordered until some points are taken. */
  parts: readonly GeneratedColumns[]
  isMerged: boolean
}

/** The points outside of chunks by series: hot points, and points of the blocks that are read so far. */
export class OtherSeries<Origin extends SeriesOf> {
  readonly #blocks: AsyncIterator<BlockValues<Origin>>
  readonly #waiting = new Map<number, Map<number, OtherPoints<Origin>>>()
  #next: BlockValues<Origin> | null | undefined
  /** The last block that `moveTo` has reached. */
  #reached = -Infinity

  constructor({ hot, blocks }: Others<Origin>) {
    this.#blocks = blocks[Symbol.asyncIterator]()
    this.#add(hot)
  }

  /** Yields the remaining points of all blocks before this one, and starts to read this one. It is called for each series. */
  async *moveTo(block: number): AsyncGenerator<OtherPart<Origin>> {
    if (block <= this.#reached) return
    this.#reached = block
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

  async #read(): Promise<BlockValues<Origin> | null> {
    const next = await this.#blocks.next()
    return next.done === true ? null : next.value
  }

  /** Takes the points of a series before a time; null if there are none. */
  take(seriesId: number, before: number): GeneratedColumns | null {
    const own = this.#waiting.get(blockOf(seriesId))?.get(seriesId)
    if (own === undefined) return null
    const points = merged(own)
    const end = lowerBound(points.at, before)
    own.parts = [slicePoints(points, end, points.at.length)]
    return end === 0 ? null : slicePoints(points, 0, end)
  }

  *#takeAll(block: number): Generator<OtherPart<Origin>> {
    for (const own of this.#waiting.get(block)?.values() ?? []) {
      const points = merged(own)
      if (points.at.length > 0) yield { origin: own.origin, points }
    }
    this.#waiting.delete(block)
  }

  #add({ origins, points }: OtherValues<Origin>): void {
    for (const origin of origins) {
      const block = blockOf(origin.seriesId)
      const series = this.#waiting.get(block) ?? new Map<number, OtherPoints<Origin>>()
      this.#waiting.set(block, series)
      const known = series.get(origin.seriesId)
      const more = points.get(origin.seriesId) ?? []
      const parts = [...(known?.parts ?? []), ...more]
      if (more.length > 0) series.set(origin.seriesId, { origin, parts, isMerged: false })
    }
  }
}

/** Merges the waiting points of a series once, even if they are taken in several calls. */
function merged<Origin>(own: OtherPoints<Origin>): GeneratedColumns {
  const points = joinGenerated(own.parts)
  if (own.isMerged) return points
  own.isMerged = true
  own.parts = [mergePoints(points)]
  return own.parts[0] ?? points
}
