import { send, toHoldfast } from './datapoints-client.ts'
import type { Measured } from './fleet-goals.ts'
import type { Sizes } from './fleet-options.ts'
import { medianOf, namesOf, openReader, type Reader, type SeriesNames } from './fleet-reads.ts'
import { settled } from './fleet-stored.ts'
import { tell, type Fleet } from './fleet-subject.ts'

// One series of a whole year, once a second: what somebody sees who opens it.

const FROM = Date.UTC(2025, 0, 1)
const TO = Date.UTC(2026, 0, 1)
const YEAR = { from: isoOf(FROM), to: isoOf(TO) }
const MONTH = { from: isoOf(Date.UTC(2025, 4, 1)), to: isoOf(Date.UTC(2025, 5, 1)) }
const FIGURES = { aggregations: 'avg,min,max', fill: 'none' }
const CURVES = ['500', '2000', '20000'].flatMap((max_points) =>
  ['shape', 'extremes'].map((thinning) => ({ max_points, thinning })),
)

export async function measureYear({ site, server, database }: Fleet, { yearStep, patience }: Sizes): Promise<Measured> {
  const series = await site.add(1)
  await send({
    ...toHoldfast(server.url, await server.token()),
    series,
    batch: 5_000,
    connections: 4,
    points: (TO - FROM) / yearStep,
    from: FROM,
    step: yearStep,
  })
  if (!(await settled(database, patience))) tell('  folding was not done when patience ended')
  const [names, reader] = [namesOf(series[0] ?? ''), await openReader(server)]
  const month = await medianOf(() => reader.points(names, { ...MONTH, ...FIGURES, interval: 'P1D' }))
  const year = await medianOf(() => reader.points(names, { ...YEAR, ...FIGURES, interval: 'P1M' }))
  tell(`  a month by day ${month.toFixed(1)} ms, the year by month ${year.toFixed(1)} ms`)
  return { yearByMonth: year / month, yearCurve: await slowestCurve(reader, names) }
}

/** NaN where one is refused. */
async function slowestCurve(reader: Reader, names: SeriesNames): Promise<number> {
  let slowest = 0
  for (const curve of CURVES) {
    const time = await medianOf(() => reader.points(names, { ...YEAR, ...curve }))
    tell(`  a curve of ${curve.max_points} by ${curve.thinning}: ${Number.isNaN(time) ? 'refused' : time.toFixed(1)}`)
    slowest = Math.max(slowest, time)
  }
  return slowest
}

function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
