import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SlowBodies, type HeldBody } from '../../../src/server/requests/slow-bodies.ts'

// A body that makes room scarce has to arrive at a certain pace.

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const MEGABYTE = 1_000_000

/** Watches one body for five minutes. `arrivedAfter` tells how much of it has arrived after some seconds. */
function secondsUntilBrokenOff(
  arrivedAfter: (seconds: number) => number,
  isScarce = () => true,
  memoryOf = (arrived: number) => arrived,
): number | null {
  const bodies = new SlowBodies(isScarce)
  const body: HeldBody = { account: 'one', held: 0, ticks: 0, before: 0 }
  let isBrokenOff = false
  for (let seconds = 0; seconds < 300; seconds++) {
    const arrived = arrivedAfter(seconds)
    body.held = memoryOf(arrived)
    bodies.watch(body, { arrived, breakOff: () => (isBrokenOff = true) })
    vi.advanceTimersByTime(1_000)
    if (isBrokenOff) return seconds + 1
  }
  return null
}

it('breaks off a large body that stalls', () => {
  expect(secondsUntilBrokenOff(() => 16 * MEGABYTE)).toBe(20)
  expect(secondsUntilBrokenOff((seconds) => Math.min(seconds, 15) * MEGABYTE)).toBe(30)
})

it('breaks off a large body that trickles', () => {
  expect(secondsUntilBrokenOff((seconds) => 16 * MEGABYTE + seconds)).toBe(20)
})

it('waits for a large body that goes on for half a minute', () => {
  expect(secondsUntilBrokenOff((seconds) => Math.min(seconds + 1, 40) * 400_000)).toBe(50)
})

it('waits for a small body from a slow network, with pauses of half a minute', () => {
  expect(secondsUntilBrokenOff((seconds) => (seconds + 1) * 200)).toBeNull()
  expect(secondsUntilBrokenOff((seconds) => (Math.floor(seconds / 30) + 1) * 2_000)).toBeNull()
})

it('breaks off a small body that stalls for minutes', () => {
  expect(secondsUntilBrokenOff(() => 60_000)).toBe(120)
})

it('counts what arrives against the memory that it takes', () => {
  expect(
    secondsUntilBrokenOff(
      (seconds) => MEGABYTE + seconds * 20_000,
      () => true,
      (arrived) => arrived * 257,
    ),
  ).toBe(10)
})

it('breaks off nothing while there is room, and a stalled body as soon as there is none', () => {
  expect(
    secondsUntilBrokenOff(
      () => MEGABYTE,
      () => false,
    ),
  ).toBeNull()
  const begin = Date.now()
  expect(
    secondsUntilBrokenOff(
      () => MEGABYTE,
      () => Date.now() - begin > 95_000,
    ),
  ).toBe(100)
})

it('forgets a body that is complete', () => {
  const bodies = new SlowBodies(() => true)
  const breakOff = vi.fn<() => void>()
  const body: HeldBody = { account: 'one', held: MEGABYTE, ticks: 0, before: 0 }
  bodies.watch(body, { arrived: MEGABYTE, breakOff })
  bodies.watch(body, undefined)
  vi.advanceTimersByTime(60_000)
  expect(breakOff).not.toHaveBeenCalled()
  expect(vi.getTimerCount()).toBe(0)
})
