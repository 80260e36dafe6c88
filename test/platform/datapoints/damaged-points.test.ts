import { expect, it } from 'vitest'
import { INT8 } from '../../../src/db/columns.ts'
import { DamagedPoints } from '../../../src/platform/datapoints/damaged-points.ts'
import { readDatapoints, readLatest, type Reading } from '../../../src/platform/datapoints/reading/read-datapoints.ts'
import { readingQuery } from '../../../src/platform/datapoints/reading/reading-query.ts'
import { problemResponse } from '../../../src/server/requests/error-response.ts'
import { context, database, datapoints, sender, site, useSite } from '../one-site.ts'

// Bytes in a table are overwritten, as a disk or a hand does it.

const NOON = Date.UTC(2026, 2, 1, 12)
const DAY = 86_400_000
const DAYS = 10
const ANYBODY = { systemUuid: null, units: null }
const later = () => new Date(NOON + 100 * DAY)

useSite({ now: later, limits: { leastOfChunk: 1 } })

/** Points of two series on several days, in a block; `pack` makes a chunk of each day and series. */
async function addDays(offset = 0): Promise<void> {
  for (let day = 0; day < DAYS; day++) {
    const at = NOON + day * DAY + offset
    const { errors } = await datapoints.ingest.add(sender, [
      ...[0, 1, 2].map((ms) => site.point('temperature', day + ms / 4, at + ms)),
      ...[0, 1, 2].map((ms) => site.point('count', day, at + ms)),
    ])
    expect(errors).toStrictEqual([])
  }
  await datapoints.compactor.compact()
}

async function pack(): Promise<void> {
  await datapoints.blockMerger.sweep()
  while (await datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)) continue
}

const midnight = (day: number) => new Date(NOON + (day - 0.5) * DAY).toISOString()

async function read(characteristic: string, fromDay: number, toDay: number): Promise<Reading> {
  const [component = ''] = site.componentUuids
  const query = readingQuery({ from: midnight(fromDay), to: midnight(toDay) }, context.now())
  const name = { component, service: 'room', characteristic }
  return (await readDatapoints(context, ANYBODY, name, query, context.now())).reading
}

async function count(characteristic: string, fromDay: number, toDay: number): Promise<number> {
  const reading = await read(characteristic, fromDay, toDay)
  return reading.form === 'page' ? reading.points.length : Number.NaN
}

async function seriesOf(kind: 'float' | 'integer'): Promise<number> {
  const [row] = await database.rows({ id: INT8 }, 'select id from series where value_kind = $1', [kind])
  return row?.id ?? Number.NaN
}

/** Cuts the points of the temperatures' chunks of one day off. */
async function damageDay(day: number): Promise<void> {
  await database.statement(
    `update datapoint_chunks set points = substring(points from 1 for octet_length(points) - 2)
     where series_id = $1 and t0 >= $2 and t0 < $3`,
    [await seriesOf('float'), (NOON + (day - 0.5) * DAY) * 1_000, (NOON + (day + 0.5) * DAY) * 1_000],
  )
}

it('a damaged chunk is named by series and time, and only what needs it fails', async () => {
  await addDays()
  await pack()
  await damageDay(4)
  const named = `a chunk of series ${await seriesOf('float')}, from 2026-03-05T12:00:00.000Z on cannot be read: `
  expect(await count('temperature', 0, 4)).toBe(4 * 3)
  expect(await count('temperature', 5, DAYS)).toBe(5 * 3)
  expect(await count('count', 0, DAYS)).toBe(DAYS * 3)
  await expect(read('temperature', 0, DAYS)).rejects.toThrow(named)
  const last = await readLatest(context, ANYBODY, {})
  expect(last.map(({ point }) => point.value)).toStrictEqual(expect.arrayContaining([9.5, 9n]))
  const failure = await read('temperature', 4, 5).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(DamagedPoints)
  const answer = problemResponse(failure, 'trace')
  expect([answer.status, await answer.json()]).toMatchObject([
    500,
    { detail: expect.stringContaining(named) as string },
  ])
})

it('what merges goes on with all other days and series, and says which is damaged', async () => {
  await addDays()
  await pack()
  await addDays(60_000)
  await pack()
  await damageDay(4)
  await datapoints.merger.sweep()
  const name = `a chunk of series ${await seriesOf('float')}, from 2026-03-05T12:`
  await expect(mergeAll()).rejects.toThrow(name)
  // Two of each day became one, or one of several days.
  expect(await chunksOf('integer')).toBeLessThanOrEqual(DAYS)
  expect(await chunksOf('float')).toBeLessThanOrEqual(DAYS + 1)
  expect(await count('temperature', 0, 4)).toBe(4 * 6)
  expect(await count('count', 0, DAYS)).toBe(DAYS * 6)
})

it('what joins goes on with all other series, and says which is damaged', async () => {
  await addDays()
  await pack()
  await damageDay(4)
  await datapoints.joiner.sweep((NOON + 100 * DAY) * 1_000)
  const name = `a chunk of series ${await seriesOf('float')}, from 2026-03-05T12:`
  await expect(joinAll()).rejects.toThrow(name)
  expect([await chunksOf('float'), await chunksOf('integer')]).toStrictEqual([DAYS, 1])
})

async function mergeAll(): Promise<void> {
  while (await datapoints.merger.merge(Number.MAX_SAFE_INTEGER)) continue
}

async function joinAll(): Promise<void> {
  while (await datapoints.joiner.join((NOON + 100 * DAY) * 1_000)) continue
}

async function chunksOf(kind: 'float' | 'integer'): Promise<number> {
  const text = 'select count(*) as chunks from datapoint_chunks where series_id = $1'
  const [row] = await database.rows({ chunks: INT8 }, text, [await seriesOf(kind)])
  return row?.chunks ?? Number.NaN
}

it('a damaged block fails what is read of it, by name, and nothing of another time', async () => {
  await addDays()
  await database.statement('update datapoint_blocks set points = substring(points from 1 for 20)')
  const series = await seriesOf('float')
  await expect(read('temperature', 0, DAYS)).rejects.toThrow(`a segment with points of series ${series} cannot be read`)
  expect(await count('temperature', DAYS, DAYS + 1)).toBe(0)
})

const stored = () => database.statement('select * from datapoint_blocks order by generation limit 1')

it('rows of a block are merged around a damaged one, which stays as it is', async () => {
  for (const offset of [0, 60_000, 120_000]) await addDays(offset)
  await database.statement(`update datapoint_blocks set points = substring(points from 1 for 20)
    where generation = (select min(generation) from datapoint_blocks)`)
  const before = await stored()
  await expect(datapoints.blockMerger.merge(Number.MAX_SAFE_INTEGER)).rejects.toThrow('cannot be read')
  expect(await database.statement('select count(*)::integer as rows from datapoint_blocks')).toStrictEqual([
    { rows: 1 },
  ])
  expect(await stored()).toStrictEqual(before)
  expect(await chunksOf('integer')).toBeGreaterThan(0)
})
