import { present } from '../../lib/present.ts'
import { KINDS } from '../chunks/flush.ts'
import { decodeDirectory, encodeDirectory, type Directory } from './directory.ts'
import { runsOf, type PointRuns, type SegmentPart } from './point-runs.ts'
import {
  isOne,
  placeGenerations,
  readGenerations,
  readRunGenerations,
  skipRunGenerations,
  writeGenerations,
  writeRunGenerations,
  type Generations,
  type PlacedGenerations,
} from './run-generations.ts'
import {
  areRegular,
  frameOf,
  readFrame,
  readRunTimes,
  skipRunTimes,
  writeFrame,
  writeRunTimes,
  type TimeFrame,
} from './run-times.ts'
import { formOf, readRunValues, skipRunValues, writeRunValues, PointMemory } from './run-values.ts'
import { damaged, VarintReader, VarintWriter } from './varints.ts'

// A segment holds a few points of each of many series, sorted by series and then time.

export interface Segment {
  /** The series, and how many points each has (directory.ts). */
  readonly series: Uint8Array
  readonly points: Uint8Array
}

/** A segment as a row of a table. */
export interface SegmentRow extends Segment {
  readonly firstSeries: number
  readonly lastSeries: number
  /** The earliest and the latest time. */
  readonly t0: number
  readonly t1: number
  readonly count: number
}

/** The form of a run is the form of its values (this mask) with flags for times and generations at regular steps. */
const VALUE_FORM = 7
export const REGULAR_TIMES = 8
export const REGULAR_GENERATIONS = 16

/** The writer is used again for every segment, because allocating memory takes longer than filling it. */
const writer = new VarintWriter(262_144)

/** If runs have this many points on average, their sizes are written, so that a reader can skip runs. */
const POINTS_WITH_LENGTH = 4

/** Encodes parts as one segment. The parts must be ordered by series. */
export function encodeSegment(parts: readonly SegmentPart[]): SegmentRow {
  const [row, ...others] = encodeSegments(runsOf(parts), Infinity)
  if (row === undefined || others.length > 0) throw new RangeError('a segment has points')
  return row
}

/** Encodes runs as segments of at most this many bytes. A run is never cut, so a longer run makes a longer segment. */
export function encodeSegments(runs: PointRuns, mostBytes: number): SegmentRow[] {
  const count = runs.series.length
  const frame = frameOf(runs.at, runs.starts)
  const generations = placeGenerations(runs.generation)
  const forms = new Uint8Array(count)
  const ends = new Uint32Array(count + 1)
  writer.reset()
  writeFrame(writer, frame)
  writeGenerations(writer, generations)
  ends[0] = writer.length
  for (let run = 0; run < count; run++) {
    forms[run] = writeRun(runs, run, frame, generations)
    ends[run + 1] = writer.length
  }
  const sizes = sizesOf(runs, forms, ends)
  const rows: SegmentRow[] = []
  for (let first = 0; first < count;) {
    const end = endOfSegment(sizes, first, mostBytes - (ends[0] ?? 0))
    rows.push(rowOf(runs, forms, ends, first, end))
    first = end
  }
  return rows
}

function writeRun(runs: PointRuns, run: number, frame: TimeFrame, generations: PlacedGenerations): number {
  const [start, end] = [runs.starts[run] ?? 0, runs.starts[run + 1] ?? 0]
  const valueForm = formOf(runs, run, start, end)
  const hasRegularTimes = areRegular(runs.at, start, end)
  const hasRegularGenerations = !isOne(generations) && areRegular(generations.places, start, end)
  writeRunTimes(writer, frame, runs.at, hasRegularTimes, start, end)
  writeRunGenerations(writer, generations, hasRegularGenerations, start, end)
  writeRunValues(writer, runs, run, valueForm, start, end)
  return valueForm | (hasRegularTimes ? REGULAR_TIMES : 0) | (hasRegularGenerations ? REGULAR_GENERATIONS : 0)
}

/** Returns the bytes before the end of each run, including the most bytes that the runs take in a directory. */
function sizesOf({ series, kinds, starts }: PointRuns, forms: Uint8Array, ends: Uint32Array): Float64Array {
  const sizes = new Float64Array(ends.length)
  const counts = starts.map((start, run) => (starts[run + 1] ?? start) - start).subarray(0, series.length)
  const areLong = (starts.at(-1) ?? 0) >= POINTS_WITH_LENGTH * series.length
  const columns = [kinds, forms, counts].filter((column) => column.some((one) => one !== column[0])).length
  const each = columns + (areLong ? 2 : 0)
  for (let run = 0; run < series.length; run++) {
    const step = (series[run] ?? 0) - (series[run - 1] ?? 0)
    sizes[run + 1] = (sizes[run] ?? 0) + (ends[run + 1] ?? 0) - (ends[run] ?? 0) + each + (step < 128 ? 1 : 4)
  }
  return sizes
}

/** Bytes for everything that a segment has once. */
const ONCE = 24

function endOfSegment(sizes: Float64Array, first: number, mostBytes: number): number {
  let end = first + 1
  while (end < sizes.length - 1 && (sizes[end + 1] ?? 0) - (sizes[first] ?? 0) + ONCE <= mostBytes) end++
  return end
}

function rowOf(runs: PointRuns, forms: Uint8Array, ends: Uint32Array, first: number, end: number): SegmentRow {
  const [start, stop] = [runs.starts[first] ?? 0, runs.starts[end] ?? 0]
  const counts = new Uint32Array(end - first)
  const lengths = new Uint32Array(end - first)
  for (let run = first; run < end; run++) {
    counts[run - first] = (runs.starts[run + 1] ?? 0) - (runs.starts[run] ?? 0)
    lengths[run - first] = (ends[run + 1] ?? 0) - (ends[run] ?? 0)
  }
  const series = runs.series.subarray(first, end)
  const directory: Directory = {
    series,
    kinds: runs.kinds.subarray(first, end),
    counts,
    forms: forms.subarray(first, end),
    lengths: stop - start >= POINTS_WITH_LENGTH * counts.length ? lengths : null,
  }
  const points = Buffer.concat([writer.view(0, ends[0] ?? 0), writer.view(ends[first] ?? 0, ends[end] ?? 0)])
  return {
    series: encodeDirectory(directory),
    points,
    firstSeries: series[0] ?? 0,
    lastSeries: series.at(-1) ?? 0,
    ...rangeOf(runs.at, start, stop),
    count: stop - start,
  }
}

function rangeOf(at: Float64Array, start: number, end: number): Pick<SegmentRow, 't0' | 't1'> {
  let [t0, t1] = [Infinity, -Infinity]
  for (let index = start; index < end; index++) {
    t0 = Math.min(t0, at[index] ?? 0)
    t1 = Math.max(t1, at[index] ?? 0)
  }
  return { t0, t1 }
}

/** Decodes the runs of the wanted series; if `wanted` is omitted, of all series. A series may have several runs. */
export function decodeSegment({ series, points }: Segment, wanted?: Pick<ReadonlySet<number>, 'has'>): SegmentPart[] {
  const directory = decodeDirectory(series)
  refuseTooMany(directory, points)
  const reader = new VarintReader(points)
  const frame = readFrame(reader)
  const generations = readGenerations(reader)
  const memory = new PointMemory(directory, wanted)
  const parts: SegmentPart[] = []
  for (let run = 0; run < directory.series.length; run++) {
    const seriesId = directory.series[run] ?? 0
    if (wanted === undefined || wanted.has(seriesId))
      parts.push({ seriesId, ...readRun(reader, directory, run, frame, generations, memory) })
    else if (directory.lengths === null) skipRun(reader, directory, run, generations)
    else reader.skip(directory.lengths[run] ?? 0)
  }
  if (reader.left > 0) throw damaged('it continues after its end')
  return parts
}

/** Rejects impossible counts: a run takes a byte at least, and so do the values of eight points. */
function refuseTooMany({ counts }: Directory, points: Uint8Array): void {
  let sum = 0
  for (const count of counts) sum += count
  if (counts.length > points.length || sum > points.length * 8) throw damaged('it has fewer points than it says')
}

function readRun(
  reader: VarintReader,
  { kinds, counts, forms }: Directory,
  run: number,
  frame: TimeFrame,
  generations: Generations,
  memory: PointMemory,
): Omit<SegmentPart, 'seriesId'> {
  const [kind = 0, count = 0, form = 0] = [kinds[run], counts[run], forms[run]]
  if (KINDS[kind] === undefined || count === 0) throw damaged('it has a run of no kind')
  const at = memory.take(count)
  readRunTimes(reader, frame, (form & REGULAR_TIMES) !== 0, at)
  const [one = 0] = generations.numbers
  const generation = isOne(generations) ? one : memory.take(count)
  if (typeof generation !== 'number')
    readRunGenerations(reader, generations, (form & REGULAR_GENERATIONS) !== 0, generation)
  const values = readRunValues(reader, kind, form & VALUE_FORM, count, memory)
  return { kind: present(KINDS[kind]), points: { at, generation, values } }
}

function skipRun(reader: VarintReader, { kinds, counts, forms }: Directory, run: number, all: Generations): void {
  const [kind = 0, count = 0, form = 0] = [kinds[run], counts[run], forms[run]]
  skipRunTimes(reader, (form & REGULAR_TIMES) !== 0, count)
  skipRunGenerations(reader, all, (form & REGULAR_GENERATIONS) !== 0, count)
  skipRunValues(reader, kind, form & VALUE_FORM, count)
}
