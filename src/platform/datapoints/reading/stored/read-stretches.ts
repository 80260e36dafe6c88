import type { GeneratedColumns } from '../../../../datapoints/chunks/chunk.ts'
import type { Columns } from '../../../../datapoints/chunks/point-columns.ts'
import type { Summary } from '../../../../datapoints/chunks/summary.ts'
import type { Grain } from '../../../../store/datapoints/packed/chunk-summaries.ts'
import type { SeriesPart, SeriesReference, StretchRange } from './point-reader.ts'
import type { Slice } from './range-slices.ts'
import { POINTS_OF_SLICE } from './read-slices.ts'
import { divideBySummaries, isSummary, type Stretch, type UnreadSlice } from './divide-by-summaries.ts'

/** Looks up the stored data of one series. */
export interface StretchSource {
  /** The summaries of all chunks that reach into the range. */
  summaries(series: SeriesReference, range: Slice, grain: Grain): Promise<Summary[]>
  /** The times of the points that are not in chunks yet, in ascending order. */
  otherTimes(series: SeriesReference): Promise<Float64Array>
  /** The points of each of several short slices. */
  points(series: SeriesReference, slices: readonly Slice[]): Promise<readonly GeneratedColumns[]>
  /** The points of a long slice. */
  slices(series: SeriesReference, slice: Slice): AsyncIterable<SeriesPart>
}

/** The longest time whose summaries are read at once. With a point each second they take some megabytes. */
const LONGEST = 366 * 86_400_000_000
/**
 * The maximum number of slices that are read at once. Each unpacks at least one whole chunk, without a pause in
 * between.
 */
const SLICES = 40

/** Reads the stretches of a range of any length. Points are read only if the summaries are not enough. */
export async function* readStretches(
  source: StretchSource,
  series: SeriesReference,
  { from, to, edges, grain }: StretchRange,
): AsyncGenerator<readonly Stretch[]> {
  for (let begin = from; begin < to; begin += LONGEST) {
    const range = { from: begin, to: Math.min(to, begin + LONGEST) }
    const [summaries, otherTimes] = await Promise.all([
      source.summaries(series, range, grain),
      source.otherTimes(series),
    ])
    const known = { ...range, edges, summaries: inOrder(summaries), otherTimes, erased: series.erased }
    // Texts are read slice by slice, since a few points of them may be megabytes.
    const most = series.kind === 'text' ? 0 : POINTS_OF_SLICE
    for (const steps of inBatches(divideBySummaries(known), most)) yield* readSteps(source, series, steps, most)
  }
}

/** Sorts chunks by their beginning, because they may overlap. */
function inOrder(summaries: Summary[]): readonly Summary[] {
  const ascends = summaries.every(({ first }, index) => first.at >= (summaries[index - 1]?.first.at ?? first.at))
  return ascends ? summaries : summaries.sort((a, b) => a.first.at - b.first.at)
}

type Step = Summary | UnreadSlice

function* inBatches(steps: Iterable<Step>, mostPoints: number): Generator<readonly Step[]> {
  let [batch, slices, points]: [Step[], number, number] = [[], 0, 0]
  for (const step of steps) {
    if (!isSummary(step)) {
      slices += 1
      points += step.count
      if (slices > SLICES || points > mostPoints) {
        yield batch
        ;[batch, slices, points] = [[], 1, step.count]
      }
    }
    batch.push(step)
  }
  yield batch
}

const NO_POINTS: Columns = { at: new Float64Array(), values: new Float64Array() }

async function* readSteps(
  source: StretchSource,
  series: SeriesReference,
  steps: readonly Step[],
  mostPoints: number,
): AsyncGenerator<readonly Stretch[]> {
  const unread = steps.flatMap((step) => (isSummary(step) ? [] : [step]))
  const [first] = unread
  if (first !== undefined && first.count > mostPoints) {
    // A slice with more points than this is the first and only one of its batch.
    for await (const { columns } of source.slices(series, first)) yield [columns]
    yield steps.filter(isSummary)
    return
  }
  const points = await source.points(series, unread)
  let next = 0
  yield steps.map((step) => (isSummary(step) ? step : (points[next++] ?? NO_POINTS)))
}
