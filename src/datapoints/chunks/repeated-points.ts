import type { PointColumns } from './flush.ts'

/** A point that is replaced by another point of the same series and time. Both are given by their indexes. */
export interface RepeatedPoint {
  readonly index: number
  readonly by: number
}

/** The replaced points, ordered by index. The last of several points with one time is the one that stays. */
export function repeatedPoints({ count, series, at }: PointColumns): readonly RepeatedPoint[] {
  const order = Uint32Array.from({ length: count }, (_, index) => index)
  const difference = (a: number, b: number): number =>
    (series[a] ?? 0) - (series[b] ?? 0) || (at[a] ?? 0) - (at[b] ?? 0)
  order.sort((a, b) => difference(a, b) || a - b)
  const repeated: RepeatedPoint[] = []
  for (let index = 1; index < count; index++) {
    const [replaced = 0, by = 0] = [order[index - 1], order[index]]
    if (difference(replaced, by) === 0) repeated.push({ index: replaced, by })
  }
  return repeated.sort((a, b) => a.index - b.index)
}
