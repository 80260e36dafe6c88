import { afterAll, beforeAll, expect, it } from 'vitest'
import { Datapoints } from '../../../../src/platform/datapoints/datapoints.ts'
import { readBuckets } from '../../../../src/platform/datapoints/reading/forms/read-buckets.ts'
import { findSeriesOf } from '../../../support/find-series.ts'
import { referenceOf } from '../../../../src/platform/datapoints/reading/series/readable-series.ts'
import type { PointReader } from '../../../../src/platform/datapoints/reading/stored/point-reader.ts'
import type { DomainContext } from '../../../../src/platform/domain-context.ts'
import { POSTGRES } from '../../../support/databases.ts'
import { makeDomain } from '../../../support/domain.ts'
import { makeSite } from '../../../support/site.ts'
import { atOneMoment } from './at-one-moment.ts'

const HOUR = 3_600_000
const BEGIN = Date.UTC(2026, 1, 27, 20)
const HOURS = 48

let context: DomainContext
let datapoints: Datapoints

beforeAll(async () => {
  context = await makeDomain(await POSTGRES.openMigrated())
  datapoints = new Datapoints({ ...context, isAlone: true })
  const site = await makeSite(context, 1)
  const who = { domainId: context.domain.id, actor: 'tester', systemUuid: null, units: null }
  const points = Array.from({ length: HOURS * 360 }, (_, index) =>
    site.point('temperature', (index % 997) / 8, BEGIN + index * 10_000),
  )
  for (let start = 0; start < points.length; start += 5_000)
    await datapoints.ingest.add(who, points.slice(start, start + 5_000))
  await datapoints.compactor.compact()
})
afterAll(async () => {
  await datapoints.close()
  await context.database.close()
})

// Chunks end with their day: four hours of the first day, all of the second, and twenty hours of the third.
it.each([
  ['PT1H', HOURS],
  ['P1D', HOURS],
  ['P6D', HOURS],
  ['P1W', 3],
  ['P1M', 3],
  ['P1Y', 3],
])('buckets of %s are added up from %i summaries, and no point is left out', async (interval, summaries) => {
  const [found] = await findSeriesOf(context, { systemUuid: null, units: null }, {})
  const series = referenceOf({ ...found!, id: found!.id! })
  const [from, to] = [BEGIN * 1_000, (BEGIN + HOURS * HOUR) * 1_000]
  let read = 0
  const buckets = await atOneMoment(context.database, context.domain.id, [series], to, (reader) => {
    const counting: PointReader = {
      ...reader,
      async *stretches(one, range) {
        for await (const stretches of reader.stretches(one, range)) {
          read += stretches.length
          yield stretches
        }
      },
    }
    const aggregations = ['count', 'max'] as const
    return readBuckets(counting, series, { from, to, interval, timeZone: 'UTC', aggregations, fill: 'none', now: to })
  })
  expect(read).toBe(summaries)
  expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(HOURS * 360)
  expect(Math.max(...buckets.map(({ cells }) => Number(cells.max)))).toBe(996 / 8)
})
