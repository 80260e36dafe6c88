import { PER_SYSTEM, type Fleet, type FleetSize, type Measured } from './fleet-sizes.ts'
import { send, toHoldfast } from './load.ts'
import { median, percentile, timed } from './measure.ts'
import { namesOf, startServer, type Server } from './server.ts'
import {
  finishFolding,
  loggedBytes,
  medianOf,
  openDatapoints,
  openReader,
  removeDeadRows,
  storedBytes,
  untilSettled,
} from './stored.ts'

// The parts of the fleet's bench that store datapoints and read them: an hour, points of every hour, and a year.

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const HOUR_FROM = Date.UTC(2026, 4, 4, 6)
const ROUNDS = 60
const FRESH_ROUNDS = 6
const FRESH_SECONDS = 10
/** While the fleet is read. Its own pace would be a sixth of this. */
const SECONDS_A_ROUND = 10
const PAUSE_MS = 20

/**
 * Sends an hour of the fleet, one point of each series a minute: what it takes on disk and in the log, how it is read
 * while more of it arrives, and how soon it is there again after a kill.
 */
export async function measureHour(fleet: Fleet, { hourSeries, readSeconds, patience }: FleetSize): Promise<Measured> {
  const { database, site } = fleet
  const series = await site.add(hourSeries, PER_SYSTEM)
  await database.script('checkpoint')
  const logged = await loggedBytes(database)
  const perPoint = (bytes: number, rounds: number) => bytes / (series.length * rounds)

  await sendRounds(fleet.server, series, 0, FRESH_ROUNDS)
  await new Promise((resolve) => setTimeout(resolve, FRESH_SECONDS * 1_000))
  const freshBytes = perPoint(await storedBytes(database), FRESH_ROUNDS)
  await sendRounds(fleet.server, series, FRESH_ROUNDS, ROUNDS - FRESH_ROUNDS)

  const begin = performance.now()
  process.kill(fleet.server.pid, 'SIGKILL')
  const server = await startServer(fleet.store)
  await expectAll(server, series)
  const ready = (performance.now() - begin) / 1_000

  await untilSettled(database, patience)
  const logBytes = perPoint((await loggedBytes(database)) - logged, ROUNDS)
  await removeDeadRows(database)
  const hourBytes = perPoint(await storedBytes(database), ROUNDS)

  const rounds = Math.ceil(readSeconds / SECONDS_A_ROUND)
  const sending = new AbortController()
  const sent = sendRounds(server, series, ROUNDS, rounds, series.length / SECONDS_A_ROUND)
  const [times] = await Promise.all([readUntil(sending.signal, server, series), sent.finally(() => sending.abort())])

  await server.stop()
  await finishFolding(database)
  await removeDeadRows(database)
  const mergedBytes = perPoint(await storedBytes(database), ROUNDS + rounds)
  const [latest, lastHour] = [median(times.latest), percentile(times.lastHour, 0.95)]
  return { freshBytes, hourBytes, mergedBytes, logBytes, latest, lastHour, ready }
}

/** `perSecond`: points; left out: as many as are answered. */
async function sendRounds(
  { url, token }: Server,
  series: readonly string[],
  begin: number,
  rounds: number,
  perSecond?: number,
): Promise<void> {
  await send({
    ...toHoldfast(url, await token()),
    series,
    batch: 1_000,
    connections: 8,
    points: series.length * rounds,
    from: HOUR_FROM + begin * MINUTE,
    step: MINUTE,
    ...(perSecond !== undefined && { perSecond }),
  })
}

/** The last value of each series of a system is that of the last round. */
async function expectAll(server: Server, series: readonly string[]): Promise<void> {
  const answer = await (await openReader(server)).latest(series[0] ?? '')
  const last = iso(HOUR_FROM + (ROUNDS - 1) * MINUTE).slice(0, 19)
  if (answer.split(last).length - 1 !== Math.min(PER_SYSTEM, series.length))
    throw new Error(`points are missing after the kill: ${answer.slice(0, 500)}`)
}

/** Milliseconds of both questions, about one series after the other. */
async function readUntil(end: AbortSignal, server: Server, series: readonly string[]) {
  const reader = await openReader(server)
  const [latest, lastHour]: [number[], number[]] = [[], []]
  const range = { from: iso(HOUR_FROM), to: iso(HOUR_FROM + ROUNDS * MINUTE), first: '1000' }
  for (let turn = 0; !end.aborted; turn++) {
    const one = series[(turn * 7_919) % series.length] ?? ''
    latest.push(await timed(() => reader.latest(one)))
    lastHour.push(await timed(() => reader.points(one, range)))
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  return { latest, lastHour }
}

/** Points of every hour, which arrive and are folded day by day, by a clock that runs ahead. */
export async function measureHourly(fleet: Fleet, { hourlyDays, hourlySeries }: FleetSize): Promise<Measured> {
  const { database, server, site } = fleet
  const series = (await site.add(hourlySeries)).map(namesOf)
  await server.stop()
  const first = Date.UTC(2026, 4, 1)
  const who = { domainId: site.domainId, actor: 'bench', systemUuid: null, units: null }
  let now = first
  const datapoints = openDatapoints(database, () => now)
  for (let day = first; day < first + hourlyDays * DAY; day += DAY) {
    now = day + DAY
    const points = series.flatMap((names, index) =>
      Array.from({ length: 24 }, (_, hour) => ({
        ...names,
        timestamp: day + hour * HOUR,
        value: temperature(day / DAY, hour, index),
      })),
    )
    const { errors } = await datapoints.ingest.add(who, points)
    if (errors[0] !== undefined) throw new Error(errors[0].detail)
    await datapoints.compactor.compact()
    while (await datapoints.merge());
  }
  await datapoints.close()
  await finishFolding(database)
  await removeDeadRows(database)
  return { hourlyBytes: (await storedBytes(database)) / (series.length * 24 * hourlyDays) }
}

/** With one decimal, by the hour of the day, and never quite the same. */
function temperature(day: number, hour: number, index: number): number {
  const noise = ((day * 7_919 + hour * 104_729 + index * 1_299_709) % 11) - 5
  return Math.round(200 + 50 * Math.sin((hour / 24) * 2 * Math.PI + index) + noise) / 10
}

const YEAR = { from: iso(Date.UTC(2025, 0, 1)), to: iso(Date.UTC(2026, 0, 1)) }
const MONTH = { from: iso(Date.UTC(2025, 4, 1)), to: iso(Date.UTC(2025, 5, 1)) }
const FIGURES = { aggregations: 'avg,min,max', fill: 'none' }

/** One series of a whole year, once a second, as somebody sees it who opens it. */
export async function measureYear(fleet: Fleet, { yearStep, patience }: FleetSize): Promise<Measured> {
  const { site, server, database } = fleet
  const series = await site.add(1)
  const [from, to] = [Date.parse(YEAR.from), Date.parse(YEAR.to)]
  const size = { series, batch: 5_000, connections: 4, points: (to - from) / yearStep, from, step: yearStep }
  await send({ ...toHoldfast(server.url, await server.token()), ...size })
  await untilSettled(database, patience)
  const reader = await openReader(server)
  const read = (query: { readonly [name: string]: string }) => medianOf(() => reader.points(series[0] ?? '', query))
  const month = await read({ ...MONTH, ...FIGURES, interval: 'P1D' })
  const year = await read({ ...YEAR, ...FIGURES, interval: 'P1M' })
  let yearCurve = 0
  for (const max_points of ['500', '2000', '20000']) {
    // NaN, where a curve is refused, stays.
    for (const thinning of ['shape', 'extremes'])
      yearCurve = Math.max(yearCurve, await read({ ...YEAR, max_points, thinning }))
  }
  return { yearByMonth: year / month, yearCurve }
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
