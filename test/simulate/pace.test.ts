import { expect, it } from 'vitest'
import { paceOf } from '../../src/simulate/pace.ts'

it('without a speed everything up to now has happened', () => {
  const pace = paceOf(() => 5_000, 1_000, null)
  expect([pace.horizon(), pace.waitFor(6_000), pace.isLive()]).toStrictEqual([5_000, 1_000, true])
})

it('with a speed the past goes by so many times as fast, up to the present', () => {
  let now = 100_000
  const pace = paceOf(() => now, 0, 10)
  expect([pace.horizon(), pace.waitFor(1_000), pace.isLive()]).toStrictEqual([0, 100, false])
  now += 5_000
  expect([pace.horizon(), pace.isLive()]).toStrictEqual([50_000, false])
  now += 10_000
  // 150 seconds would have gone by; there are only 115.
  expect([pace.horizon(), pace.waitFor(116_000), pace.isLive()]).toStrictEqual([115_000, 1_000, true])
})
