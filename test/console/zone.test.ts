import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { zoneOf } from '../../src/console/zone.ts'
import { clockText, formats } from '../../src/console/parts/time.ts'
import type { AppEnv } from '../../src/server/app-env.ts'

const app = new Hono<AppEnv>().get('/', (request) => request.text(zoneOf(request)))

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['+01:23', 'UTC'],
  ['-0500', 'UTC'],
  ['Nowhere', 'UTC'],
])('reads the zone %s of the cookie as %s', async (written, expected) => {
  const answer = await app.request('/', { headers: { cookie: `holdfast-zone=${encodeURIComponent(written)}` } })
  expect(await answer.text()).toBe(expected)
})

it('keeps a limited number of formats, whatever zones browsers have', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) clockText(new Date(0), zone)
  expect(formats.size).toBe(200)
  expect(clockText(new Date(0), 'Asia/Tokyo')).toBe('09:00')
})
