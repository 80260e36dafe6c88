import { expect, it } from 'vitest'
import { ChangeSignals } from '../../../src/platform/change-signals.ts'
import { ChangeFeeds } from '../../../src/platform/changes/change-feeds.ts'
import type { StoredFlush } from '../../../src/platform/changes/flush-reader.ts'
import { openStream } from '../../../src/platform/changes/open-stream.ts'
import { someAtATime } from '../../../src/platform/changes/row-source.ts'
import { SeenFlushes } from '../../../src/platform/changes/seen-flushes.ts'
import { partsOf, weightAlone, type ShownPart } from '../../../src/platform/changes/shown-flushes.ts'
import type { Sql } from '../../../src/db/sql.ts'
import type { SeriesFilter } from '../../../src/store/datapoints/series/readable-series.ts'
import { context, database, datapoints, sender, site, useSite } from '../one-site.ts'

// What is held for subscriptions that resume, until they have read it.

useSite()

it('refuses to resume while others have not read what they missed, of an account and in all', async () => {
  await datapoints.ingest.add(sender, [site.point('temperature', 1), site.point('count', 1)])
  const feeds = new ChangeFeeds({
    database,
    changes: new ChangeSignals(),
    now: context.now,
    failed: () => undefined,
    mostBegun: { most: 60, mostOfAccount: 30 },
  })
  const resume = (account: string) =>
    openStream<SeenFlushes, StoredFlush, SeriesFilter, ShownPart>(feeds, {
      domainId: context.domain.id,
      topic: 'datapoints',
      after: () => new SeenFlushes(0),
      filter: {},
      keep: (flush) => flush,
      count: ({ count }) => count,
      weigh: weightAlone,
      account,
      show: (delivery) => partsOf(delivery, { items: 1, text: Infinity }),
      most: 1_000,
      ending: () => undefined,
      closed: () => undefined,
    })
  const [one, other] = [await resume('one'), await resume('other')]
  await expect(resume('one')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(resume('third')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await other.return()
  // The first part is sent, and the second one is held.
  await one.next()
  await expect(resume('one')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await one.next()
  const waiting = one.next()
  await (await resume('one')).return()
  await one.return()
  await waiting
  feeds.close()
})

it('reads rows some at a time, and stops when they have too many bytes', async () => {
  let read = 0
  const fetch = someAtATime(async (_: Sql, __: number, uuids: readonly string[]) => {
    read += uuids.length
    return uuids.map((uuid) => ({ uuid, message: 'x'.repeat(99) }))
  })
  const names = Array.from({ length: 5_000 }, (_, index) => `${index % 10}`)
  const sql = {} as Sql
  expect(await fetch(sql, 1, names, 250_000)).toBeNull()
  expect(read).toBe(3_000)
  expect(await fetch(sql, 1, names, 500_000)).toHaveLength(5_000)
  expect(await fetch(sql, 1, ['1'], 10)).toHaveLength(1)
})
