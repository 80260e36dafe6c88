import type { Session } from 'oidc-provider'
import { expect, it } from 'vitest'
import { LIFETIMES } from '../../../src/server/oidc/lifetimes.ts'

const HOUR = 3_600

/** So many hours after somebody has signed in. */
function secondsOfSession(hours: number | undefined): number {
  const loginTs = hours === undefined ? undefined : Math.floor(Date.now() / 1_000) - hours * HOUR
  return LIFETIMES.Session(undefined, { loginTs } as Session)
}

it.each([
  ['nobody has signed in', undefined, HOUR],
  ['somebody has just signed in', 0, HOUR],
  ['they are still at it after seven hours', 7, HOUR],
  ['they did so seven and a half hours ago', 7.5, HOUR / 2],
  ['they did so nine hours ago', 9, 1],
])('a session goes on for an hour at most, and to eight hours in all: where %s', (_, hours, seconds) => {
  expect(Math.abs(secondsOfSession(hours) - seconds)).toBeLessThanOrEqual(1)
})
