import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { READING_LIMITS } from '../../src/platform/datapoints/reading/reading-limits.ts'
import { HOUR, makeHouse, type Drawn, type House } from '../support/analyse-house.ts'
import { operator, server, useConsole } from '../support/one-console.ts'

const COUNT = 150

let house: House

useConsole()
beforeAll(async () => {
  house = await makeHouse(server.context)
  const note = (index: number) => house.point('note', `note ${index}`, house.now - HOUR + index * 1_000)
  await house.send(Array.from({ length: COUNT }, (_, index) => note(index)))
})
afterEach(() => vi.restoreAllMocks())

function file() {
  return operator.get(`${house.path('note').replace('?', '/csv?')}&window=6h`)
}

it('has every text of the window, where the page shows the last 100', async () => {
  const { text } = await operator.get(`${house.path('note')}&window=6h`)
  expect(text).toContain('the last 100; the CSV has more')
  const csv = await file()
  expect(csv.text.match(/,note \d+,/g)).toHaveLength(COUNT)
})

it('is refused by name where a series has more texts than a page of values may have', async () => {
  vi.spyOn(READING_LIMITS, 'page', 'get').mockReturnValue(COUNT - 1)
  const { status, text } = await file()
  expect(status).toBe(413)
  expect(text).toContain(`Note has more than ${COUNT - 1} values in this window`)
})

it('says of states that change too often that it has the longest ones only', async () => {
  const switched = Array.from({ length: 5_000 }, (_, index) =>
    house.point('lock', index % 2 === 0, house.now - 2 * HOUR + index * 1_000),
  )
  await house.send(switched)
  const csvOf = async (window: string) =>
    (await operator.get(`${house.path('lock').replace('?', '/csv?')}&window=${window}`)).text.split('\r\n').slice(1, -1)
  const merged = await csvOf('6h')
  expect(merged.length).toBeLessThanOrEqual(2_000)
  expect(merged.every((line) => line.includes(',longest state of each stretch,'))).toBe(true)
  const { text } = await operator.get(`${house.path('lock').replace('?', '/data?')}&window=6h`)
  expect((JSON.parse(text) as Drawn).series[0]?.caption).toBe('longest state of each stretch')
  const to = new Date(house.now - 2 * HOUR + 600_000).toISOString()
  const whole = await csvOf(`15m&to=${to}`)
  expect(whole.length).toBeGreaterThan(500)
  expect(whole.every((line) => line.includes(',raw,'))).toBe(true)
})
