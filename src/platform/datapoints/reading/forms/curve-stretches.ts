import { joinColumns, type Columns } from '../../../../datapoints/chunks/point-columns.ts'
import type { Summary, SummaryPoint } from '../../../../datapoints/chunks/summary.ts'
import { notACurve } from '../reading-limits.ts'
import { isSummary, type Stretch } from '../stored/divide-by-summaries.ts'

// These stretches describe a curve before all its points are read. If the points are few, a stretch is the points
// themselves. Otherwise it is the first, last, smallest and largest point of each chunk or hour.

/** The maximum number of points that stand for a summary. */
export const CORNERS = 4

export function hiddenPoints(stretches: readonly Stretch[]): number {
  return stretches.filter(isSummary).reduce((sum, { count }) => sum + count, 0)
}

/** Number of points in summaries that cross an edge. Such summaries do not tell on which side their extremes are. */
export function pointsOverEdges(stretches: readonly Stretch[], edges: Float64Array): number {
  let [edge, count] = [0, 0]
  for (const stretch of stretches) {
    if (!isSummary(stretch)) continue
    while ((edges[edge] ?? Infinity) <= stretch.first.at) edge++
    if ((edges[edge] ?? Infinity) <= stretch.last.at) count += stretch.count
  }
  return count
}

/** The times of the first and the last point; undefined if there is none. */
export function endsOf(stretches: readonly Stretch[]): readonly [first: number, last: number] | undefined {
  const times = stretches.flatMap((stretch) =>
    isSummary(stretch) ? [stretch.first.at, stretch.last.at] : [stretch.at[0] ?? [], stretch.at.at(-1) ?? []].flat(),
  )
  const [first, last] = [times[0], times.at(-1)]
  return first === undefined || last === undefined ? undefined : [first, last]
}

/** The points that the stretches contain. */
export function knownPoints(stretches: readonly Stretch[]): Columns | undefined {
  const parts: Columns[] = []
  let run: Summary[] = []
  const endRun = (): void => {
    if (run.length > 0) parts.push(cornersOf(run))
    run = []
  }
  for (const stretch of stretches) {
    if (isSummary(stretch)) run.push(stretch)
    else {
      endRun()
      if (stretch.at.length > 0) parts.push(stretch)
    }
  }
  endRun()
  return joinColumns(parts)
}

function cornersOf(summaries: readonly Summary[]): Columns {
  const points: SummaryPoint<number | bigint>[] = []
  for (const summary of summaries) {
    if (!('least' in summary)) throw notACurve()
    const { first, last, least, most } = summary
    const inOrder = least.at < most.at ? [first, least, most, last] : [first, most, least, last]
    for (const point of inOrder) if (point.at > (points.at(-1)?.at ?? -Infinity)) points.push(point)
  }
  const isFloat = summaries[0]?.kind === 'float'
  return {
    at: Float64Array.from(points, ({ at }) => at),
    values: isFloat
      ? Float64Array.from(points, ({ value }) => Number(value))
      : BigInt64Array.from(points, ({ value }) => BigInt(value)),
  }
}
