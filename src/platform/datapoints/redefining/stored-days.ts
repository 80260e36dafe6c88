import { decodeChunk, type GeneratedColumns } from '../../../datapoints/chunks/chunk.ts'
import { lowerBound, type Columns } from '../../../datapoints/chunks/columns.ts'
import { joinGenerated, mergePoints } from '../../../datapoints/chunks/merge-points.ts'
import { DAY } from '../../../datapoints/chunks/pack-series.ts'
import type { ValueKind } from '../../../datapoints/rules/value.ts'
import { blockOf, slicePoints } from '../../../datapoints/segments/gather-points.ts'
import type { SeriesOrigin, StoredChunkOf } from '../../../store/datapoints/stored-values.ts'
import type { BlockValues, OtherValues } from './other-values.ts'

/** The points of one series and one day (UTC), each time once. Overwritten points do not count. */
export interface StoredDay {
  readonly origin: SeriesOrigin
  readonly columns: Columns
}

export type KindOf = (characteristic: string) => ValueKind

/** The values that are not in chunks. */
export interface Others {
  readonly hot: OtherValues
  /** In ascending order. */
  readonly blocks: AsyncIterable<BlockValues>
}

/** Decodes at most one day of one series at once, and one block. Chunks come series by series, oldest first. */
export async function* storedDays(
  chunks: AsyncIterable<readonly StoredChunkOf[]>,
  others: Others,
  kindOf: KindOf,
): AsyncGenerator<StoredDay> {
  const days = new OtherDays(others)
  let day: StoredChunkOf[] = []
  for await (const batch of chunks) {
    for (const chunk of batch) {
      const [first] = day
      if (first !== undefined && nameOf(first.seriesId, first.t0) !== nameOf(chunk.seriesId, chunk.t0)) {
        yield* merged(day, days, kindOf)
        day = []
      }
      yield* days.moveTo(blockOf(chunk.seriesId))
      day.push(chunk)
    }
  }
  yield* merged(day, days, kindOf)
  yield* days.moveTo(Infinity)
}

function nameOf(seriesId: number, at: number): string {
  return `${seriesId}/${Math.floor(at / DAY)}`
}

function* merged(day: readonly StoredChunkOf[], others: OtherDays, kindOf: KindOf): Generator<StoredDay> {
  const [origin] = day
  if (origin === undefined) return
  const kind = kindOf(origin.key)
  yield dayOf(origin, [...day.map(({ points }) => decodeChunk(points, kind)), ...others.take(origin, origin.t0)])
}

/** Points that are not folded come last, because the last point of a flush counts. */
function dayOf(origin: SeriesOrigin, parts: readonly GeneratedColumns[]): StoredDay {
  return { origin, columns: mergePoints(joinGenerated(parts)) }
}

interface OtherDay {
  readonly origin: SeriesOrigin
  readonly parts: GeneratedColumns[]
}

/** The points that are not in chunks by day, of those blocks that are looked at and of what is hot. */
class OtherDays {
  readonly #blocks: AsyncIterator<BlockValues>
  readonly #days = new Map<number, Map<string, OtherDay>>()
  #next: BlockValues | null | undefined

  constructor({ hot, blocks }: Others) {
    this.#blocks = blocks[Symbol.asyncIterator]()
    this.#add(hot)
  }

  /** Gives the days of all blocks before this one that were not taken, and begins with this one. */
  async *moveTo(block: number): AsyncGenerator<StoredDay> {
    for (;;) {
      if (this.#next === undefined) this.#next = await this.#read()
      if (this.#next === null || this.#next.block > block) break
      const { block: reached } = this.#next
      this.#add(this.#next)
      this.#next = undefined
      if (reached < block) yield* this.#takeAll(reached)
    }
    for (const one of [...this.#days.keys()].sort((a, b) => a - b)) if (one < block) yield* this.#takeAll(one)
  }

  async #read(): Promise<BlockValues | null> {
    const next = await this.#blocks.next()
    return next.done === true ? null : next.value
  }

  /** Takes the points of a series on the day of a time. */
  take({ seriesId }: SeriesOrigin, at: number): readonly GeneratedColumns[] {
    const days = this.#days.get(blockOf(seriesId))
    const name = nameOf(seriesId, at)
    const found = days?.get(name)?.parts ?? []
    days?.delete(name)
    return found
  }

  *#takeAll(block: number): Generator<StoredDay> {
    for (const { origin, parts } of this.#days.get(block)?.values() ?? []) yield dayOf(origin, parts)
    this.#days.delete(block)
  }

  #add({ origins, points }: OtherValues): void {
    for (const origin of origins) {
      const block = blockOf(origin.seriesId)
      const days = this.#days.get(block) ?? new Map<string, OtherDay>()
      this.#days.set(block, days)
      for (const part of points.get(origin.seriesId) ?? []) addDays(days, origin, part)
    }
  }
}

function addDays(days: Map<string, OtherDay>, origin: SeriesOrigin, points: GeneratedColumns): void {
  const { at } = points
  for (let start = 0; start < at.length;) {
    const time = at[start] ?? 0
    const end = lowerBound(at, (Math.floor(time / DAY) + 1) * DAY, start)
    const name = nameOf(origin.seriesId, time)
    const day = days.get(name) ?? { origin, parts: [] }
    days.set(name, day)
    day.parts.push(slicePoints(points, start, end))
    start = end
  }
}
