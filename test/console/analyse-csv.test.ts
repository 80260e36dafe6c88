import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { READING_LIMITS } from '../../src/platform/datapoints/reading/reading-limits.ts'
import { HOUR, makeHouse, type House } from '../support/analyse-house.ts'
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
