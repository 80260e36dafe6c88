import { KINDS, type PointColumns } from '../chunks/flush.ts'
import type { PointRuns } from './point-runs.ts'

/** The maximum number of points of a run, so that it fits into a segment of some thousand bytes. */
const MOST_OF_RUN = 400
/**
 * The maximum number of characters of the texts of a run, unless it is a single text: a row of a table must fit into
 * memory.
 */
const MOST_CHARACTERS = 65_536

/** Sorts points by series and time. Of several with the same series and time, the last given one stays. */
export function sortPoints(points: PointColumns): PointRuns {
  const { ids, ends, indexes } = sortBySeries(points)
  const kept = new KeptPoints(points)
  let start = 0
  for (let place = 0; place < ids.length; place++) {
    const end = ends[place] ?? 0
    kept.begin(ids[place] ?? 0, points.kinds[indexes[start] ?? 0] ?? 0)
    // Most series of a fleet have one point.
    if (end === start + 1) kept.add(indexes[start] ?? 0)
    else kept.addAll(sortByTime(points.at, indexes.subarray(start, end)))
    kept.cut()
    start = end
  }
  return kept.runs()
}

/** The points that stay, run after run. */
class KeptPoints {
  readonly #points: PointColumns
  readonly #at: Float64Array
  readonly #values: Float64Array
  readonly #others = new Map<number, bigint | string>()
  readonly #series: number[] = []
  readonly #kinds: number[] = []
  readonly #starts: number[] = []
  #id = 0
  #kind = 0
  #first = 0
  #length = 0

  constructor(points: PointColumns) {
    this.#points = points
    this.#at = new Float64Array(points.count)
    this.#values = new Float64Array(points.count)
  }

  begin(id: number, kind: number): void {
    this.#id = id
    this.#kind = kind
    this.#first = this.#length
  }

  add(from: number): void {
    const { at, values, others } = this.#points
    this.#at[this.#length] = at[from] ?? 0
    this.#values[this.#length] = values[from] ?? 0
    const other = others.size > 0 ? others.get(from) : undefined
    if (other !== undefined) this.#others.set(this.#length, other)
    this.#length += 1
  }

  /** Adds points, which are ordered by time. If several points have the same time, the last one counts. */
  addAll(ordered: Uint32Array): void {
    const { at } = this.#points
    for (let index = 0; index < ordered.length; index++) {
      const from = ordered[index] ?? 0
      const next = ordered[index + 1]
      if (next === undefined || at[next] !== at[from]) this.add(from)
    }
  }

  /** Ends the series, and cuts its points into runs that are not too long. */
  cut(): void {
    for (let start = this.#first; start < this.#length; start = this.#endOfRun(start)) {
      this.#series.push(this.#id)
      this.#kinds.push(this.#kind)
      this.#starts.push(start)
    }
  }

  #endOfRun(start: number): number {
    const most = Math.min(start + MOST_OF_RUN, this.#length)
    if (this.#kind !== TEXT) return most
    let end = start + 1
    let characters = lengthOf(this.#others.get(start))
    while (end < most && (characters += lengthOf(this.#others.get(end))) <= MOST_CHARACTERS) end++
    return end
  }

  runs(): PointRuns {
    this.#starts.push(this.#length)
    return {
      series: new Float64Array(this.#series),
      kinds: new Uint8Array(this.#kinds),
      starts: new Uint32Array(this.#starts),
      at: this.#at.subarray(0, this.#length),
      generation: 0,
      values: this.#values.subarray(0, this.#length),
      others: this.#others,
    }
  }
}

const TEXT = KINDS.indexOf('text')

/** Counts the characters of a text; 0 for other values. */
function lengthOf(value: bigint | string | undefined): number {
  return typeof value === 'string' ? value.length : 0
}

interface BySeries {
  /** The series in ascending order. */
  readonly ids: Float64Array
  /** Where the points of each series end among the indexes. */
  readonly ends: Uint32Array
  /** The indexes of all points, series by series, each in the order of arrival. */
  readonly indexes: Uint32Array
}

/** A counting sort is used if the range of series numbers is at most this many times the number of points. */
const SPREAD = 16

/** Sorts points by series, by counting. The time is linear in the number of points. */
function sortBySeries(points: PointColumns): BySeries {
  const { count, series } = points
  let [least, most] = [Infinity, -Infinity]
  for (let index = 0; index < count; index++) {
    const id = series[index] ?? 0
    if (id < least) least = id
    if (id > most) most = id
  }
  const range = most - least + 1
  return range > 0 && range <= count * SPREAD ? sortNeighbours(points, least, range) : sortStrangers(points)
}

/** Sorts the points of series with numbers close to each other. */
function sortNeighbours({ count, series }: PointColumns, least: number, range: number): BySeries {
  const next = new Uint32Array(range)
  let distinct = 0
  for (let index = 0; index < count; index++) {
    const place = (series[index] ?? 0) - least
    if (next[place] === 0) distinct += 1
    next[place] = (next[place] ?? 0) + 1
  }
  const ids = new Float64Array(distinct)
  const ends = new Uint32Array(distinct)
  let [end, known] = [0, 0]
  for (let place = 0; place < range; place++) {
    const own = next[place] ?? 0
    if (own === 0) continue
    next[place] = end
    ids[known] = least + place
    ends[known++] = end += own
  }
  const indexes = new Uint32Array(count)
  for (let index = 0; index < count; index++) {
    const place = (series[index] ?? 0) - least
    const to = next[place] ?? 0
    indexes[to] = index
    next[place] = to + 1
  }
  return { ids, ends, indexes }
}

/** Sorts the points of series with any numbers. */
function sortStrangers({ count, series }: PointColumns): BySeries {
  const counts = new Map<number, number>()
  for (let index = 0; index < count; index++) {
    const id = series[index] ?? 0
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const ids = Float64Array.from(counts.keys()).sort()
  const next = new Map<number, number>()
  const ends = new Uint32Array(ids.length)
  let end = 0
  for (let place = 0; place < ids.length; place++) {
    const id = ids[place] ?? 0
    next.set(id, end)
    ends[place] = end += counts.get(id) ?? 0
  }
  const indexes = new Uint32Array(count)
  for (let index = 0; index < count; index++) {
    const id = series[index] ?? 0
    const to = next.get(id) ?? 0
    indexes[to] = index
    next.set(id, to + 1)
  }
  return { ids, ends, indexes }
}

/** Sorts the indexes of one series by time. Points with the same time keep their order. */
function sortByTime(at: Float64Array, indexes: Uint32Array): Uint32Array {
  for (let index = 1; index < indexes.length; index++) {
    if ((at[indexes[index] ?? 0] ?? 0) >= (at[indexes[index - 1] ?? 0] ?? 0)) continue
    return indexes.sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0) || a - b)
  }
  return indexes
}
