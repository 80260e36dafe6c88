import { afterEach, expect, it, vi } from 'vitest'
import type { Wanted } from '../../../src/platform/deletions/deletion-target.ts'
import { previewDeletion } from '../../../src/platform/deletions/deletions.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { countingDatabase } from '../../support/counting-database.ts'
import { context, database, datapoints, sender, site, useSite } from '../one-site.ts'

useSite()

afterEach(() => void vi.useRealTimers())

it('previews of datapoints in a loop fence the flushes of their domain at most once a second', async () => {
  await datapoints.ingest.add(sender, [site.point('temperature', 1, Date.UTC(2026, 1, 20, 12))])
  const counting = countingDatabase(database)
  const fences = () => counting.statements.filter((text) => text.includes('update domain_state')).length
  const series = { systems: [site.systemUuid], components: null, services: null, characteristics: null }
  const wanted: Wanted = { kind: 'DATAPOINTS', series, from: null, to: null }
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  const preview = async () => (await previewDeletion({ ...context, database: counting }, EVERYWHERE, wanted)).counts
  const previews = Array.from({ length: 16 }, preview)
  // The wait of the last one would be eleven seconds.
  await expect(previews.pop()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await Promise.all(previews.slice(0, 5))
  expect(fences()).toBe(5)
  await vi.advanceTimersByTimeAsync(1_000)
  await previews[5]
  expect(fences()).toBe(6)
  await vi.advanceTimersByTimeAsync(9_000)
  expect((await Promise.all(previews)).map((counts) => counts.datapoints)).toStrictEqual(previews.map(() => 1))
})
