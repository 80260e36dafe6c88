import { expect, it } from 'vitest'
import { RestingLocks } from '../../../../src/platform/datapoints/ingest/resting-locks.ts'

// A clock that the test sets.

it('rests grow while one change goes on, and begin at the shortest for the next one', () => {
  const locked = new RestingLocks()
  let now = 0
  const rests = Array.from({ length: 6 }, () => {
    locked.rest(1, now)
    const ms = locked.nextMs(now)
    now += ms
    return ms
  })
  expect(rests).toStrictEqual([20, 40, 80, 160, 320, 320])
  expect(locked.isResting(1, now)).toBe(false)
  // Nothing of the domain was stored in between, so nobody has said that it is free.
  now += 60_000
  locked.rest(1, now)
  expect(locked.nextMs(now)).toBe(20)
})

it('locks that nobody waits for any more are forgotten', () => {
  const locked = new RestingLocks()
  for (let now = 0; now < 100_000; now += 100) locked.rest(`key ${now}`, now)
  expect(locked.size).toBeLessThan(20)
})
