import { beforeAll, expect, it } from 'vitest'
import { MINUTE, makeHouse, type House } from '../support/analyse-house.ts'
import { operator, server, useConsole } from '../support/one-console.ts'

// A page that takes seconds to make lets nobody else in. So pages cut long texts, and refuse long searches and forms.

let house: House

useConsole()
beforeAll(async () => {
  house = await makeHouse(server.context)
})

it('Analyse cuts a long text before it makes the page, and says where the whole is', async () => {
  await house.send([house.point('note', '"'.repeat(300_000), house.now - MINUTE)])
  const { status, text } = await operator.get(house.path('note'))
  expect([status, text.includes('The CSV has the whole text.')]).toStrictEqual([200, true])
  const longest = Math.max(...(text.match(/(?:&quot;)+/g) ?? []).map((run) => run.length / '&quot;'.length))
  expect(longest).toBe(1_000)
})

it.each([
  [500, 200],
  [501, 413],
])('Analyse answers a search of %i characters with %i', async (length, expected) => {
  await house.send([house.point('flow', 20, house.now)])
  const { status, text } = await operator.get(`${house.path()}search=${'p+'.repeat(250).padEnd(length, 'p')}`)
  expect(status).toBe(expected)
  expect(text.includes('A search has at most 500 characters')).toBe(expected === 413)
})

it('refuses a form with more fields than any page has', async () => {
  const fields = Array.from({ length: 1_000 }, (_, index) => [`metadata ${index}`, 'a'])
  const { status, text } = await operator.post(`/systems/${house.systemUuid}/metadata`, Object.fromEntries(fields))
  expect(status).toBe(413)
  expect(text).toContain('The list of fields has 1,001 entries, and 1,000 are the most at once')
})
