import { expect, it, vi } from 'vitest'
import { HoldfastError } from '../../../src/lib/errors.ts'
import { Beginnings } from '../../../src/platform/changes/beginnings.ts'
import type { ChangeFeeds } from '../../../src/platform/changes/change-feeds.ts'
import { Feed, type Delivery, type PollStatus } from '../../../src/platform/changes/feed.ts'
import { openStream } from '../../../src/platform/changes/open-stream.ts'

// What a subscriber is told whose filter fits nothing of what happens.

const STATUS = {} as PollStatus

/** A stream of the even ones among the items of the deliveries. */
async function openEven(deliveries: readonly Delivery<number, number>[]) {
  const rest = [...deliveries]
  const feed = await Feed.begin<number, number, null>(
    { start: async () => 0, poll: async () => rest.shift() ?? null, between: async () => [] },
    STATUS,
  )
  const feeds = {
    use: (_: number, __: string, work: (one: unknown, isNew: boolean) => unknown) => work(feed, true),
  } as unknown as ChangeFeeds
  const stream = await openStream<number, number, null, Delivery<number, number>>(feeds, {
    domainId: 1,
    topic: 'events',
    filter: null,
    after: null,
    keep: (item) => (item % 2 === 0 ? item : null),
    count: () => 1,
    weigh: () => 1,
    account: 'tester',
    show: (delivery) => [delivery].values(),
    most: 100,
    ending: () => undefined,
    closed: () => undefined,
  })
  const seen: Pick<Delivery<number, number>, 'items' | 'after'>[] = []
  void (async () => {
    for await (const { items, after } of stream) seen.push({ items, after })
  })()
  const poll = async () => {
    await feed.poll(STATUS)
    await new Promise(setImmediate)
  }
  await new Promise(setImmediate)
  return { seen, poll }
}

const odd = (after: number, count: number) => ({ items: Array.from({ length: count }, () => 1), before: 0, after })

it('gets a newer cursor when much has passed that it does not want', async () => {
  const { seen, poll } = await openEven([odd(600, 600), odd(999, 399), odd(1_000, 1), odd(1_999, 999), odd(2_000, 1)])
  expect(seen).toStrictEqual([{ items: [], after: 0 }])
  await poll()
  await poll()
  expect(seen).toHaveLength(1)
  await poll()
  expect(seen.slice(1)).toStrictEqual([{ items: [], after: 1_000 }])
  await poll()
  expect(seen).toHaveLength(2)
  await poll()
  expect(seen.slice(2)).toStrictEqual([{ items: [], after: 2_000 }])
})

it('gets a newer cursor with the next change when it has heard of nothing for a minute', async () => {
  const { seen, poll } = await openEven([odd(1, 1), odd(2, 1), { items: [2], before: 2, after: 3 }, odd(4, 1)])
  const clock = vi.spyOn(performance, 'now')
  await poll()
  expect(seen).toHaveLength(1)
  clock.mockReturnValue(performance.now() + 61_000)
  await poll()
  await poll()
  await poll()
  clock.mockRestore()
  expect(seen.slice(1)).toStrictEqual([
    { items: [], after: 2 },
    { items: [2], after: 3 },
  ])
})

function broken(): never {
  throw new Error('broken')
}

it('misses nothing when another listener fails', async () => {
  const deliveries = [odd(1, 1), odd(2, 1)]
  const feed = await Feed.begin<number, number, null>(
    { start: async () => 0, poll: async () => deliveries.shift() ?? null, between: async () => [] },
    STATUS,
  )
  const [heard, failed]: [number[], unknown[]] = [[], []]
  feed.join(broken, (error) => failed.push(error))
  feed.join(
    ({ after }) => heard.push(after),
    () => undefined,
  )
  for (const _ of [1, 2]) await feed.poll(STATUS)
  expect([heard, failed]).toStrictEqual([[1, 2], [new Error('broken')]])
})

it('learns that its feed has ended while it waited to resume', async () => {
  const source = { start: async () => 0, poll: async () => null, between: async () => [] }
  const feed = await Feed.begin<number, number, null>(source, STATUS)
  const beginnings = new Beginnings()
  const full = Promise.withResolvers<void>()
  const others = [1, 2].map(() => beginnings.read(1, 'other', () => full.promise))
  const refreshed = Promise.withResolvers<void>()
  const feeds = {
    use: (_: number, __: string, work: (one: unknown, isNew: boolean) => unknown) => work(feed, true),
    refresh: async () => refreshed.resolve(),
    beginnings,
  } as unknown as ChangeFeeds
  const resuming = openStream<number, number, null, Delivery<number, number>>(feeds, {
    domainId: 1,
    topic: 'events',
    filter: null,
    after: () => 0,
    keep: (item) => item,
    count: () => 1,
    weigh: () => 1,
    account: 'tester',
    show: (delivery) => [delivery].values(),
    most: 100,
    ending: () => undefined,
    closed: () => undefined,
  })
  await refreshed.promise
  feed.fail(new HoldfastError('LIMIT_EXCEEDED', 'left behind'))
  full.resolve()
  await expect(resuming).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await Promise.all(others)
})
