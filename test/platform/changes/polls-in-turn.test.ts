import { afterEach, expect, it, vi } from 'vitest'
import type { Database } from '../../../src/db/sql.ts'
import { ChangeSignals } from '../../../src/platform/change-signals.ts'
import { ChangeFeeds } from '../../../src/platform/changes/change-feeds.ts'
import { Feed } from '../../../src/platform/changes/feed.ts'

const STATUS = { identity: 'a', drawn: 1, settled: 1, folds: '' }

afterEach(() => void vi.restoreAllMocks())

const now = () => new Date()

/** Resolves after this many microtasks. */
async function microtasks(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await Promise.resolve()
}

/** Polls a feed three times. The first poll ends this many microtasks after the status of the third one has come. */
async function mostPollsAtOnce(later: number): Promise<number> {
  const [first, status] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let [running, most, polls] = [0, 0, 0]
  const poll = async (): Promise<void> => {
    polls += 1
    running += 1
    most = Math.max(most, running)
    await (polls === 1 ? first.promise : microtasks(20))
    running -= 1
  }
  vi.spyOn(Feed, 'begin').mockResolvedValueOnce({ poll, isIdle: false, fail: () => undefined } as never)
  // Twice when the feed begins, and once for each turn.
  const asked = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
  let questions = 0
  const rows = async () => {
    asked[questions]?.resolve()
    questions += 1
    if (questions === asked.length) await status.promise
    return [STATUS]
  }
  const database = { rows } as unknown as Database
  const feeds = new ChangeFeeds({ database, changes: new ChangeSignals(), now, failed: () => undefined })
  const feed = await feeds.use(1, 'datapoints', (one) => one)
  const refreshed: Promise<void>[] = []
  for (const { promise } of asked.slice(2)) {
    refreshed.push(feeds.refresh(feed))
    await promise
  }
  status.resolve()
  await microtasks(later)
  first.resolve()
  await Promise.all(refreshed)
  feeds.close()
  return most
}

it('a feed is never polled twice at once', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, (_, later) => mostPollsAtOnce(later)))
  expect(all).toStrictEqual(all.map(() => 1))
})
