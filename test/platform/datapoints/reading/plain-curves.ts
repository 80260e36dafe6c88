import { envelope } from '../../../../src/datapoints/buckets/thinning.ts'

// Curves by the naive way, of the points themselves.

export type PlainPoint = readonly [at: number, value: number]

/** The points that others do not have. */
export function lacking(points: readonly PlainPoint[], others: readonly PlainPoint[]): readonly PlainPoint[] {
  const known = new Set(others.map(String))
  return points.filter((point) => !known.has(String(point)))
}

export function endsAndExtremes(points: readonly PlainPoint[]): unknown {
  const values = points.map(([, value]) => value)
  return [points[0], points.at(-1), Math.min(...values), Math.max(...values)]
}

/** The naive way: as few whole units as make no more stretches than so many points can show. */
export function extremesByUnit(points: readonly PlainPoint[], maxPoints: number, unit: number): PlainPoint[] {
  const begin = Math.floor((points[0]?.[0] ?? 0) / unit) * unit
  const stretches = (units: number) => Map.groupBy(points, ([at]) => Math.floor((at - begin) / (units * unit)))
  const span = (units: number) => Math.floor(((points.at(-1)?.[0] ?? 0) - begin) / (units * unit)) + 1
  let units = 1
  while (span(units) > Math.floor((maxPoints - 2) / 2)) units++
  const chosen = [...stretches(units).values()].map((own) => {
    const values = own.map(([, value]) => value)
    return [Math.min(...values), Math.max(...values)].map((extreme) => own.find(([, value]) => value === extreme))
  })
  const present = [points[0], ...chosen.flat(), points.at(-1)].filter((point) => point !== undefined)
  const kept = new Map(present.map((point) => [point[0], point]))
  return points.length <= maxPoints ? [...points] : [...kept.values()].sort(([a], [b]) => a - b)
}

/** As `envelope` chooses them, which test/datapoints/thinning.test.ts tests. */
export function extremesOfAll(points: readonly PlainPoint[], maxPoints: number): PlainPoint[] {
  const [at, values] = [points.map(([time]) => time), points.map(([, value]) => value)]
  const places = envelope(Float64Array.from(at), Float64Array.from(values), maxPoints)
  return points.filter((_, place) => places.includes(place))
}
