import { expect, it } from 'vitest'
import { INT8, TEXT } from '../../../src/db/columns.ts'
import type { Database } from '../../../src/db/sql.ts'
import { microsecondsOf } from '../../../src/datapoints/wire/timestamp.ts'
import type { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { findSeriesOf } from '../../support/find-series.ts'
import { referenceOf } from '../../../src/platform/datapoints/reading/series/readable-series.ts'
import { readLatest } from '../../../src/platform/datapoints/reading/read-datapoints.ts'
import { storedPointReader } from '../../../src/platform/datapoints/reading/stored/stored-point-reader.ts'
import { setRetention } from '../../../src/platform/datapoints/retention/set-retention.ts'
import { historyOf } from './history.ts'
import { context, databases, datapoints, sender, serve, site, useSite } from '../one-site.ts'

// Series with few points a day are joined over their months; here each server process is a Datapoints with connections of
// its own.

const HOUR = 3_600_000
const DAY = 24 * HOUR
const BEGIN = Date.UTC(2026, 0, 1)
const DAYS = 90
const NOW = new Date(BEGIN + (DAYS + 3) * DAY)
const ANYBODY = { systemUuid: null, units: null }
const SENSORS = 8

useSite({ processes: 2, components: SENSORS, now: () => NOW, isAlone: false, limits: { leastOfChunk: 1 } })

const valueAt = (ms: number, sensor: number) => Math.round(2_000 + 300 * Math.sin(ms / DAY + sensor)) / 100

async function send(to: Datapoints, times: readonly number[], sensors = SENSORS): Promise<void> {
  for (let sensor = 0; sensor < sensors; sensor++) {
    const elements = times.map((ms) =>
      site.point('temperature', valueAt(ms, sensor), new Date(ms).toISOString(), sensor),
    )
    expect(await to.ingest.add(sender, elements)).toMatchObject({ stored: times.length, errors: [] })
  }
}

function hours(from: number, to: number): number[] {
  return Array.from({ length: (to - from) * 24 }, (_, index) => BEGIN + from * DAY + index * HOUR)
}

/** A point of each hour, a day at a time, as it came. */
async function sendHourly(to: Datapoints, days: number, sensors = SENSORS): Promise<void> {
  for (let day = 0; day < days; day++) {
    await send(to, hours(day, day + 1), sensors)
    await pack(to)
  }
}

/** Packs all that was stored into chunks, as when its day is over. */
async function pack(datapoints: Datapoints): Promise<void> {
  await datapoints.compactor.compact()
  while (await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)) continue
}

async function join(datapoints: Datapoints, now = microsecondsOf(NOW)): Promise<void> {
  await datapoints.joiner.sweep(now)
  while (await datapoints.joiner.join(now)) continue
}

async function stored() {
  const [row] = await context.database.rows(
    { chunks: INT8, unjoined: INT8, bytes: INT8 },
    `select count(*) as chunks, count(*) filter (where span = 0) as unjoined,
       coalesce(sum(pg_column_size(c) + 28), 0)::int8 as bytes from datapoint_chunks c`,
  )
  return row
}

it('hourly points come to one chunk for each series and month, of few bytes a point, and read as before', async () => {
  await sendHourly(datapoints, DAYS)
  const before = await historyOf(context)
  expect(await stored()).toMatchObject({ chunks: DAYS * SENSORS })
  await join(datapoints)
  const joined = await stored()
  expect(joined).toMatchObject({ chunks: 3 * SENSORS, unjoined: 0 })
  // With the entries of four indexes, each of 44 bytes at most.
  expect(((joined?.bytes ?? 0) + (joined?.chunks ?? 0) * 4 * 44) / (DAYS * 24 * SENSORS)).toBeLessThan(3.5)
  expect(await historyOf(context)).toStrictEqual(before)
})

it('history that comes at once is packed by months at once', async () => {
  await send(datapoints, hours(0, DAYS), 1)
  await pack(datapoints)
  expect(await stored()).toMatchObject({ chunks: 3, unjoined: 0 })
})

it('a month that goes on is joined week by week, and the days of now stay as they are', async () => {
  await sendHourly(datapoints, 12, 1)
  await join(datapoints, (BEGIN + 7 * DAY) * 1_000)
  expect(await stored()).toMatchObject({ chunks: 12, unjoined: 12 })
  await join(datapoints, (BEGIN + 12 * DAY) * 1_000)
  expect(await stored()).toMatchObject({ chunks: 2, unjoined: 1 })
})

it('what comes late for a joined month is joined with it, and days with many points stay apart', async () => {
  await sendHourly(datapoints, 20, 1)
  const minutes = Array.from({ length: 1_440 }, (_, minute) => BEGIN + 8 * DAY + minute * 60_000 + 1)
  await send(datapoints, minutes, 1)
  await pack(datapoints)
  await join(datapoints)
  const spans = await context.database.rows(
    { from: INT8, days: INT8, count: INT8 },
    `select t0 / 86400000000 - ${BEGIN / DAY} as from, t1 / 86400000000 - t0 / 86400000000 as days, count::int8 as count
     from datapoint_chunks order by t0`,
  )
  // The day with many points has those of each hour, too.
  expect(spans).toStrictEqual([
    { from: 0, days: 7, count: 8 * 24 },
    { from: 8, days: 0, count: 1_464 },
    { from: 9, days: 10, count: 11 * 24 },
  ])
  await send(datapoints, [BEGIN + 3 * DAY + 1, BEGIN + 15 * DAY + 1], 1)
  await pack(datapoints)
  const before = await historyOf(context)
  expect(await stored()).toMatchObject({ chunks: 5 })
  await join(datapoints)
  expect(await stored()).toMatchObject({ chunks: 3, unjoined: 1 })
  expect(await historyOf(context)).toStrictEqual(before)
  const again = await stored()
  await join(datapoints)
  expect(await stored()).toStrictEqual(again)
})

it('two servers join at once, while late points come and others read: no point is missed or doubled', async () => {
  const [one, other] = [datapoints, serve({ database: databases[1] as Database })]
  await sendHourly(one, 40, 2)
  const count = 40 * 24
  let late = 0
  const joining = new AbortController()
  const read = async () => {
    const reader = storedPointReader(databases[1] as Database, context.domain.id)
    const series = await findSeriesOf(context, ANYBODY, {})
    while (!joining.signal.aborted) {
      const least = count + late
      const lengths = Object.values(await historyOf(context)).map((points) => {
        expect(new Set(points.map(([at]) => at)).size).toBe(points.length)
        return points.length
      })
      expect(Math.min(...lengths)).toBeGreaterThanOrEqual(least)
      const latest = await reader.latest(
        series.map((one) => referenceOf({ ...one, id: one.id ?? 0 })),
        2 ** 52,
      )
      expect([...latest.values()].map(({ at }) => at)).toStrictEqual(
        [1, 2].map(() => (BEGIN + 40 * DAY - HOUR) * 1_000),
      )
    }
  }
  const reading = [read(), read()]
  try {
    for (let round = 0; round < 5; round++) {
      await Promise.all([one, other].map((datapoints) => join(datapoints)))
      await send(one, [BEGIN + round * 5 * DAY + 30], 2)
      late += 1
      await pack(one)
    }
    await Promise.all([one, other].map((datapoints) => join(datapoints)))
  } finally {
    joining.abort()
  }
  await Promise.all(reading)
  expect(await stored()).toMatchObject({ unjoined: 0 })
  expect(Object.values(await historyOf(context)).map(({ length }) => length)).toStrictEqual([count + 5, count + 5])
})

it('the last point before any time is the same, joined or not', async () => {
  const times = [0, 3, 3.5, 10, 30, 33, 45].map((day) => BEGIN + day * DAY)
  await send(datapoints, times, 1)
  await pack(datapoints)
  const ask = async () => {
    const found = []
    for (const ms of times.flatMap((at) => [at, at + 1, at + DAY]))
      found.push((await readLatest(context, ANYBODY, {}, { before: ms * 1_000 })).map(({ point }) => point.at / 1_000))
    return found
  }
  const before = await ask()
  expect(before[4]).toStrictEqual([times[1]])
  await join(datapoints)
  expect(await stored()).toMatchObject({ chunks: 2 })
  expect(await ask()).toStrictEqual(before)
  // One that came late, between the points of a joined month.
  await send(datapoints, [BEGIN + 5 * DAY], 1)
  await pack(datapoints)
  const [latest] = await readLatest(context, ANYBODY, {}, { before: (BEGIN + 11 * DAY) * 1_000 })
  expect(latest?.point.at).toBe((BEGIN + 10 * DAY) * 1_000)
})

const keep = (days: number, acknowledge: boolean) =>
  setRetention(context, { characteristic: null, keep: `P${days}D`, acknowledge })

it('a retention that cuts a joined month counts exactly, shows nothing older, and deletes the month when it is over', async () => {
  await sendHourly(datapoints, 40, 1)
  await join(datapoints)
  // Ten days of the month go, then five more.
  await expect(keep(DAYS + 3 - 10, false)).rejects.toMatchObject({ details: [{ datapoints: 10 * 24 }] })
  expect(await keep(DAYS + 3 - 10, true)).toMatchObject({ datapoints: 10 * 24 })
  expect(await keep(DAYS + 3 - 15, true)).toMatchObject({ datapoints: 5 * 24 })
  await datapoints.expire()
  expect(await stored()).toMatchObject({ chunks: 2 })
  const [series] = await findSeriesOf(context, ANYBODY, {})
  const reader = storedPointReader(context.database, context.domain.id)
  let shown = 0
  for await (const { columns } of reader.read(
    [referenceOf({ ...(series as NonNullable<typeof series>), id: series?.id ?? 0 })],
    {
      from: 0,
      to: 2 ** 52,
      order: 'oldest first',
    },
  ))
    shown += columns.at.length
  expect(shown).toBe(25 * 24)
  await keep(DAYS + 3 - 31, true)
  await datapoints.expire()
  expect(await stored()).toMatchObject({ chunks: 1 })
})

it('days are counted and not their chunks, and what is joined is not taken again while its month goes on', async () => {
  await sendHourly(datapoints, 8, 1)
  await join(datapoints, (BEGIN + 10 * DAY) * 1_000)
  const [joined] = await places()
  for (let round = 0; round < 9; round++) {
    await send(datapoints, [BEGIN + 9 * DAY + round], 1)
    await pack(datapoints)
  }
  await join(datapoints, (BEGIN + 12 * DAY) * 1_000)
  expect(await stored()).toMatchObject({ chunks: 10, unjoined: 9 })
  for (let day = 10; day < 18; day++) {
    await send(datapoints, hours(day, day + 1), 1)
    await pack(datapoints)
  }
  await join(datapoints, (BEGIN + 20 * DAY) * 1_000)
  expect(await stored()).toMatchObject({ chunks: 2, unjoined: 0 })
  expect((await places())[0]).toBe(joined)
  // The month is over.
  await join(datapoints)
  await send(datapoints, hours(20, 21), 1)
  await pack(datapoints)
  await join(datapoints)
  expect(await stored()).toMatchObject({ chunks: 1, unjoined: 0 })
})

/** Where the chunks are in the table, which is another place when they were taken and put back. */
async function places(): Promise<string[]> {
  const rows = await context.database.rows(
    { place: TEXT },
    `select ctid::text as place from datapoint_chunks order by t0`,
  )
  return rows.map(({ place: one }) => one)
}
