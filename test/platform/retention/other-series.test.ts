import { expect, it } from 'vitest'
import { microsecondsOf } from '../../../src/datapoints/wire/timestamp.ts'
import { expireDatapoints } from '../../../src/platform/datapoints/retention/expire.ts'
import { setRetention } from '../../../src/platform/datapoints/retention/set-retention.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { historyOf } from '../datapoints/history.ts'
import { context, database, datapoints, sender, site, useSite } from '../one-site.ts'

const DAY_MS = 86_400_000
const NOW = new Date(Date.UTC(2026, 10, 20))

useSite({ now: () => NOW })

async function send(code: 'temperature' | 'note', value: unknown, daysBack: number): Promise<void> {
  await datapoints.ingest.add(sender, [site.point(code, value, NOW.getTime() - daysBack * DAY_MS)])
  await datapoints.compactor.compact()
}

it('a retention of one characteristic reads no blocks in which it has nothing to delete', async () => {
  await database.script(`select setval('series_ids', 25600)`)
  await send('temperature', 20, 90)
  await database.script(`select setval('series_ids', 51200)`)
  await send('note', 'old', 60)
  await send('note', 'new', 1)
  await setRetention(context, { characteristic: 'note', keep: 'P30D', acknowledge: true })
  const counting = countingDatabase(database)
  const expire = () => expireDatapoints(counting, microsecondsOf(NOW))
  const held = () => counting.statements.filter((text) => /from datapoint_blocks.*for update/s.test(text)).length
  await expire()
  expect(held()).toBe(1)
  await expire()
  expect(held()).toBe(1)
  const history = await historyOf(context)
  expect(history['Sensor 0 temperature']).toHaveLength(1)
  expect(history['Sensor 0 note']).toHaveLength(1)
})
