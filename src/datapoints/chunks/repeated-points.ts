import type { PointColumns } from './flush.ts'

/** A point that another one of the same series and time takes the place of; both by their places. */
export interface RepeatedPoint {
  readonly place: number
  readonly by: number
}

/** In the order of their places. The last of several is the one that stays. */
export function repeatedPoints({ count, series, at }: PointColumns): readonly RepeatedPoint[] {
  const order = Uint32Array.from({ length: count }, (_, place) => place)
  const difference = (a: number, b: number): number =>
    (series[a] ?? 0) - (series[b] ?? 0) || (at[a] ?? 0) - (at[b] ?? 0)
  order.sort((a, b) => difference(a, b) || a - b)
  const repeated: RepeatedPoint[] = []
  for (let index = 1; index < count; index++) {
    const [place = 0, by = 0] = [order[index - 1], order[index]]
    if (difference(place, by) === 0) repeated.push({ place, by })
  }
  return repeated.sort((a, b) => a.place - b.place)
}
