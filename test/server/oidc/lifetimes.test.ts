import type { Session } from 'oidc-provider'
import { expect, it } from 'vitest'
import { externalProviders } from '../../../src/platform/access/delegated/provider/external-providers.ts'
import { carry } from '../../../src/server/login/proof.ts'
import { lifetimesFor } from '../../../src/server/oidc/lifetimes.ts'

const HOUR = 3_600
const AT = () => new Date(1_800_000_000_000)
const NO_PROVIDERS = externalProviders({ allowedOrigins: [], now: () => new Date() })

it('a refresh token of a sign-in at a provider ends when the setting says so, counted from the sign-in', () => {
  const external = externalProviders({ allowedOrigins: [], refreshSeconds: 8 * HOUR, now: AT })
  const signedIn = { rule: '', at: 1_800_000_000 - 5 * HOUR, authentication: {} }
  const carried = carry({ methodUuid: crypto.randomUUID(), stamp: null, provider: signedIn })
  const token = { ...carried, totalLifetime: () => 0 }
  expect(lifetimesFor({ now: AT, external }).RefreshToken(undefined, token)).toBe(3 * HOUR)
})

/** So many hours after somebody has signed in. */
function secondsOfSession(hours: number | undefined): number {
  const loginTs = hours === undefined ? undefined : Math.floor(Date.now() / 1_000) - hours * HOUR
  return lifetimesFor({ now: () => new Date(), external: NO_PROVIDERS }).Session(undefined, { loginTs } as Session)
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
