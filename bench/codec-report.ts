import { cpus, loadavg } from 'node:os'
import { commitText } from './commit.ts'

/** Values of one set in chunks of several sizes. */
export interface ValueRow {
  readonly name: string
  /** Bytes per value of the order-0 entropy. */
  readonly bound: number
  readonly sizes: readonly {
    readonly count: number
    /** Bytes per value. */
    readonly bytes: number
    /** The same where one value is 0.1 + 0.2. */
    readonly odd: number
    /** Nanoseconds per point. */
    readonly encode: number
    readonly decode: number
  }[]
}

/** One chunk with all that belongs to it. */
export interface ChunkRow {
  readonly name: string
  readonly count: number
  readonly bytes: number
  readonly encode: number
  readonly decode: number
  readonly summarize: number
}

/** The results as Markdown. */
export function reportOf(values: readonly ValueRow[], chunks: readonly ChunkRow[], date: string): string {
  const counts = values[0]?.sizes.map(({ count }) => whole(count)) ?? []
  const bytes = values.map(({ name, bound, sizes }) => [
    name,
    ...sizes.map((size) => size.bytes.toFixed(3)),
    Number.isNaN(bound) ? '–' : bound.toFixed(3),
    ...sizes.map((size) => (Number.isNaN(bound) ? '–' : (size.bytes / bound).toFixed(2))),
    ...sizes.map(({ count, bytes, odd }) => whole((odd - bytes) * count)),
  ])
  const times = values.map(({ name, sizes }) => [
    name,
    ...sizes.map(({ encode }) => whole(encode)),
    ...sizes.map(({ decode }) => whole(decode)),
  ])
  const wholes = chunks.map((row) => [
    row.name,
    whole(row.count),
    whole(row.bytes),
    (row.bytes / row.count).toFixed(2),
    whole(row.encode),
    whole(row.decode),
    whole(row.summarize),
  ])
  const of = (what: string): string[] => counts.map((count) => `${what} of ${count}`)
  return `${[
    heading(date),
    table(['set', ...of('bytes'), 'entropy', ...of('÷ entropy'), ...of('odd')], bytes),
    TIMES,
    table(['set', ...of('encode'), ...of('decode')], times),
    CHUNKS,
    table(['points', 'number', 'bytes', 'bytes a point', 'encode, ns', 'decode, ns', 'sum up, ns'], wholes),
  ].join('\n\n')}\n`
}

function heading(date: string): string {
  const [lastMinute = 0] = loadavg()
  return `# The codec of chunks: measured

Written by \`npm run bench:codec\` on ${date} of commit ${commitText()}: ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${process.platform} ${process.arch}, Node ${process.versions.node}. The load average of the last minute was ${lastMinute.toFixed(1)}, of which this run makes about 1. Bytes are the same on every machine.

## Bytes per value

In chunks of so many values, without the bytes of their times and generations. The entropy is that of the differences between values (of the values themselves where they are not smooth), of order 0, as bytes per value, of a million values: no coder that only looks at how frequent each difference is takes less. "Odd": how many bytes the whole chunk takes more where one of its values is 0.1 + 0.2.`
}

const TIMES = `## Time

Of the processor, nanoseconds per point: the medians of 15 rounds.`

const CHUNKS = `## Whole chunks

With times in milliseconds that are up to 20 ms late, and a generation for each point, as a fleet sends them; values are the room temperature. A row of PostgreSQL and its two index entries take about 165 bytes beside it.`

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const alignment = headings.map((_, index) => (index === 0 ? '---' : '---:'))
  return [headings, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
