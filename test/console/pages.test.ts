import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOOL, INT8, UUID } from '../../src/db/columns.ts'
import { SystemArrivals } from '../../src/platform/datapoints/ingest/count-arrivals.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { createEvent } from '../../src/platform/systems/events.ts'
import { createComponents } from '../../src/platform/systems/components.ts'
import { createSystem, findSystem, updateSystem } from '../../src/platform/systems/systems.ts'
import { findRecord } from '../../src/platform/records/read-records.ts'
import { QUARTER_MS } from '../../src/store/datapoints/arriving/system-arrivals.ts'
import { houseModel } from '../support/analyse-house.ts'
import { OPERATOR, startConsoleServer } from '../support/console-server.ts'
import { consoleVisitor, type ConsoleVisitor } from '../support/console-visitor.ts'
import { countingDatabase, type CountingDatabase } from '../support/counting-database.ts'
import { ANY_DATABASE } from '../support/databases.ts'
import { applyAll } from '../support/domain.ts'
import { ANN, type LoginServer } from '../support/login-server.ts'

// What pages say and do, over HTTP and without a browser.

const HOUR = 3_600_000

const METADATA_TYPES = [
  { key: 'serial-number', entityType: 'SYSTEM', dataType: 'STRING', unique: true, description: 'On the plate' },
  { key: 'built', entityType: 'SYSTEM', dataType: 'TIMESTAMP' },
  { key: 'flats', entityType: 'SYSTEM', dataType: 'INTEGER' },
  { key: 'area', entityType: 'SYSTEM', dataType: 'FLOAT' },
  { key: 'is-listed', entityType: 'SYSTEM', dataType: 'BOOLEAN' },
  { key: 'cost-centre', entityType: 'USER', dataType: 'STRING' },
  { key: 'region', entityType: 'ORGANIZATION', dataType: 'STRING' },
]

const ORGANIZATIONS = [
  { name: 'Lindenhof', alias: 'lindenhof', organizationUnits: [{ name: 'House 1', alias: 'house-1' }] },
]

const EVENT_MODEL = { code: 'open', message: 'Open', eventType: 'RANGED', entityType: 'SYSTEM', eventLevel: 'INFO' }

let server: LoginServer
let database: CountingDatabase
let operator: ConsoleVisitor

beforeAll(async () => {
  const kind = {
    ...ANY_DATABASE,
    openMigrated: async () => (database = countingDatabase(await ANY_DATABASE.openMigrated())),
  }
  server = await startConsoleServer({ database: kind })
  const users = [ANN].map(({ email, name }) => ({ email, name }))
  await applyAll(server.context, {
    ...houseModel(),
    metadataTypes: METADATA_TYPES,
    eventModels: [EVENT_MODEL],
    organizations: ORGANIZATIONS,
    users: [...users, { email: 'cy@example.org', organization: { alias: 'lindenhof' } }],
  })
  operator = await consoleVisitor(server, OPERATOR)
})
afterAll(() => server.close())

const made = async (name: string, fields: object = {}) =>
  (await createSystem(server.context, EVERYWHERE, { name, ...fields })).uuid

/** As if a process had counted these arrivals so long ago. */
async function arrived(systems: readonly string[], hoursAgo: number): Promise<void> {
  const now = () => new Date(Date.now() - hoursAgo * HOUR)
  const arrivals = new SystemArrivals({ database, now })
  const three = systems.map((uuid) => [uuid, 3] as const)
  arrivals.note(server.context.domain.id, three)
  await arrivals.flush(Infinity)
}

async function manySystems(count: number): Promise<readonly string[]> {
  const rows = await database.rows(
    { uuid: UUID },
    `insert into systems (domain_id, uuid, name, status, metadata, created_at, updated_at)
     select $1, gen_random_uuid(), 'House ' || n, 'ACTIVATED', '[]', now(), now()
     from generate_series(1, $2::int) n returning uuid`,
    [server.context.domain.id, count],
  )
  return rows.map(({ uuid }) => uuid)
}

/** The first page, and how much was asked for it. */
async function count(): Promise<{ readonly text: string; readonly statements: number }> {
  const before = database.statements.length
  const { text } = await operator.get('/')
  return { text, statements: database.statements.length - before }
}

it('to set a value begins with what is selected, or else with its component', async () => {
  const system = await made('Two pumps')
  const names = ['First pump', 'Second pump']
  const pumps = names.map((name) => ({ system, componentModel: 'pump', name }))
  const [, second] = await createComponents(server.context, EVERYWHERE, pumps)
  const setting = async (code: string) => {
    const { text } = await operator.get(`/systems/${system}/analyse/set?show=${second?.uuid}/heating/${code}`)
    return /data-series="([^"]*)"/.exec(text)?.[1]
  }
  expect(await setting('target')).toBe(`${second?.uuid}/heating/target`)
  expect(await setting('flow')).toBe(`${second?.uuid}/heating/mode`)
})

describe('the first page', () => {
  it('names the systems that have fallen silent, and shows where silence began', async () => {
    const [sends, silent, archived] = [await made('Sends'), await made('Fell silent'), await made('Archived')]
    for (const hours of [20, 10, 0]) await arrived([sends], hours)
    await arrived([silent, archived], 20)
    await arrived([silent, archived], 6)
    await updateSystem(server.context, EVERYWHERE, archived, { status: 'ARCHIVED' })
    const { text } = await operator.get('/')
    expect(text).toContain('1 system sends nothing.')
    expect(text).toMatch(/Sends nothing<span[\s\S]{0,200}Fell silent/)
    expect(text).not.toContain(archived)
    expect(text).toContain('arrived in 2 of 96 quarters of an hour, none in the last 24 of them')
    expect(text).toContain('arrived in 3 of 96 quarters of an hour')
  })

  it('asks as little of the database where a thousand systems are silent, and says how many', async () => {
    const few = await count()
    await arrived(await manySystems(1_100), 3)
    const { text, statements } = await count()
    expect(text).toContain('More than 1,000 systems send nothing.')
    expect(text.match(/Sends nothing</g)).toHaveLength(5)
    expect(text.length).toBeLessThan(60_000)
    expect(statements).toBe(few.statements)
  })

  it('counts open events up to a thousand, and as quickly where there are more', async () => {
    const few = await count()
    await createEvent(server.context, EVERYWHERE, { eventModel: 'open', system: await made('Tells much') })
    expect((await count()).text).toContain('1 event is open')
    await database.statement(
      `insert into events select (jsonb_populate_record(e, jsonb_build_object('uuid', gen_random_uuid()))).*
       from events e, generate_series(1, 1100)`,
      [],
    )
    const { text, statements } = await count()
    expect(text).toMatch(/More than 1,000 events are open,\s+0 setpoints\s+wait/)
    expect(statements).toBeLessThanOrEqual(few.statements + 2)
  })

  it('believes no clock that is ahead, so that silence is seen all the same', async () => {
    const uuid = await made('Clock ahead')
    const seen = () =>
      database.rows(
        { isPast: BOOL, quarter: INT8, sum: INT8 },
        `select last_at <= now() as "isPast", quarter, (select sum(c) from unnest(counts) c)::int8 as sum
         from system_arrivals where system_uuid = $1::uuid`,
        [uuid],
      )
    const earliest = Math.floor(Date.now() / QUARTER_MS)
    await arrived([uuid], -30 * 24)
    await arrived([uuid], 0)
    const [row] = await seen()
    expect(row).toMatchObject({ isPast: true, sum: 6 })
    expect([earliest, earliest + 1]).toContain(row?.quarter)
    await database.statement(
      `update system_arrivals set last_at = now() + interval '30 days', quarter = quarter + 2880 where system_uuid = $1::uuid`,
      [uuid],
    )
    await arrived([uuid], 2)
    const [corrected] = await seen()
    expect(corrected).toMatchObject({ isPast: true, sum: 3 })
    expect([earliest, earliest + 1]).toContain(corrected?.quarter)
  })

  it('counts what two processes saw of a system, whoever writes first', async () => {
    const uuid = await made('Seen twice')
    const at = Date.now()
    const [one, other] = [at - 40 * 60_000, at].map(
      (time) => new SystemArrivals({ database, now: () => new Date(time) }),
    )
    const domainId = server.context.domain.id
    one?.note(domainId, [[uuid, 2]])
    other?.note(domainId, [[uuid, 5]])
    await other?.flush()
    await one?.flush()
    const [row] = await database.rows(
      { quarter: INT8, sum: INT8 },
      `select quarter, (select sum(c) from unnest(counts) c)::int8 as sum from system_arrivals where system_uuid = $1::uuid`,
      [uuid],
    )
    expect(row).toStrictEqual({ quarter: Math.floor(at / QUARTER_MS), sum: 7 })
  })
})

const form = (values: { readonly [key: string]: string }) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [`metadata ${key}`, value]))

describe('metadata', () => {
  it('of a system has a field for each declared key, is stored by its type, and is told where it is wrong', async () => {
    const uuid = await made('With metadata')
    const path = `/systems/${uuid}/metadata`
    const shown = await operator.get(path)
    for (const { key } of METADATA_TYPES.slice(0, 5)) expect(shown.text).toContain(`name="metadata ${key}"`)
    expect(shown.text).toContain('On the plate.')
    const values = {
      'serial-number': 'A-1',
      built: '2001-02-03T00:00:00Z',
      flats: '12',
      area: '81.5',
      'is-listed': 'true',
    }
    expect(await operator.post(path, form(values))).toMatchObject({ status: 303, location: `/systems/${uuid}` })
    expect((await findSystem(server.context, EVERYWHERE, uuid))?.metadataKeyValueStore).toStrictEqual([
      { key: 'area', value: { float: 81.5 } },
      { key: 'built', value: { timestamp: '2001-02-03T00:00:00Z' } },
      { key: 'flats', value: { integer: 12 } },
      { key: 'is-listed', value: { boolean: true } },
      { key: 'serial-number', value: { string: 'A-1' } },
    ])
    const wrong = await operator.post(path, form({ flats: 'many', 'serial-number': 'A-2' }))
    expect(wrong.status).toBe(422)
    expect(wrong.text).toMatch(/value="many"[\s\S]{0,400}write a whole number/)
    expect(wrong.text).toContain('value="A-2"')
    const more = { ...form({ flats: '' }), 'metadata-new-key': 'colour', 'metadata-new-value': 'red' }
    expect((await operator.post(path, more)).status).toBe(303)
    const { text } = await operator.get(`/systems/${uuid}`)
    expect(text).toMatch(/colour[\s\S]*red/)
    expect(text).not.toContain('<code>flats</code>')
  })

  it('that must be unique and is not is told at its field', async () => {
    const [first, second] = [await made('First'), await made('Second')]
    await operator.post(`/systems/${first}/metadata`, form({ 'serial-number': 'X-7' }))
    const refused = await operator.post(`/systems/${second}/metadata`, form({ 'serial-number': 'X-7', flats: '3' }))
    expect(refused.status).toBe(409)
    expect(refused.text).toMatch(/value="X-7"[\s\S]{0,400}problem[\s\S]{0,200}already used/)
    expect(refused.text).toContain('value="3"')
  })

  it('of components, records and users is changed, and what is below a record stays', async () => {
    const system = await made('Has a component')
    const [component] = await createComponents(server.context, EVERYWHERE, [
      { system, componentModel: 'pump', name: 'Pump' },
    ])
    const another = { 'metadata-new-key': 'note', 'metadata-new-value': 'left' }
    expect((await operator.post(`/components/${component?.uuid}/metadata`, another)).status).toBe(303)
    expect((await operator.get(`/systems/${system}`)).text).toMatch(/<code>note<\/code> left/)
    const lindenhof = '/metadata/organizations/lindenhof'
    expect((await operator.get(lindenhof)).text).toContain('are managed from Git')
    expect((await operator.post(lindenhof, form({ region: 'north' }))).status).toBe(303)
    expect(await findRecord(server.context, EVERYWHERE, 'organizations', 'lindenhof/house-1')).not.toBeNull()
    expect((await operator.get('/model/organizations/lindenhof')).text).toMatch(/region[\s\S]*north/)
    expect((await operator.get('/metadata/organizations/lindenhof%2Fhouse-1')).status).toBe(404)
    expect((await operator.get(`/metadata/users/${ANN.email}`)).status).toBe(404)
    expect((await operator.post(`/users/${ANN.email}/metadata`, form({ 'cost-centre': '42' }))).status).toBe(303)
    expect((await operator.get(`/users/${ANN.email}`)).text).toMatch(/cost-centre[\s\S]*42/)
  })
})

describe('people', () => {
  it('who are not in the model are invited, and marked as what Git does not have', async () => {
    const invited = await operator.follow('/users/new', {
      email: 'dora@example.org',
      name: 'Dora',
      organization: 'lindenhof',
    })
    expect(invited.cookies).toStrictEqual(['holdfast-console-once='])
    const [, link = ''] = /login\/password\?link=([\w-]{43})/.exec(invited.text) ?? []
    expect((await fetch(`${server.url}/login/password?link=${link}`)).status).toBe(200)
    await operator.post('/users/dora@example.org', { act: 'revoke-link' })
    expect((await fetch(`${server.url}/login/password?link=${link}`)).status).toBe(404)
    expect((await operator.get('/users')).text).toMatch(
      /Dora[\s\S]{0,300}by operator, not in Git[\s\S]{0,200}lindenhof/,
    )
    expect((await operator.post('/users/new', { email: 'dora@example.org' })).text).toContain('exists already')
    const saved = await operator.post('/users/dora@example.org', { act: 'save', name: 'Dora D', organization: '' })
    expect(saved.status).toBe(303)
    await operator.post('/users/dora@example.org', { act: 'deactivate' })
    expect((await operator.get('/users/dora@example.org')).text).toMatch(/Dora D[\s\S]*deactivated[\s\S]*Activate/)
    expect(server.log.filter((line) => /user (created|deactivated)/.test(line))).toHaveLength(2)
  })

  it('are found with the units and systems of their organization', async () => {
    const uuid = await made('In house 1', { organizationUnit: 'lindenhof/house-1' })
    const { text } = await operator.get('/organizations/lindenhof')
    expect(text).toMatch(/House 1[\s\S]*cy@example.org[\s\S]*In house 1/)
    expect((await operator.get('/organizations/lindenhof%2Fhouse-1')).text).toContain(uuid)
    expect((await operator.get('/organizations/nowhere')).status).toBe(404)
  })
})

it('the search finds systems, records, people and programs by name or key, in a fixed number of statements', async () => {
  await made('Findable house')
  const before = database.statements.length
  const { text } = await operator.get('/search?q=FINDABLE')
  const statements = database.statements.length - before
  expect(text).toContain('Findable house')
  const mid = database.statements.length
  expect((await operator.get('/search?q=e')).text).toMatch(/<h2>Systems<[\s\S]*ann@example\.org/)
  expect(database.statements.length - mid).toBe(statements)
  expect((await operator.get('/search?q=trusted')).text).toContain('/application-consumers/trusted')
  expect((await operator.get('/search?q=lindenhof')).text).toContain('/organizations/lindenhof')
  expect((await operator.get('/search?q=nothing+like+this')).text).toContain('Nothing has it in its name or key.')
  expect((await operator.get(`/search?q=${'x'.repeat(201)}`)).text).toContain('at most 200 characters')
  expect((await operator.get('/search')).status).toBe(200)
})
