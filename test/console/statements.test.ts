import { beforeAll, describe, expect, it } from 'vitest'
import { PAGES } from '../../src/console/pages/pages.ts'
import { ROUTES } from '../../src/console/pages/page-data.ts'
import { listMethods } from '../../src/platform/access/methods/methods.ts'
import { listApplies } from '../../src/platform/imports/history/applies.ts'
import { createComponents } from '../../src/platform/systems/components.ts'
import { createEvent } from '../../src/platform/systems/events.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { createSystem } from '../../src/platform/systems/systems.ts'
import { fillHouse, type House, houseModel, makeHouse } from '../support/analyse-house.ts'
import { countingDatabase, type CountingDatabase } from '../support/counting-database.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { applyAll } from '../support/domain.ts'
import { EXPECTED_STATEMENTS } from './expected-statements.ts'
import { operator, server, useConsole } from '../support/one-console.ts'

let database: CountingDatabase
let house: House
let places: { readonly [begin: string]: string }

/** What the console asks for and ends. A stream has no end: how it begins is what the data of the same page takes. */
const PATHS = [...PAGES, ...ROUTES.filter(({ isSent }) => isSent !== true)]
  .map(({ path }) => path)
  .filter((path) => !path.endsWith('/live'))

const EMAIL = 'cy@example.org'

function model(count: number): object {
  return {
    ...houseModel({ flow: { boundaryMax: 55 } }),
    organizations: named(count, 'unit').map(({ name, code }) => ({ name, alias: code })),
    users: [
      { email: EMAIL, organization: { alias: 'unit-0' } },
      ...named(count, 'u').map(({ code }) => ({ email: `${code}@example.org` })),
    ],
    eventModels: [
      { code: 'window-open', message: 'Open', eventType: 'RANGED', entityType: 'SYSTEM', eventLevel: 'WARNING' },
    ],
    dataSources: named(count, 'source'),
    metadataTypes: [{ key: 'note', entityType: 'SYSTEM', dataType: 'STRING' }],
  }
}

function named(count: number, what: string) {
  return Array.from({ length: count }, (_, index) => ({ code: `${what}-${index}`, name: `${what} ${index}` }))
}

/** More of everything that pages show. */
async function grow(count: number): Promise<void> {
  const { context } = server
  await applyAll(context, model(count))
  for (const { name } of named(count, `House of ${count}`)) {
    const metadataKeyValueStore = [{ key: 'note', value: name }]
    const { uuid: system } = await createSystem(context, EVERYWHERE, { name, metadataKeyValueStore })
    await createComponents(context, EVERYWHERE, [{ system, componentModel: 'pump', name }])
    await createEvent(context, EVERYWHERE, { eventModel: 'window-open', system })
    await createEvent(context, EVERYWHERE, { eventModel: 'window-open', system: house.systemUuid })
    await createComponents(context, EVERYWHERE, [{ system: house.systemUuid, componentModel: 'pump', name }])
    await house.set(20 + count)
  }
  await house.send(named(count, 'too warm').map((_, index) => house.point('flow', 99 + index, house.now - index)))
}

async function openMigrated(): Promise<CountingDatabase> {
  database = countingDatabase(await ANY_DATABASE.openMigrated())
  return database
}

useConsole({ database: { ...ANY_DATABASE, openMigrated } })
beforeAll(async () => {
  house = await makeHouse(server.context)
  await fillHouse(server.context, house)
  await grow(1)
  const [apply] = await listApplies(server.context, 1, null)
  const { location } = await operator.post('/plans/new', { document: 'services: []\n', settings: '', form: 'yaml' })
  const [method] = await listMethods(server.context)
  places = {
    '/applies/': apply?.uuid ?? '',
    '/auth-methods/': method?.uuid ?? '',
    '/components/': house.componentUuids[0] ?? '',
    '/plans/': location?.slice('/plans/'.length) ?? '',
  }
})

function addressOf(path: string): string {
  const [, uuid = house.systemUuid] = Object.entries(places).find(([begin]) => path.startsWith(begin)) ?? []
  const address = path
    .replace(/:(?:uuid|id)/, uuid)
    .replace('/model/:type/:key{.+}', '/model/characteristics/flow')
    .replace(':type', 'organizations')
    .replace(':key{.+}', 'unit-0')
    .replace(':email', EMAIL)
    .replace(':slug', 'trusted')
  if (path === '/search') return '/search?q=o'
  return path.includes('/analyse') ? `${address}?show=${house.show('flow')}&show=${house.show('lock')}` : address
}

async function countAll(): Promise<{ readonly [path: string]: number }> {
  const counts: { [path: string]: number } = {}
  for (const path of PATHS) {
    // What is remembered from the first look on is not counted.
    const { status } = await operator.get(addressOf(path))
    expect([path, status]).toStrictEqual([path, 200])
    const before = database.statements.length
    await operator.get(addressOf(path))
    counts[path] = database.statements.length - before
  }
  return counts
}

describe('the statements of a page', () => {
  it('are as many as the table says, for each page that there is', async () => {
    expect(await countAll()).toStrictEqual(EXPECTED_STATEMENTS)
  })

  it('are not more where there is more', async () => {
    await grow(30)
    expect(await countAll()).toStrictEqual(EXPECTED_STATEMENTS)
  })
})

it('the events of a system go on from page to page, those that are open first', async () => {
  const { uuid: system } = await createSystem(server.context, EVERYWHERE, { name: 'Tells for years' })
  const { uuid } = await createEvent(server.context, EVERYWHERE, { eventModel: 'window-open', system })
  await database.statement(
    `insert into events select (jsonb_populate_record(e, jsonb_build_object('uuid', gen_random_uuid(), 'ends_at', now()))).*
     from events e, generate_series(1, 51) where e.uuid = $1::uuid`,
    [uuid],
  )
  const path = `/systems/${system}/events`
  const first = await operator.get(path)
  expect(first.text).toContain('52, 1 open')
  const [, next = ''] = /href="([^"]*)" rel="next"/.exec(first.text) ?? []
  const second = await operator.get(path + next.replaceAll('&amp;', '&'))
  const rows = [first, second].map(({ text }) => text.split('<tr>').length - 2)
  expect(rows).toStrictEqual([51, 1])
  expect(second.text).toContain('51 – 51 of 51')
})
