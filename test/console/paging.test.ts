import { beforeAll, expect, it } from 'vitest'
import { deleteRecord } from '../../src/platform/records/change-record.ts'
import { createComponents, listComponents, updateComponent } from '../../src/platform/systems/components.ts'
import { createSystem, listSystems, updateSystem } from '../../src/platform/systems/systems.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { MODEL } from '../platform/systems/site.ts'
import { applyAll } from '../support/domain.ts'
import { operator, server, useConsole } from '../support/one-console.ts'

// The link to the next page leads to what follows, whatever becomes of the last row of the page that it stands on.

const NAMES = Array.from({ length: 60 }, (_, index) => `n${10 + index}`)
const FIRST = { first: 50, after: null }

let house: string

useConsole({})
beforeAll(async () => {
  const dataSources = NAMES.map((code) => ({ code, name: code }))
  await applyAll(server.context, { ...MODEL, dataSources })
  for (const name of NAMES) house = (await createSystem(server.context, EVERYWHERE, { name })).uuid
  const components = NAMES.map((name) => ({ system: house, componentModel: 'sensor', name }))
  await createComponents(server.context, EVERYWHERE, components)
})

async function nextOf(path: string): Promise<string> {
  const { text } = await operator.get(path)
  const [, query = ''] = /href="(\?[^"]*after=[^"]*)"[^>]*>\s*Next/.exec(text) ?? []
  return `${path.split('?')[0]}${query.replaceAll('&amp;', '&')}`
}

const shown = async (path: string): Promise<readonly string[]> => {
  const { status, text } = await operator.get(path)
  expect(status).toBe(200)
  return NAMES.filter((name) => new RegExp(`>${name}<`).test(text))
}

it('of systems', async () => {
  const next = await nextOf('/systems')
  const { items } = await listSystems(server.context, EVERYWHERE, {}, FIRST)
  await updateSystem(server.context, EVERYWHERE, items.at(-1)?.uuid ?? '', { name: 'zzz' })
  expect(await shown(next)).toStrictEqual(NAMES.slice(50))
})

it('of a search, and the link to the first page keeps the search', async () => {
  const { text } = await operator.get(await nextOf('/systems?search=n'))
  expect(text).toContain('href="?search=n">First<')
})

it('of components', async () => {
  const next = await nextOf(`/systems/${house}`)
  const { items } = await listComponents(server.context, EVERYWHERE, { systems: [house] }, FIRST)
  await updateComponent(server.context, EVERYWHERE, items.at(-1)?.uuid ?? '', { name: 'zzz' })
  expect(await shown(next)).toEqual(expect.arrayContaining(NAMES.slice(50)))
})

it('of records, also where one searches', async () => {
  const next = [await nextOf('/model/dataSources'), await nextOf('/model/dataSources?search=n')]
  await deleteRecord(server.context, 'dataSources', NAMES[49] ?? '', ['deletes-data'])
  for (const path of next) expect(await shown(path)).toStrictEqual(NAMES.slice(50))
})
