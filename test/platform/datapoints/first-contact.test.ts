import { beforeEach, expect, it } from 'vitest'
import { INT8, UUID } from '../../../src/db/columns.ts'
import { Datapoints } from '../../../src/platform/datapoints/datapoints.ts'
import { countingDatabase, type CountingDatabase } from '../../support/counting-database.ts'
import { applyAll } from '../../support/domain.ts'
import { makeSite, makeSystem, SITE_MODEL, type Site } from '../../support/site.ts'
import { oneDomain } from '../one-domain.ts'
import { historyOf } from './history.ts'

// Devices that are seen for the first time, many at once.

const DEVICES = 30
const NOON = 1_760_000_000_000

const context = oneDomain()
let site: Site
let counting: CountingDatabase
let datapoints: Datapoints

beforeEach(async () => {
  site = await makeSite(context(), DEVICES)
  counting = countingDatabase(context().database)
  datapoints = new Datapoints({ ...context(), database: counting, isAlone: true })
})

const who = () => ({ domainId: context().domain.id, actor: 'tester', systemUuid: null, units: null })

function send(device: number) {
  const codes = ['temperature', 'percent', 'count'] as const
  return datapoints.ingest.add(
    who(),
    codes.map((code) => site.point(code, device, NOON, device)),
  )
}

it('are made known together, in a transaction for all that come while another one is under way', async () => {
  const results = await Promise.all(Array.from({ length: DEVICES }, (_, device) => send(device)))
  expect(results.map(({ stored }) => stored)).toStrictEqual(Array.from({ length: DEVICES }, () => 3))
  const made = counting.statements.filter((text) => text.startsWith('insert into series'))
  expect(made.length).toBeLessThanOrEqual(2)
  expect(Object.keys(await historyOf(context()))).toHaveLength(DEVICES * 3)
  await datapoints.close()
})

it('are numbered as neighbours of their own system, where several come together', async () => {
  const systems = [site]
  while (systems.length < 3) systems.push(await makeSystem(context(), { model: 'sensor', name: 'Sensor' }, DEVICES))
  const all = Array.from({ length: DEVICES }, (_, device) => systems.map((one) => one.point('count', 1, NOON, device)))
  const { stored } = await datapoints.ingest.add(who(), all.flat())
  expect(stored).toBe(DEVICES * 3)
  const spans = await context().database.rows(
    { span: INT8 },
    'select (max(id) - min(id) + 1)::bigint as span from series group by system_uuid',
  )
  expect(spans.map(({ span }) => span)).toStrictEqual([DEVICES, DEVICES, DEVICES])
  await datapoints.close()
})

it('do not answer for each other: whoever names what is not there is refused alone', async () => {
  const wrong = { ...site.point('temperature', 1, NOON), component_uuid: crypto.randomUUID() }
  const [refused, ...others] = await Promise.all([
    datapoints.ingest.add(who(), [wrong]),
    ...Array.from({ length: DEVICES }, (_, device) => send(device)),
  ])
  expect(refused).toMatchObject({ stored: 0, errors: [{ code: 'unknown-component' }] })
  expect(others.every(({ stored, errorCount }) => stored === 3 && errorCount === 0)).toBe(true)
  await datapoints.close()
})

const definitions = () => counting.statements.filter((text) => text.startsWith('select model.uuid')).length

it('are looked up one after the other by what is known of their model, until it changes', async () => {
  for (const device of [1, 2, 3]) expect(await send(device)).toMatchObject({ stored: 3 })
  expect(definitions()).toBe(1)
  const [unused] = await context().database.rows({ uuid: UUID }, `select uuid from records where key = 'unused'`)
  const point = { ...site.point('temperature', 1, NOON, 4), service_uuid: unused?.uuid }
  const add = () => datapoints.ingest.add(who(), [point])
  expect(await add()).toMatchObject({ stored: 0, errors: [{ code: 'not-supported' }] })
  expect(definitions()).toBe(1)
  const componentModels = SITE_MODEL.componentModels.map((one) => ({
    ...one,
    services: [...one.services, { code: 'unused' }],
  }))
  await applyAll(context(), { ...SITE_MODEL, componentModels })
  expect(await add()).toMatchObject({ stored: 1 })
  await datapoints.close()
})
