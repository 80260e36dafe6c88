import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { startPostgres, type PostgresServer } from '../test/support/postgres-server.ts'
import { startInflux, type InfluxServer } from './datapoints-influx.ts'
import type { Measured } from './fleet-goals.ts'
import { measureHour } from './fleet-hour.ts'
import { measureHourly } from './fleet-hourly.ts'
import { measureLarge } from './fleet-large.ts'
import { fleetOptions, type FleetOptions, type Part } from './fleet-options.ts'
import { fleetReport, readMeasured } from './fleet-report.ts'
import { measuredShapes, measureShapes, type Turn } from './fleet-shapes.ts'
import { measureSoak } from './fleet-soak.ts'
import { tell, withFleet, type Fleet } from './fleet-subject.ts'
import { measureYear } from './fleet-year.ts'

// npm run bench:fleet [-- --quick] [--series 100000] [--parts shapes,hour,hourly,year,large] [--soak] [--minutes 30]
// [--before] [--date YYYY-MM-DD]. Points as fleets of devices send them: one of each of many series at a time, next to
// InfluxDB and COPY in the same run. A quick run takes less than four minutes, the whole one less than twenty. --before
// keeps the figures, so that later reports show them beside theirs, and so does a soak. Linux only: it asks /proc.

const REPORT = new URL('./fleet.md', import.meta.url)
const BEFORE = new URL('./fleet-before.json', import.meta.url)
const SOAK = new URL('./fleet-soak.json', import.meta.url)

const options = fleetOptions()
const influx = await startInflux()
if (influx === null) tell('InfluxDB (influxd) was not found: nothing is compared with it')
const postgres = await startPostgres({ durable: true })
try {
  const { measured, turns } = await measureAll(postgres, influx, options)
  if (options.isBefore) keep(BEFORE, measured)
  else if (options.sizes.parts.has('soak')) keep(SOAK, measured)
  const before = options.isBefore ? {} : kept(BEFORE)
  const soak = options.isBefore ? {} : kept(SOAK)
  const results = { measured: { ...soak, ...measured }, turns, influxVersion: influx?.version ?? null, before }
  const report = fleetReport(results, options.sizes, options.date)
  process.stdout.write(report)
  if (isWhole(options)) writeFileSync(REPORT, report)
} finally {
  await influx?.stop()
  await postgres.stop()
}

async function measureAll(
  postgres: PostgresServer,
  influx: InfluxServer | null,
  { sizes }: FleetOptions,
): Promise<{ readonly measured: Measured; readonly turns: readonly Turn[] }> {
  let turns: readonly Turn[] = []
  const works: { readonly [part in Part]: (fleet: Fleet) => Promise<Measured> } = {
    shapes: async (fleet) => {
      const shapes = await measureShapes(fleet, influx, sizes)
      turns = shapes.turns
      return measuredShapes(shapes, sizes)
    },
    hour: (fleet) => measureHour(fleet, sizes),
    hourly: (fleet) => measureHourly(fleet, sizes),
    year: (fleet) => measureYear(fleet, sizes),
    large: (fleet) => measureLarge(fleet),
    soak: (fleet) => measureSoak(fleet, sizes),
  }
  let measured: Measured = {}
  for (const part of sizes.parts) {
    const begin = performance.now()
    measured = { ...measured, ...(await withFleet(postgres, works[part])) }
    tell(`${part} took ${((performance.now() - begin) / 1_000).toFixed(0)} s`)
  }
  return { measured, turns }
}

/** Beside what other parts have measured. */
function keep(file: URL, measured: Measured): void {
  writeFileSync(file, `${JSON.stringify({ ...kept(file), ...measured }, null, 2)}\n`)
}

function kept(file: URL): Measured {
  return existsSync(file) ? readMeasured(readFileSync(file, 'utf8')) : {}
}

/** Of a run that left something out there is no report that stays; of a quick one, where it says what was before. */
function isWhole({ isBefore, sizes: { isQuick, parts } }: FleetOptions): boolean {
  return (isBefore || !isQuick) && parts.has('shapes') && parts.has('hour') && parts.has('year')
}
