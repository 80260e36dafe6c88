import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FoldThread } from '../../../src/platform/datapoints/folding/fold-thread.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

it('ends a thread that rests, also one whose work could not be sent to it', async () => {
  const thread = new FoldThread()
  const flushes = [() => undefined] as never
  for (const arrivedAt of [0, 1]) {
    await expect(thread.flushes({ flushes, arrivedAt, arePart: false, raised: 0 })).rejects.toThrow(
      'could not be cloned',
    )
    expect(vi.getTimerCount()).toBe(1)
  }
  await thread.close()
})
