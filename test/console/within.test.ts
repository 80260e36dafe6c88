import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROLES } from '../../src/auth/roles.ts'
import { createRecord, deleteRecord } from '../../src/platform/records/change-record.ts'
import { findRecord } from '../../src/platform/records/read-records.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { ACCESS, DOCUMENT_TYPE_NAMES } from '../../src/records/record-type.ts'
import { giveToken } from '../support/access.ts'
import { churnElsewhere } from '../support/churn-elsewhere.ts'
import { visitorWith } from '../support/console-visitor.ts'
import { ALL, BOUND_ROLES, startTwoCustomers, within, type Console } from './two-customers.ts'

// The console as somebody sees it whose role counts within one organization: another one does not exist, neither in what
// is shown nor in what is answered to forms.

/** The page of a record is of any type, and many look at others from here. */
const KEYS = [
  'organizations/amber/east',
  `users/${within('viewer')}`,
  'characteristics/temperature',
  'services/heating',
  'componentModels/boiler',
  'eventModels/alarm',
  'metadataTypes/SYSTEM/contract',
]

const SEARCHES = ['/search?q=a', '/search?q=house', '/systems?search=a', '/users?search=a', '/organizations?search=a']

let world: Console
beforeAll(async () => {
  world = await startTwoCustomers()
})
afterAll(() => world.server.close())

describe.each(BOUND_ROLES)('as %s within an organization', (held) => {
  it('somebody may see and do what the table says there', async () => {
    for (const { page, role, isWithin } of ALL) {
      const { status } = await world.ask(within(held), page)
      const isAllowed = isWithin && ROLES.indexOf(held) >= ROLES.indexOf(role)
      expect([page, status === 403 ? 'refused' : 'allowed']).toStrictEqual([page, isAllowed ? 'allowed' : 'refused'])
      expect([page, status < 500]).toStrictEqual([page, true])
    }
  })
})

it('somebody of a unit sees and changes what is of that unit, and nothing of the rest of its organization', async () => {
  const { server, customers } = world
  const email = 'una@amber.example'
  await createRecord(server.context, 'users', { email, organization: { alias: 'amber' } }, [])
  const una = await findRecord(server.context, EVERYWHERE, 'users', email)
  const visitor = visitorWith(server, await giveToken(server.context, { uuid: una?.uuid ?? '' }))
  const bind = (unit: string) =>
    createRecord(server.context, ACCESS, { role: 'editor', user: email, within: `amber/${unit}` }, [])
  const pages = ALL.flatMap(({ page, isWithin }) =>
    isWithin && page.startsWith('GET ') && page.includes(':uuid') ? [world.addressOf(page.slice(4))] : [],
  )
  const lists = ['/', '/systems', '/search?q=house', '/organizations', '/users']
  const { key } = await bind('east')
  for (const page of pages) expect([page, (await visitor.get(page)).status]).toStrictEqual([page, 200])
  expect((await visitor.get('/systems')).text).toContain('House of amber')
  await deleteRecord(server.context, ACCESS, key, [])
  await bind('west')
  for (const page of pages) expect([page, (await visitor.get(page)).status]).toStrictEqual([page, 404])
  for (const list of lists) {
    const { status, text } = await visitor.get(list)
    expect([list, status < 500, /House of amber|East of amber|basalt/.exec(text)?.[0] ?? null]).toStrictEqual([
      list,
      true,
      null,
    ])
  }
  const taken = { act: 'change', name: 'Taken', organizationUnit: 'amber/west' }
  expect((await visitor.post(`/systems/${customers.amber.system}`, taken)).status).toBe(404)
  const beyond = await visitor.post('/systems/new', { name: 'Too far', organizationUnit: 'amber/east' })
  const whole = await visitor.post('/systems/new', { name: 'Too far', organizationUnit: 'amber' })
  expect([beyond.location, whole.location]).toStrictEqual([null, null])
  const made = await visitor.post('/systems/new', { name: 'House of the west', organizationUnit: 'amber/west' })
  expect(made.location).toMatch(/^\/systems\//)
  expect((await visitor.get('/systems')).text).toContain('House of the west')
})

it('to somebody of an organization with nothing in it no page says that there is nothing at all', async () => {
  const { server } = world
  const email = 'una@cedar.example'
  await createRecord(server.context, 'organizations', { name: 'Cedar', alias: 'cedar' }, [])
  await createRecord(server.context, 'users', { email }, [])
  await createRecord(server.context, ACCESS, { role: 'viewer', user: email, within: 'cedar' }, [])
  const una = await findRecord(server.context, EVERYWHERE, 'users', email)
  const visitor = visitorWith(server, await giveToken(server.context, { uuid: una?.uuid ?? '' }))
  const said = {
    '/': 'No system that you may see has sent anything yet.',
    '/systems': 'There is no system that you may see yet.',
    '/systems?search=House': 'No system that you may see has “House” in its name.',
    '/users': 'There are no users that you may see yet.',
    '/organizations': 'Cedar',
    '/model/users': 'There are no users that you may see yet.',
    '/model/users?search=amber': 'No key or name of users that you may see contains “amber”.',
    '/model/organizations': '1 record that you may see.',
    '/search?q=House': 'Nothing that you may see has it in its name or key.',
    '/model/dataSources': 'There are no dataSources yet.',
  }
  for (const [address, words] of Object.entries(said))
    expect([address, (await visitor.get(address)).text.replaceAll(/\s+/g, ' ')]).toStrictEqual([
      address,
      expect.stringContaining(words),
    ])
  // What somebody of a unit does not have is what they are not shown, until their role does not count there any more.
  await deleteRecord(server.context, ACCESS, `viewer/user/${email}/within/cedar`, [])
  await createRecord(server.context, ACCESS, { role: 'viewer', user: email }, [])
  expect((await visitor.get('/search?q=nowhere')).text).toContain('Nothing has it in its name or key.')
  await deleteRecord(server.context, 'users', email, [])
  await deleteRecord(server.context, 'organizations', 'cedar', [])
})

it('somebody whose role to change counts elsewhere is offered no change', async () => {
  const { server, customers } = world
  const email = 'eve@amber.example'
  await createRecord(server.context, 'users', { email }, [])
  await createRecord(server.context, ACCESS, { role: 'viewer', user: email }, [])
  await createRecord(server.context, ACCESS, { role: 'editor', user: email, within: 'amber' }, [])
  const eve = await findRecord(server.context, EVERYWHERE, 'users', email)
  const visitor = visitorWith(server, await giveToken(server.context, { uuid: eve?.uuid ?? '' }))
  const offered = async ({ system }: { readonly system: string }) => {
    const texts = ['', '/events', '/setpoints', '/analyse'].map((part) => visitor.get(`/systems/${system}${part}`))
    const found = (await Promise.all(texts)).map(({ text }) => text).join('')
    return ['Archive…', 'Add component', '/metadata"', 'Record event', 'Set a value'].filter((one) =>
      found.includes(one),
    )
  }
  expect(await offered(customers.amber)).toStrictEqual([
    'Archive…',
    'Add component',
    '/metadata"',
    'Record event',
    'Set a value',
  ])
  expect(await offered(customers.basalt)).toStrictEqual([])
  expect((await visitor.post(`/systems/${customers.basalt.system}`, { act: 'archive' })).status).toBe(404)
  await deleteRecord(server.context, 'users', email, [])
})

it('a stream of Analyse ends when the grant is taken back, and says so', async () => {
  const stop = new AbortController()
  const live = world.addressOf('/systems/:uuid/analyse/live')
  const stream = await world.visitor(within('viewer')).open(live, stop.signal)
  expect(stream.status).toBe(200)
  await deleteRecord(world.server.context, ACCESS, `viewer/user/${within('viewer')}/within/amber`, [])
  expect(await stream.text()).toMatch(/event: ended\ndata: ".*viewer/)
})

const editor = () => world.visitor(within('editor'))

/** All that can be looked at, one address for each kind of thing. */
function addresses(): readonly string[] {
  const paths = ALL.flatMap(({ page, isWithin }) => (isWithin && page.startsWith('GET ') ? [page.slice(4)] : []))
  return [
    ...paths.map((path) => world.addressOf(path)),
    ...DOCUMENT_TYPE_NAMES.map((type) => `/model/${type}`),
    ...KEYS.map((key) => `/model/${key}`),
    ...SEARCHES,
  ]
}

describe('another organization', () => {
  it('is nowhere, and what is asked for by its name is not there', async () => {
    for (const address of addresses()) {
      const { text } = await editor().get(address)
      expect([address, /basalt/i.exec(text)?.index ?? null]).toStrictEqual([address, null])
    }
    for (const { page } of ALL.filter(({ page, isWithin }) => isWithin && page.includes(':uuid')))
      for (const customer of [world.customers.basalt, world.customers.nobody]) {
        const { status } = await world.ask(within('editor'), page, customer)
        expect([page, status]).toStrictEqual([page, 404])
      }
    const foreign = [
      'model/access',
      'organizations/basalt',
      'model/organizations/basalt/east',
      'model/users/ben@basalt.example',
    ]
    for (const path of foreign) expect([path, (await editor().get(`/${path}`)).status]).toStrictEqual([path, 404])
    expect((await editor().get('/search?q=house')).text).toContain('House of amber')
  })

  it('changes nothing of what is shown, whatever happens there', async () => {
    const looks = await lookAtAll()
    await churnElsewhere(world.server.context, world.customers)
    expect(await lookAtAll()).toStrictEqual(looks)
  })
})

/** What each page shows, without what changes as time goes on. */
async function lookAtAll(): Promise<readonly (readonly [address: string, status: number, text: string])[]> {
  const looks = []
  for (const address of addresses()) {
    const { status, text } = await editor().get(address)
    looks.push([address, status, timeless(text)] as const)
  }
  return looks
}

const TIMES = [
  /<time[^>]*>[^<]*<\/time>/g,
  /Server time [\d:]+/g,
  /data-(?:window|now|after|nonce)="[^"]*"/g,
  /\?to=[^"&]*/g,
  /"(?:from|to|now)":\d+/g,
  // The number of the last flush, of whomever.
  /"after":"\w+"/g,
  // Its mask is another one in each form.
  /name="csrf" value="[^"]*"/g,
  /data-csrf="[^"]*"/g,
]

function timeless(text: string): string {
  return TIMES.reduce((rest, pattern) => rest.replace(pattern, ''), text)
}

interface Named {
  readonly unit: string
  readonly event: string
  readonly component: string
  readonly system: string
}

interface Sent {
  readonly to: string
  readonly fields: { readonly [name: string]: string }
}

/** Forms in which something is named. `own` is the system of who sends them. */
const FORMS: { readonly [what: string]: (named: Named, own: string) => Sent } = {
  'a new system of its unit': ({ unit }) => ({ to: '/systems/new', fields: { name: 'Mine', organizationUnit: unit } }),
  'an event that ends': ({ event }, own) => ({ to: `/systems/${own}/events`, fields: { act: 'end', event } }),
  'an event of its component': ({ component }, own) => ({
    to: `/systems/${own}/events`,
    fields: { eventModel: 'alarm', component },
  }),
  'a setpoint of its component': ({ component }, own) => ({
    to: `/systems/${own}/analyse/set?what=${encodeURIComponent(`${component}/heating/target`)}`,
    fields: { value: '22' },
  }),
  'metadata of its component': ({ component }) => ({ to: `/components/${component}/metadata`, fields: {} }),
  'its status': ({ system }) => ({ to: `/systems/${system}`, fields: { act: 'archive' } }),
}

const unknown = (): Named => ({
  unit: 'nowhere/east',
  event: crypto.randomUUID(),
  component: crypto.randomUUID(),
  system: crypto.randomUUID(),
})

describe('a form that names something of another organization', () => {
  it.each(Object.entries(FORMS))('is answered as if that did not exist: %s', async (_, form) => {
    const { amber, basalt } = world.customers
    const send = async (named: Named) => {
      const { to, fields } = form(named, amber.system)
      const { status, location, text } = await editor().post(to, fields)
      const shown = timeless(text).replace(/<code>[\da-f]{32}</, '')
      return { status, location, text: Object.values(named).reduce((rest, name) => rest.replaceAll(name, '…'), shown) }
    }
    const { alarm: event, component, system } = basalt
    const answer = await send({ unit: 'basalt/east', event, component, system })
    expect(answer).toStrictEqual(await send(unknown()))
    expect(answer.status).toBeGreaterThanOrEqual(400)
  })
})

/** Status, and where the browser is sent. */
async function post(path: string, fields = {}): Promise<readonly [number, string | null]> {
  const { status, location } = await editor().post(path, fields)
  return [status, location]
}

it('in their own organization an editor carries out every form', async () => {
  const [made, system] = await post('/systems/new', { name: 'Annexe', organizationUnit: 'amber/west' })
  expect(made).toBe(303)
  expect(await post(system ?? '', { act: 'add', componentModel: 'boiler', name: 'Small boiler' })).toStrictEqual([
    303,
    system,
  ])
  expect(await post(`${system}/analyse`)).toStrictEqual([200, null])
  expect(await post(`${system}/analyse/set`, { value: '22' })).toStrictEqual([303, `${system}/setpoints`])
  expect(await post(`${system}/events`, { act: 'add', eventModel: 'restart' })).toStrictEqual([303, `${system}/events`])
  const metadata = { 'metadata contract': 'amber-2' }
  expect(await post(`${system}/metadata`, metadata)).toStrictEqual([303, system])
  expect(await post(system ?? '', { act: 'archive' })).toStrictEqual([303, system])
})
