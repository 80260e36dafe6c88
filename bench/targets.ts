import type { ParseBaseline } from './baselines.ts'
import type { Figures, Row } from './figures.ts'

/** Milliseconds, in the same run on the same records. */
export interface Baselines {
  readonly parse: ParseBaseline
  readonly insert: number
}

export interface Measured {
  readonly database: Row['database']
  /** A plan of one record. */
  readonly base: Figures
  readonly baselines: ReadonlyMap<number, Baselines>
  readonly rows: readonly Row[]
}

export interface Target {
  readonly what: string
  readonly actual: number
  readonly most: number
}

/** The ratios to reach, at the largest size of the run; growth from each size to the next. */
export function targetsOf(measured: Measured): Target[] {
  const sizes = [...measured.baselines.keys()]
  const largest = Math.max(...sizes)
  return [
    ...timeTargets(measured, largest),
    ...memoryTargets(measured, largest),
    ...sizes.slice(1).map((size, index) => growthTarget(measured, sizes[index] ?? size, size)),
    slowestOfThousand(measured),
  ]
}

function figuresOf({ rows }: Measured, records: number, command: string): Figures {
  const row = rows.find((candidate) => candidate.records === records && candidate.command === command)
  if (row === undefined) throw new Error(`${command} was not measured with ${records} records`)
  return row.figures
}

function timeTargets(measured: Measured, records: number): Target[] {
  const { parse, insert = 0 } = measured.baselines.get(records) ?? {}
  // What others do on the machine does not count: client and server by their processor time.
  const processor = (command: string) => {
    const { clientCpu, serverCpu } = figuresOf(measured, records, command)
    return (clientCpu + serverCpu) / (parse?.processor ?? 0)
  }
  const wall = (command: string) => figuresOf(measured, records, command).wall
  const [json, yaml] = [wall('plan, JSON, no change'), wall('plan, YAML, no change')]
  return [
    {
      what: 'plan from JSON, no change: CPU ÷ that of JSON.parse',
      actual: processor('plan, JSON, no change'),
      most: 8,
    },
    {
      what: 'plan from YAML, no change: CPU ÷ that of JSON.parse',
      actual: processor('plan, YAML, no change'),
      most: 17,
    },
    { what: 'plan from JSON, 1 % changed ÷ no change', actual: wall('plan, JSON, 1 % changed') / json, most: 1.3 },
    { what: 'plan from YAML, 1 % changed ÷ no change', actual: wall('plan, YAML, 1 % changed') / yaml, most: 1.3 },
    { what: 'first apply ÷ bare insert', actual: wall('first apply, JSON') / insert, most: 1.5 },
  ]
}

function memoryTargets(measured: Measured, records: number): Target[] {
  const { base } = measured
  return ['plan, JSON, no change', 'plan, YAML, no change', 'first apply, JSON'].flatMap((command) => {
    const { clientPeak, serverPeak } = figuresOf(measured, records, command)
    return [
      { what: `${command}: client memory, KB a record`, actual: (clientPeak - base.clientPeak) / records, most: 2.5 },
      { what: `${command}: server memory, KB a record`, actual: (serverPeak - base.serverPeak) / records, most: 6 },
    ]
  })
}

/** Of the command that grows most. */
function growthTarget(measured: Measured, from: number, to: number): Target {
  const growths = measured.rows
    .filter(({ records }) => records === to)
    .map(({ command, figures }) => ({ command, factor: figures.wall / figuresOf(measured, from, command).wall }))
  const most = growths.reduce((a, b) => (b.factor > a.factor ? b : a))
  const [small, large] = [from, to].map((size) => size.toLocaleString('en-US'))
  return {
    what: `growth from ${small} to ${large} records, the most of all commands (${most.command})`,
    actual: most.factor,
    most: 12,
  }
}

function slowestOfThousand({ rows }: Measured): Target {
  const slowest = rows
    .filter(({ records }) => records === 1_000)
    .reduce((a, b) => (b.figures.wall > a.figures.wall ? b : a))
  return {
    what: `1,000 records, the slowest command (${slowest.command}), seconds`,
    actual: slowest.figures.wall / 1000,
    most: 0.3,
  }
}
