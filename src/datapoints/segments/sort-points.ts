import type { PointColumns } from '../chunks/flush.ts'
import type { PointRuns } from './point-runs.ts'

/** The most points of a run, so that a segment of some thousand bytes holds it. */
const MOST_OF_RUN = 400

/**
 * Sorts points by series and time. Of several points of one series and time the last one stays, in the order in which
 * they are given.
 */
export function sortPoints(points: PointColumns): PointRuns {
  const { ids, ends, indexes } = sortBySeries(points)
  const { count } = points
  const at = new Float64Array(count)
  const values = new Float64Array(count)
  const others = new Map<number, bigint | string>()
  const runs: { readonly series: number; readonly kind: number; readonly start: number }[] = []
  let [start, length] = [0, 0]
  for (let place = 0; place < ids.length; place++) {
    const end = ends[place] ?? 0
    const own = sortByTime(points.at, indexes.subarray(start, end))
    const first = length
    for (let index = 0; index < own.length; index++) {
      const from = own[index] ?? 0
      const time = points.at[from] ?? 0
      const next = own[index + 1]
      if (next !== undefined && points.at[next] === time) continue
      at[length] = time
      values[length] = points.values[from] ?? 0
      const other = points.others.size > 0 ? points.others.get(from) : undefined
      if (other !== undefined) others.set(length, other)
      length += 1
    }
    const kind = points.kinds[own[0] ?? 0] ?? 0
    for (let cut = first; cut < length; cut += MOST_OF_RUN) runs.push({ series: ids[place] ?? 0, kind, start: cut })
    start = end
  }
  return {
    series: Float64Array.from(runs, ({ series }) => series),
    kinds: Uint8Array.from(runs, ({ kind }) => kind),
    starts: startsOf(runs, length),
    at: at.subarray(0, length),
    generation: 0,
    values: values.subarray(0, length),
    others,
  }
}

function startsOf(runs: readonly { readonly start: number }[], length: number): Uint32Array {
  const starts = new Uint32Array(runs.length + 1)
  for (const [run, { start }] of runs.entries()) starts[run] = start
  starts[runs.length] = length
  return starts
}

interface BySeries {
  /** The series in ascending order. */
  readonly ids: Float64Array
  /** Where the points of each series end among the indexes. */
  readonly ends: Uint32Array
  /** The indexes of all points, series by series, each in the order of arrival. */
  readonly indexes: Uint32Array
}

/** A counting sort, whose cost grows linearly with the number of points. */
function sortBySeries({ count, series }: PointColumns): BySeries {
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

/** Sorts the indexes of one series by time; those of one time stay in their order. */
function sortByTime(at: Float64Array, indexes: Uint32Array): Uint32Array {
  for (let index = 1; index < indexes.length; index++) {
    if ((at[indexes[index] ?? 0] ?? 0) >= (at[indexes[index - 1] ?? 0] ?? 0)) continue
    return indexes.sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0) || a - b)
  }
  return indexes
}
