import { decodeChunk, encodeChunk } from '../src/datapoints/chunks/chunk.ts'
import { summarize } from '../src/datapoints/chunks/summary.ts'
import {
  entropyBound,
  fleetPoints,
  MINUTE,
  regularPoints,
  VALUE_SETS,
  type Points,
  type ValueSet,
} from '../test/support/value-sets.ts'
import { median } from './measure.ts'
import { hundredths, thousandths, whole, type Options, type Report, type Size } from './report.ts'

// npm run bench:codec: how many bytes chunks take, and how much of the processor it takes to make and to read them. Bytes
// are the same on every machine.

const COUNTS = [60, 600, 1_440, 86_400]

/** `points`: about as many are encoded in a round. */
const SCALES: { readonly [size in Size]: { readonly rounds: number; readonly points: number } } = {
  whole: { rounds: 15, points: 100_000 },
  night: { rounds: 15, points: 100_000 },
  quick: { rounds: 1, points: 1 },
}

export async function bench({ size }: Options): Promise<Report> {
  const timeOf = timer(size)
  const sets = VALUE_SETS.map((set) => ({ name: set.name, bytes: bytesOf(set), times: timesOf(set, timeOf) }))
  return {
    title: 'The codec of chunks',
    about: 'Bytes are the same on every machine.',
    blocks: [
      BYTES,
      {
        columns: ['set', ...columnsOf('bytes'), 'entropy', ...columnsOf('÷ entropy'), ...columnsOf('odd')],
        rows: sets.map(({ name, bytes }) => [name, ...bytes]),
      },
      TIMES,
      {
        columns: ['set', ...columnsOf('encode'), ...columnsOf('decode')],
        rows: sets.map(({ name, times }) => [name, ...times.map(whole)]),
      },
      CHUNKS,
      {
        columns: ['points', 'number', 'bytes', 'bytes a point', 'encode, ns', 'decode, ns', 'sum up, ns'],
        rows: WHOLE_CHUNKS.map(([name, points]) => chunkRow(name, points, timeOf)),
      },
    ],
  }
}

/** A column for each number of points. */
function columnsOf(what: string): string[] {
  return COUNTS.map((count) => `${what} of ${whole(count)}`)
}

const BYTES = `## Bytes per value

In chunks of so many values, without the bytes of their times and generations. The entropy is that of the differences between values (of the values themselves if they are not smooth), of order 0, as bytes per value, of a million values: no coder that only looks at how frequent each difference is takes less. "Odd": how many bytes the whole chunk takes more if one of its values is 0.1 + 0.2.`

const TIMES = `## Time

Of the processor, nanoseconds per point: the medians of 15 rounds.`

const CHUNKS = `## Whole chunks

With times in milliseconds that are up to 20 ms late, and a generation for each point, as a fleet sends them; values are the room temperature. A row of PostgreSQL and its two index entries take about 165 bytes beside it.`

const WHOLE_CHUNKS: readonly (readonly [string, Points])[] = [
  ...[1, 10, 60, 600, 1_440].map((count) => ['one a minute', fleetPoints(count, MINUTE)] as const),
  ['one an hour, 90 days', fleetPoints(2_160, 60 * MINUTE)],
  ['one an hour, 90 days, of one generation', { ...fleetPoints(2_160, 60 * MINUTE), generation: 1 }],
  ['regular, of one generation', regularPoints(VALUE_SETS[0]!.make(86_400))],
]

function encode(points: Points): Uint8Array {
  return encodeChunk(points, 'float', { compress: true })
}

/** Bytes per value, the entropy, their ratio, and bytes more with an odd value, as cells. */
function bytesOf(set: ValueSet): string[] {
  const bound = entropyBound(set)
  const sizes = COUNTS.map((count) => {
    const values = set.make(count)
    const bytes = encode(regularPoints(values)).length
    const ofTimes = encode(regularPoints(new Float64Array(count))).length
    const odd = encode(regularPoints(values.with(count >> 1, 0.1 + 0.2))).length
    return { perValue: (bytes - ofTimes) / count, more: odd - bytes }
  })
  const isBound = !Number.isNaN(bound)
  return [
    ...sizes.map(({ perValue }) => thousandths(perValue)),
    isBound ? thousandths(bound) : '–',
    ...sizes.map(({ perValue }) => (isBound ? hundredths(perValue / bound) : '–')),
    ...sizes.map(({ more }) => whole(more)),
  ]
}

type Timer = (count: number, work: () => unknown) => number

/** Measures nanoseconds of the processor for each point: the median of the rounds, after three that do not count. */
function timer(size: Size): Timer {
  const { rounds, points } = SCALES[size]
  return (count, work) => {
    const times: number[] = []
    const repeats = Math.ceil(points / count)
    for (let round = -3; round < rounds; round++) {
      const before = process.cpuUsage()
      for (let repeat = 0; repeat < repeats; repeat++) work()
      const { user, system } = process.cpuUsage(before)
      if (round >= 0) times.push(((user + system) * 1_000) / repeats / count)
    }
    return median(times)
  }
}

/** To encode chunks of all sizes, and then to decode them. */
function timesOf(set: ValueSet, timeOf: Timer): number[] {
  const chunks = COUNTS.map((count) => {
    const points = regularPoints(set.make(count))
    const bytes = encode(points)
    return [timeOf(count, () => encode(points)), timeOf(count, () => decodeChunk(bytes, 'float'))] as const
  })
  return [...chunks.map(([encoding]) => encoding), ...chunks.map(([, decoding]) => decoding)]
}

function chunkRow(name: string, points: Points, timeOf: Timer): string[] {
  const count = points.at.length
  const bytes = encode(points)
  return [
    name,
    whole(count),
    whole(bytes.length),
    hundredths(bytes.length / count),
    whole(timeOf(count, () => encode(points))),
    whole(timeOf(count, () => decodeChunk(bytes, 'float'))),
    whole(timeOf(count, () => summarize(points, 'float'))),
  ]
}
