import { generationAt, type GeneratedColumns } from '../../../../datapoints/chunks/chunk.ts'
import {
  cellAt,
  lowerBound,
  type Before,
  charactersOfCell,
  shortenedCell,
} from '../../../../datapoints/chunks/point-columns.ts'
import type { ValueKind } from '../../../../records/values/value.ts'
import type { LatestCandidate } from '../../../../store/datapoints/points/latest-points.ts'
import { EVER } from '../../../../store/datapoints/points/points.ts'
import { AnswerBudget } from '../../../answer-budget.ts'
import { decodeStored } from '../../damaged-points.ts'
import type { SeriesReference } from './point-reader.ts'

interface Candidate extends Before {
  readonly generation: number
}

type FetchChunk = (chunk: LatestCandidate & { readonly t0: number }) => Promise<Uint8Array | undefined>

/** The last points before a time, as far as they are known. */
export class LatestPoints {
  readonly #kinds: ReadonlyMap<number, ValueKind>
  readonly #before: number
  readonly #longest: number
  readonly #budget = new AnswerBudget()
  readonly #latest = new Map<number, Candidate>()
  readonly #expected = new Map<number, number>()
  #characters = 0

  constructor(series: readonly SeriesReference[], before: number, longest = Infinity) {
    this.#kinds = new Map(series.map(({ seriesId, kind }) => [seriesId, kind]))
    this.#before = before
    this.#longest = longest
  }

  get ids(): number[] {
    return [...this.#kinds.keys()]
  }

  get known(): { readonly seriesId: number; readonly since: number }[] {
    return this.ids.map((seriesId) => ({ seriesId, since: this.sinceOf(seriesId) }))
  }

  /** The time of the last known point of a series; before all times if it has none yet. */
  timeOf(seriesId: number): number {
    return this.#latest.get(seriesId)?.at ?? EVER
  }

  /** A lower bound for the time of the last point of a series. */
  sinceOf(seriesId: number): number {
    return Math.max(this.timeOf(seriesId), this.#expected.get(seriesId) ?? EVER)
  }

  /** The earliest of these times. */
  earliest(series: readonly number[]): number {
    return series.reduce((least, seriesId) => Math.min(least, this.sinceOf(seriesId)), Infinity)
  }

  /** Notes that a series has a point at this time or later, which will be added. */
  expect(seriesId: number, since: number): void {
    if (since > (this.#expected.get(seriesId) ?? EVER)) this.#expected.set(seriesId, since)
  }

  /** Adds points of a series, whose times ascend. */
  add(seriesId: number, points: GeneratedColumns): void {
    this.#keepLater(seriesId, lastOf(points, this.#before))
  }

  /** Adds the last points of chunks. `fetchChunk` reads a chunk whose points are not in memory. */
  async addChunks(candidates: readonly LatestCandidate[], fetchChunk: FetchChunk): Promise<void> {
    for (const one of candidates)
      if (one.t0 === null) this.#keepLater(one.seriesId, clearPoint(one, this.#kinds.get(one.seriesId)))
    for (const one of candidates) {
      const { seriesId, t0, points, at } = one
      // Decoding takes longer than everything else, so a chunk is only decoded if no known point is later than its end.
      if (t0 === null || (this.#latest.get(seriesId)?.at ?? -Infinity) > at) continue
      const kind = this.#kinds.get(seriesId)
      const bytes = points ?? (await fetchChunk({ ...one, t0 }))
      if (kind !== undefined && bytes !== undefined) this.add(seriesId, decodeStored({ seriesId }, bytes, kind))
    }
  }

  #keepLater(seriesId: number, candidate: Candidate | undefined): void {
    if (candidate === undefined) return
    const known = this.#latest.get(seriesId)
    const isEarlier =
      known !== undefined &&
      (candidate.at < known.at || (candidate.at === known.at && candidate.generation < known.generation))
    if (isEarlier) return
    const kept = { ...candidate, value: shortenedCell(candidate.value, this.#longest) }
    this.#characters += charactersOfCell(kept.value) - charactersOfCell(known?.value ?? null)
    this.#budget.check(this.#characters)
    this.#latest.set(seriesId, kept)
  }

  found(): ReadonlyMap<number, Before> {
    const found = new Map<number, Before>()
    for (const [seriesId, { at, value }] of this.#latest) found.set(seriesId, { at, value })
    return found
  }
}

/** The last point before a time. The times must ascend. */
function lastOf(points: GeneratedColumns, before: number): Candidate | undefined {
  const index = lowerBound(points.at, before) - 1
  const at = points.at[index]
  if (at === undefined) return undefined
  return { at, value: cellAt(points.values, index), generation: generationAt(points, index) }
}

function clearPoint(point: LatestCandidate, kind: ValueKind | undefined): Candidate {
  const { at, generation, float8, whole, text } = point
  if (kind === 'float') return { at, generation, value: float8 ?? 0 }
  if (kind === 'text') return { at, generation, value: text ?? '' }
  const value = BigInt(whole ?? 0)
  return { at, generation, value: kind === 'integer' ? value : value === 1n }
}
