import { writeFileSync } from 'node:fs'
import { decodeChunk, encodeChunk } from '../src/datapoints/chunks/chunk.ts'
import { summarize } from '../src/datapoints/chunks/summary.ts'
import { reportOf, type ChunkRow, type ValueRow } from './codec-report.ts'
import {
  entropyBound,
  fleetPoints,
  MINUTE,
  regularPoints,
  VALUE_SETS,
  type Points,
  type ValueSet,
} from './codec-sets.ts'
import { median } from './measure.ts'

// npm run bench:codec. How many bytes chunks take, and how much of the processor it takes to make and to read them. Only
// the time depends on the machine.

const COUNTS = [60, 600, 1_440, 86_400]
const ROUNDS = 15
/** About as many points are encoded in a round. */
const POINTS = 100_000

function encode(points: Points): Uint8Array {
  return encodeChunk(points, 'float', { compress: true })
}

/** Nanoseconds of the processor for each point: the median of the rounds, of which the first ones do not count. */
function timeOf(count: number, work: () => unknown): number {
  const times: number[] = []
  const repeats = Math.ceil(POINTS / count)
  for (let round = -3; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    for (let repeat = 0; repeat < repeats; repeat++) work()
    const { user, system } = process.cpuUsage(before)
    if (round >= 0) times.push(((user + system) * 1_000) / repeats / count)
  }
  return median(times)
}

function valueRow(set: ValueSet): ValueRow {
  const sizes = COUNTS.map((count) => {
    const values = set.make(count)
    const nothing = encode(regularPoints(new Float64Array(count))).length
    const points = regularPoints(values)
    const bytes = encode(points)
    const odd = encode(regularPoints(values.with(count >> 1, 0.1 + 0.2)))
    return {
      count,
      bytes: (bytes.length - nothing) / count,
      odd: (odd.length - nothing) / count,
      encode: timeOf(count, () => encode(points)),
      decode: timeOf(count, () => decodeChunk(bytes, 'float')),
    }
  })
  return { name: set.name, bound: entropyBound(set), sizes }
}

function chunkRow([name, points]: readonly [string, Points]): ChunkRow {
  const count = points.at.length
  const bytes = encode(points)
  return {
    name,
    count,
    bytes: bytes.length,
    encode: timeOf(count, () => encode(points)),
    decode: timeOf(count, () => decodeChunk(bytes, 'float')),
    summarize: timeOf(count, () => summarize(points, 'float')),
  }
}

const CHUNKS: readonly (readonly [string, Points])[] = [
  ...[1, 10, 60, 600, 1_440].map((count) => ['one a minute', fleetPoints(count, MINUTE)] as const),
  ['one an hour, 90 days', fleetPoints(2_160, 60 * MINUTE)],
  ['one an hour, 90 days, of one generation', { ...fleetPoints(2_160, 60 * MINUTE), generation: 1 }],
  ['regular, of one generation', regularPoints(VALUE_SETS[0]!.make(86_400))],
]

const report = reportOf(VALUE_SETS.map(valueRow), CHUNKS.map(chunkRow), new Date().toISOString().slice(0, 10))
process.stdout.write(report)
writeFileSync(new URL('./codec.md', import.meta.url), report)
