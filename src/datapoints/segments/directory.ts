import { damaged, VarintReader, VarintWriter } from './varints.ts'

// The directory of a segment lists its series and how many points each has. It is stored separately from the points, so
// that counting reads only the directory.

/** A directory as columns, with one entry for each run. */
export interface Directory {
  readonly series: Float64Array
  /** Indexes into KINDS. */
  readonly kinds: Uint8Array
  readonly counts: Uint32Array
  /** How the times, values and generations of each run are written. */
  readonly forms: Uint8Array
  /** The size of each run in bytes; null if the runs are too short for this to pay off. */
  readonly lengths: Uint32Array | null
}

const VERSION = 1

/** Flags of columns in which all runs have the same value. Such a value is written once. */
const SAME_KINDS = 1
const SAME_COUNTS = 2
const SAME_FORMS = 4
/** The numbers of the series are consecutive. */
const NEIGHBOURS = 8
const LENGTHS = 16

/** The maximum number of runs. No flush or block has so many, and a damaged directory must not take all memory. */
const MOST_RUNS = 4_194_304

const writer = new VarintWriter(65_536)

export function encodeDirectory({ series, kinds, counts, forms, lengths }: Directory): Uint8Array<ArrayBuffer> {
  writer.reset()
  const flags =
    (areSame(kinds) ? SAME_KINDS : 0) |
    (areSame(counts) ? SAME_COUNTS : 0) |
    (areSame(forms) ? SAME_FORMS : 0) |
    (areNeighbours(series) ? NEIGHBOURS : 0) |
    (lengths === null ? 0 : LENGTHS)
  writer.byte(VERSION)
  writer.byte(flags)
  writer.unsigned(series.length)
  writer.unsigned(series[0] ?? 0)
  writeColumn(kinds, (flags & SAME_KINDS) !== 0)
  writeColumn(counts, (flags & SAME_COUNTS) !== 0)
  writeColumn(forms, (flags & SAME_FORMS) !== 0)
  if (lengths !== null) writeColumn(lengths, false)
  if ((flags & NEIGHBOURS) === 0)
    for (let run = 1; run < series.length; run++) writer.unsigned((series[run] ?? 0) - (series[run - 1] ?? 0))
  return new Uint8Array(writer.view())
}

function writeColumn(column: Uint8Array | Uint32Array, isSame: boolean): void {
  const written = isSame ? Math.min(1, column.length) : column.length
  for (let run = 0; run < written; run++) writer.unsigned(column[run] ?? 0)
}

function areSame(column: Uint8Array | Uint32Array): boolean {
  const [first] = column
  for (let run = 1; run < column.length; run++) if (column[run] !== first) return false
  return true
}

function areNeighbours(series: Float64Array): boolean {
  const [first = 0] = series
  for (let run = 1; run < series.length; run++) if (series[run] !== first + run) return false
  return true
}

export function decodeDirectory(bytes: Uint8Array): Directory {
  const reader = new VarintReader(bytes)
  if (reader.byte() !== VERSION) throw damaged(`its form ${bytes[0]} is unknown to this version`)
  const flags = reader.byte()
  const runs = reader.unsigned()
  if (!(runs <= MOST_RUNS)) throw damaged('it has more runs than there can be')
  const first = reader.unsigned()
  const kinds = readColumn(reader, new Uint8Array(runs), (flags & SAME_KINDS) !== 0)
  const counts = readColumn(reader, new Uint32Array(runs), (flags & SAME_COUNTS) !== 0)
  const forms = readColumn(reader, new Uint8Array(runs), (flags & SAME_FORMS) !== 0)
  const lengths = (flags & LENGTHS) === 0 ? null : readColumn(reader, new Uint32Array(runs), false)
  const series = readSeries(reader, first, runs, (flags & NEIGHBOURS) !== 0)
  if (reader.left > 0) throw damaged('its directory continues after its end')
  return { series, kinds, counts, forms, lengths }
}

function readColumn<Column extends Uint8Array | Uint32Array>(
  reader: VarintReader,
  column: Column,
  isSame: boolean,
): Column {
  if (isSame && column.length > 0) column.fill(reader.unsigned())
  else for (let run = 0; run < column.length; run++) column[run] = reader.unsigned()
  return column
}

function readSeries(reader: VarintReader, first: number, runs: number, areNext: boolean): Float64Array {
  const series = new Float64Array(runs)
  let last = first
  for (let run = 0; run < runs; run++) {
    if (run > 0) last += areNext ? 1 : reader.unsigned()
    series[run] = last
  }
  return series
}
