import { beforeAll, expect, it } from 'vitest'
import { createComponents } from '../../src/platform/systems/components.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { HOUR, makeHouse, type House } from '../support/analyse-house.ts'
import { operator, server, useConsole } from '../support/one-console.ts'

// The page of a system says what its components said last.

let house: House

useConsole()
beforeAll(async () => {
  house = await makeHouse(server.context)
})

/** The text of each line of the latest values, its parts divided by a bar. */
async function shown(): Promise<readonly string[]> {
  const { text } = await operator.get(`/systems/${house.systemUuid}`)
  const block = text.slice(text.indexOf('Latest values'), text.indexOf('>Components<'))
  return [...block.matchAll(/<li>(.*?)<\/li>/gs)].map(([, row = '']) =>
    row
      .replaceAll(/<[^>]*>/g, '|')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/[| ]*\|[| ]*/g, '|'),
  )
}

it('shows the latest value of each characteristic with its unit, labels and age, and what never came', async () => {
  const at = Date.now() - HOUR
  const sent = [house.point('flow', 61.25, at), house.point('flow', 60, at - HOUR), house.point('mode', 'auto', at)]
  expect(await house.send([...sent, house.point('note', 'x'.repeat(200), at)])).toMatchObject({ stored: 4 })
  const rows = await shown()
  expect(rows).toContainEqual(expect.stringMatching(/^\|Flow temperature\|61\.3\|°C\|1 h/))
  expect(rows).toContainEqual(expect.stringMatching(/^\|Operating mode\|Automatic\|/))
  expect(rows).toContainEqual(expect.stringMatching(/^\|Locked\|nothing yet\|/))
  expect(rows.join('\n')).not.toContain('x'.repeat(41))
})

it('shows six characteristics of twelve components, and leads to all', async () => {
  const input = Array.from({ length: 14 }, (_, index) => ({ name: `Pump ${index}`, componentModel: 'pump' }))
  for (const one of input) await createComponents(server.context, EVERYWHERE, [{ ...one, system: house.systemUuid }])
  const { text } = await operator.get(`/systems/${house.systemUuid}`)
  expect(text).toContain('the first 12 of 15 components')
  expect(text.match(/the first 6 of 8<\/a>|the first 6 of 8 characteristics/g)).toHaveLength(12)
})
