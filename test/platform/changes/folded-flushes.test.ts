import { expect, it } from 'vitest'
import { DatapointSource } from '../../../src/platform/changes/datapoint-source.ts'
import { SeenFlushes } from '../../../src/platform/changes/seen-flushes.ts'
import { setRetention } from '../../../src/platform/datapoints/retention/set-retention.ts'
import { context, database, datapoints, sender, site, useSite } from '../one-site.ts'

// What subscriptions read of flushes that are in blocks and chunks.

useSite()

const NOON = 1_760_000_000_000
const NOTHING = new SeenFlushes(0)
const status = (last: number, folds = '') => ({ settled: last, drawn: last, outbox: [], folds, identity: '' })

/** A source that may read so many characters of texts, and the number of the last flush. */
async function open(bytes: number) {
  const source = new DatapointSource(database, context.domain.id, context.now, { points: 500_000, bytes })
  const last = (await source.start(status(0))).through
  return { source, last }
}

it('counts texts as they are unpacked, however small they are packed', async () => {
  for (let index = 0; index < 3; index++)
    await datapoints.ingest.add(sender, [site.point('note', `${index} `.padEnd(400_000, 'a'), NOON + index)])
  await datapoints.compactor.compact()
  const { source, last } = await open(1_000_000)
  await source.poll(NOTHING, status(0))
  await expect(source.between(NOTHING, new SeenFlushes(last), {})).rejects.toThrow(/^this cursor is too old/)
  await expect(source.poll(NOTHING, status(last, 'folded'))).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  const enough = await open(1_300_000)
  expect(await enough.source.between(NOTHING, new SeenFlushes(last), {})).toHaveLength(3)
  const delivery = await enough.source.poll(NOTHING, status(last, 'folded'))
  expect(delivery?.items).toHaveLength(3)
})

it.each(['hot', 'folded'])('sends no points again that retention has removed: %s', async (where) => {
  await datapoints.ingest.add(sender, [site.point('temperature', 1, 1_600_000_000_000), site.point('temperature', 2)])
  if (where === 'folded') await datapoints.compactor.compact()
  const { source, last } = await open(1_000)
  const pointsAgain = async () => {
    const flushes = await source.between(NOTHING, new SeenFlushes(last), {})
    return flushes.reduce((sum, { count }) => sum + count, 0)
  }
  expect(await pointsAgain()).toBe(2)
  await setRetention(context, { characteristic: null, keep: 'P30D', acknowledge: true })
  expect(await pointsAgain()).toBe(1)
})
