import type { Datapoints } from '../src/platform/datapoints/datapoints.ts'
import { DAY_MS, finishFolding, openDatapoints } from './fleet-clock.ts'
import type { Measured } from './fleet-goals.ts'
import type { Sizes } from './fleet-options.ts'
import { removeDeadRows, storedBytes } from './fleet-stored.ts'
import type { Fleet } from './fleet-subject.ts'

const HOURS = 24

/** Points of every hour, which arrive and are folded day by day, by a clock that runs ahead. */
export async function measureHourly(fleet: Fleet, { hourlyDays, hourlySeries }: Sizes): Promise<Measured> {
  const { database, server, site } = fleet
  const series = (await site.add(hourlySeries)).map((text) => JSON.parse(`${text}null}`) as object)
  await server.stop()
  const first = Date.UTC(2026, 4, 1)
  const clock = { now: first }
  const datapoints = openDatapoints(database, clock)
  for (let day = 0; day < hourlyDays; day++) {
    clock.now = first + (day + 1) * DAY_MS
    await addDay(datapoints, site.domainId, series, first + day * DAY_MS)
    await datapoints.compactor.compact()
    while (await datapoints.merge());
  }
  await datapoints.close()
  await finishFolding(database)
  await removeDeadRows(database)
  return { hourlyBytes: (await storedBytes(database)) / (series.length * HOURS * hourlyDays) }
}

async function addDay(
  { ingest }: Datapoints,
  domainId: number,
  series: readonly object[],
  begin: number,
): Promise<void> {
  const points = series.flatMap((names, index) =>
    Array.from({ length: HOURS }, (_, hour) => ({
      ...names,
      timestamp: begin + hour * 3_600_000,
      value: temperature(begin / DAY_MS, hour, index),
    })),
  )
  const { errors } = await ingest.add({ domainId, actor: 'bench', systemUuid: null, units: null }, points)
  if (errors[0] !== undefined) throw new Error(errors[0].detail)
}

/** Of one decimal, by the hour of the day, and never quite the same. */
function temperature(day: number, hour: number, index: number): number {
  const noise = ((day * 7_919 + hour * 104_729 + index * 1_299_709) % 11) - 5
  return Math.round(200 + 50 * Math.sin((hour / HOURS) * 2 * Math.PI + index) + noise) / 10
}
