import { expect, it } from 'vitest'
import { waitBefore } from '../../../src/reconcile/forge/refusals.ts'
import { ForgeError } from '../../../src/reconcile/forge/rest-client.ts'

it.each([
  [429, { 'x-ratelimit-remaining': '0' }, 60],
  [429, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '110' }, 11],
  [403, { 'x-ratelimit-remaining': '0' }, null],
])('a rate limit that is used up (%i, %o) asks to wait for %s seconds', (status, headers, seconds) => {
  expect(waitBefore(new ForgeError(status, new Headers(headers), null), 100_000)).toBe(seconds)
})
