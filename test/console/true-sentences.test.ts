import { beforeAll, expect, it } from 'vitest'
import { SystemArrivals } from '../../src/platform/datapoints/ingest/count-arrivals.ts'
import { Datapoints } from '../../src/platform/datapoints/datapoints.ts'
import { createRecord, updateRecord } from '../../src/platform/records/change-record.ts'
import { createComponents } from '../../src/platform/systems/components.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { createEvent } from '../../src/platform/systems/events.ts'
import { createSystem } from '../../src/platform/systems/systems.ts'
import { houseModel, makeHouse, type House } from '../support/analyse-house.ts'
import { strongSecret } from '../support/example-records.ts'
import { operator, server, useConsole } from '../support/one-console.ts'

// What pages say of how many, of whom, and of what would be lost, is so.

let house: House

useConsole()
beforeAll(async () => {
  house = await makeHouse(server.context)
})

/** The text of a page in one line, without tags. */
async function wordsOf(path: string): Promise<string> {
  const { text } = await operator.get(path)
  return text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

it('Home says which of many systems it shows, and how many never sent anything', async () => {
  const systems = await Promise.all(
    Array.from({ length: 14 }, (_, index) => createSystem(server.context, EVERYWHERE, { name: `Sends ${index}` })),
  )
  const arrivals = new SystemArrivals({ database: server.context.database, now: () => new Date() })
  arrivals.note(
    server.context.domain.id,
    systems.map(({ uuid }) => [uuid, 3]),
  )
  await arrivals.flush(Infinity)
  const words = await wordsOf('/')
  expect(words).toContain('No system that ever sent something is silent. 1 system has never sent anything.')
  expect(words).toContain(
    '24 hours by time of arrival, a bar for each quarter of an hour; the 12 systems that sent last',
  )
  expect(words).toContain('Nothing needs attention')
})

it('a record says of how many components it is, and of one in the singular', async () => {
  expect(await wordsOf('/model/componentModels/pump')).toContain('1 component of 1 system')
})

it('a plan counts what its deletes would lose, and each thing once', async () => {
  const { context } = server
  const pump = { system: house.systemUuid, componentModel: 'pump', name: 'Second pump' }
  await createComponents(context, EVERYWHERE, [pump])
  await house.send([house.point('flow', 20, house.now), house.point('return', 30, house.now)])
  const { characteristics } = houseModel() as { characteristics: { code: string }[] }
  const services = [{ code: 'heating', name: 'Heating', characteristics: [{ code: 'power' }] }]
  const left = characteristics.filter(({ code }) => code === 'power')
  const document = JSON.stringify({ characteristics: left, services })
  const { location } = await operator.post('/plans/new', { document, settings: '', form: 'json' })
  const words = await wordsOf(location ?? '')
  // Two components have these seven characteristics. They stay.
  expect(words).toMatch(/to delete ?\. about 2 datapoints would be lost\./)
})

it('the history of a record that was changed by hand says so, as the line of its place does', async () => {
  const path = '/model/characteristics/power'
  expect(await wordsOf(path)).toMatch(/History 1 change\b(?! by applies)/)
  await updateRecord(server.context, 'characteristics', 'power', { name: 'Power' }, [])
  const words = await wordsOf(path)
  expect(words).toMatch(/History 1 change by applies, and changed by hand since/)
  expect(words).toMatch(/changed on the platform What differs from the last apply/)
})

it('refused datapoints have the names that people know, and lead into the chart', async () => {
  const datapoints = new Datapoints({ ...server.context, isAlone: true })
  const sender = { domainId: server.context.domain.id, actor: 'gateway', systemUuid: null, units: null }
  await datapoints.ingest.add(sender, [house.point('flow', 500, house.now)])
  await datapoints.refused.flush()
  const path = `/systems/${house.systemUuid}/refused`
  expect(await wordsOf(path)).toMatch(/out-of-bounds Flow temperature Heat pump 0 gateway 1 /)
  const [, link = ''] = /href="(\/systems\/[^"]*\/analyse\?show=[^"]*)"/.exec((await operator.get(path)).text) ?? []
  expect((await operator.get(link.replaceAll('&amp;', '&'))).text).toMatch(/1 datapoint refused/)
})

it('Home names who sent datapoints to no system that it knows', async () => {
  const { context } = server
  const sender = await createRecord(context, 'machineUsers', { username: 'gateway-7', password: strongSecret('g') }, [])
  const refused = { ...house.point('flow', 20, house.now), system: crypto.randomUUID() }
  const datapoints = new Datapoints({ ...context, isAlone: true })
  const from = { domainId: context.domain.id, actor: sender.uuid, systemUuid: null, units: null }
  await datapoints.ingest.add(from, [refused])
  await datapoints.refused.flush()
  expect(await wordsOf('/')).toMatch(/1 datapoint refused \S+ no known system sent by gateway-7 /)
})

it('Home hides no urgent event behind many that are not, and no refusal behind those of others', async () => {
  const { context } = server
  const { systemUuid: system } = house
  for (const eventLevel of ['ERROR', 'INFO'])
    await createRecord(
      context,
      'eventModels',
      { code: eventLevel, message: `Told ${eventLevel}`, eventType: 'RANGED', entityType: 'SYSTEM', eventLevel },
      [],
    )
  await createEvent(context, EVERYWHERE, { eventModel: 'ERROR', system })
  for (let count = 0; count <= 50; count++) await createEvent(context, EVERYWHERE, { eventModel: 'INFO', system })
  const arrivals = new SystemArrivals({ database: context.database, now: () => new Date(Date.now() + 1_000) })
  arrivals.note(context.domain.id, [[system, 3]])
  await arrivals.flush(Infinity)
  const datapoints = new Datapoints({ ...context, isAlone: true })
  const stray = { ...house.point('flow', 20, house.now), system: crypto.randomUUID() }
  for (let count = 0; count <= 50; count++) {
    const sender = { domainId: context.domain.id, actor: `gateway ${count}`, systemUuid: null, units: null }
    await datapoints.ingest.add(sender, [stray])
  }
  await datapoints.refused.flush()
  const { text } = await operator.get('/')
  const [, needs = ''] = />Needs attention<([\s\S]*?)>Arrivals</.exec(text) ?? []
  expect(needs).toContain('Told ERROR')
  const [, row = ''] =
    new RegExp(`/systems/${system}/analyse">([\\s\\S]*?)</tr>`).exec(text.split('>Arrivals<')[1] ?? '') ?? []
  expect(row).toMatch(/data-label="Refused">1</)
})
