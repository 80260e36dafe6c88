import { expect, it } from 'vitest'
import { INT8 } from '../../../src/db/columns.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { readLatest } from '../../../src/platform/datapoints/reading/read-datapoints.ts'
import { makeSite } from '../../support/site.ts'
import { oneDomain } from '../one-domain.ts'
import { historyOf } from './history.ts'

// What few points of a series become by the clock of a server, with the numbers that it has.

const HOUR = 3_600_000
const DAY = 24 * HOUR
const BEGIN = Date.UTC(2026, 0, 1)
const ANYBODY = { systemUuid: null, units: null }

const context = oneDomain()

it('day by day hourly points leave their block in chunks of a month, those of a day stay in it, and all is read', async () => {
  let now = 0
  const site = await makeSite(context(), 2)
  const datapoints = new Datapoints({ ...context(), now: () => new Date(now), isAlone: true })
  const who = { domainId: context().domain.id, actor: 'tester', systemUuid: null, units: null }
  const [sent, sensors] = [66, 2]
  for (let day = 0; day < sent; day++) {
    now = BEGIN + (day + 1) * DAY
    const hourly = Array.from({ length: 24 * sensors }, (_, index) => {
      const [hour, sensor] = [Math.floor(index / sensors), index % sensors]
      return site.point('temperature', hour + sensor, BEGIN + day * DAY + hour * HOUR, sensor)
    })
    await datapoints.ingest.add(who, [...hourly, site.point('count', day, BEGIN + day * DAY)])
    await datapoints.compactor.compact()
    while (await datapoints.merge()) continue
  }
  // What is of the last weeks is in few rows, whatever their level.
  const points = (sensors * 24 + 1) * sent
  const [row] = await context().database.rows(
    { chunks: INT8, least: INT8, rows: INT8, packed: INT8 },
    `select count(*) as chunks, min(c.count)::int8 as least, max(b.rows) as rows, sum(c.count)::int8 as packed
     from datapoint_chunks c cross join (select count(*) as rows from datapoint_blocks) b`,
  )
  expect(row).toMatchObject({ chunks: 2 * sensors, packed: sensors * 24 * (31 + 28) })
  expect(row?.least).toBeGreaterThanOrEqual(600)
  expect(row?.rows).toBeLessThan(6)
  const history = await historyOf(context())
  expect(Object.values(history).reduce((sum, { length }) => sum + length, 0)).toBe(points)
  expect(history['Sensor 0 count']).toStrictEqual(
    Array.from({ length: sent }, (_, day) => [(BEGIN + day * DAY) * 1_000, BigInt(day)]),
  )
  // The last points before any time, whether in chunks, in rows that last or in others.
  for (const day of [3, 20, 40, 58, 62, sent]) {
    const latest = await readLatest(context(), ANYBODY, {}, { before: (BEGIN + day * DAY) * 1_000 })
    const times = latest.map(({ series, point }) => [series.characteristicKey, point.at / 1_000])
    const expected = Array.from({ length: sensors }, () => ['temperature', BEGIN + day * DAY - HOUR])
    expect(times.sort()).toStrictEqual([['count', BEGIN + (day - 1) * DAY], ...expected])
  }
  await datapoints.close()
})
