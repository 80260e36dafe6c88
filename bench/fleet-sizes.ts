import type { Database } from '../src/db/sql.ts'
import type { Size } from './report.ts'
import type { Subject } from './sending.ts'
import type { Site } from './server.ts'
import type { FLEET } from './targets.ts'

/** A platform on a database of its own. `database`: for what an administrator looks at, such as the sizes of tables. */
export interface Fleet extends Subject {
  readonly site: Site
  readonly database: Database
}

/** Of one system: as many as may be read at once. */
export const PER_SYSTEM = 1_000

export interface FleetSize {
  readonly series: number
  /** How often each shape is measured. */
  readonly turns: number
  /** Points of each series that the wide shape sends. */
  readonly rounds: number
  /** Series of devices, of both first contacts, and points of both old shapes. */
  readonly devices: number
  readonly deviceRounds: number
  readonly firstWide: number
  readonly firstDevices: number
  readonly oldPoints: number
  readonly oldSmallPoints: number
  readonly hourSeries: number
  readonly readSeconds: number
  readonly hourlySeries: number
  readonly hourlyDays: number
  /** Milliseconds between two points of the year. */
  readonly yearStep: number
  /** Seconds to wait for folding and merging. */
  readonly patience: number
  readonly largeSeries: number
}

export const WHOLE: FleetSize = {
  series: 100_000,
  turns: 3,
  rounds: 10,
  devices: 30_000,
  deviceRounds: 20,
  firstWide: 50_000,
  firstDevices: 20_000,
  oldPoints: 4_000_000,
  oldSmallPoints: 3_000_000,
  hourSeries: 100_000,
  readSeconds: 40,
  hourlySeries: 400,
  hourlyDays: 90,
  yearStep: 1_000,
  patience: 90,
  largeSeries: 1_000_000,
}

const NIGHT: FleetSize = {
  ...WHOLE,
  turns: 1,
  rounds: 4,
  deviceRounds: 5,
  firstWide: 20_000,
  firstDevices: 5_000,
  oldPoints: 1_000_000,
  oldSmallPoints: 500_000,
  hourSeries: 10_000,
  readSeconds: 10,
  hourlySeries: 100,
  hourlyDays: 30,
  yearStep: 10_000,
  patience: 20,
}

const QUICK: FleetSize = {
  ...NIGHT,
  series: 2_000,
  rounds: 1,
  devices: 2_000,
  deviceRounds: 1,
  firstWide: 1_000,
  firstDevices: 500,
  oldPoints: 20_000,
  oldSmallPoints: 20_000,
  hourSeries: 1_000,
  hourlySeries: 10,
  hourlyDays: 3,
  yearStep: 600_000,
  largeSeries: 2_000,
}

export const SIZES: { readonly [size in Size]: FleetSize } = { whole: WHOLE, night: NIGHT, quick: QUICK }

/** NaN: the server refused what was asked. Left out: it was not measured. */
export type Measured = { readonly [measure in keyof typeof FLEET]?: number }

/** The parts that a run has if `--parts` names none. */
export const USUAL: { readonly [size in Size]: readonly string[] } = {
  whole: ['shapes', 'hour', 'hourly', 'year', 'large'],
  night: ['shapes', 'hour', 'hourly', 'year'],
  quick: ['shapes', 'hour', 'hourly', 'year'],
}
