import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getNamedType, getNullableType, isLeafType, isListType, isObjectType, isRequiredArgument } from 'graphql'
import type { GraphQLField, GraphQLNamedType, GraphQLObjectType } from 'graphql'
import { SCHEMA } from '../../src/server/graphql/schema.ts'
import { giveToken, makeMachine } from '../support/access.ts'
import { POSTGRES } from '../support/databases.ts'
import { makeFleet, uuidOf } from '../support/fleet.ts'
import { isLong } from '../support/runs.ts'
import { costingDatabase, type StatementCost } from '../support/statement-costs.ts'
import { contextOf, startTestServer, TOKEN, type TestServer } from './test-server.ts'

// What grows with the fleet although the answer does not. Of everything there are so many: systems, components, events,
// setpoints, users, sessions, applies and so on.

const FLEETS = isLong ? ([10_000, 100_000] as const) : ([1_000, 10_000] as const)
/** Trees of indexes become higher, and a plan may change. */
const MORE_BLOCKS = 50
/** The least of so many runs is what a request costs: the first ones of a connection read the catalog, too. */
const RUNS = 3
const FILLING_MS = 300_000

/** What lists are asked for where the schema wants an argument. A list that wants one and is not here has no test. */
const ARGUMENTS: { readonly [list: string]: string } = {
  sessionsOf: `account: "${uuidOf('user')}"`,
  consentsOf: `account: "${uuidOf('user')}"`,
  latestDatapoints: `components: ["${uuidOf('component')}"]`,
  systemCredentials: `system: "${uuidOf('system')}"`,
}

/** What grows, and why it may. */
const GROWING: { readonly [what: string]: string } = {
  refusedDatapoints: 'all of a domain are sorted by their time, and a domain keeps no more than 10,000 of them',
  'a part of the name of a system': 'no index finds a part of a text behind row level security (docs/decisions/0071)',
  'a part of the name of a component': 'as that of a system',
}

/** Lists that are not looked at, and why. */
const LEFT_OUT: { readonly [list: string]: string } = {
  passwordLinks: 'it asks for the account of each link that is open, of which there are few, and has no pages',
}

const fieldsOf = (type: GraphQLObjectType | null | undefined) => Object.values(type?.getFields() ?? {})

/** What is of no type of its own, such as the changes of an apply, is stored apart. */
const isShown = (type: GraphQLNamedType): boolean => isLeafType(type) && type.name !== 'JSON'

/** All leaves of what a field has, and those of the nodes of a page. */
function selectionOf(field: Pick<GraphQLField<unknown, unknown>, 'type'>): string {
  const type = getNamedType(field.type)
  if (!isObjectType(type)) return ''
  const own = fieldsOf(type).filter(({ args }) => !args.some(isRequiredArgument))
  const nodes = own.find(({ name }) => name === 'nodes')
  if (nodes !== undefined) return `{ nodes ${selectionOf(nodes)} pageInfo { hasNextPage endCursor } }`
  return `{ ${own.flatMap((one) => (isShown(getNamedType(one.type)) ? [one.name] : [])).join(' ') || '__typename'} }`
}

const LISTS = fieldsOf(SCHEMA.getQueryType()).filter(
  ({ name, type }) =>
    LEFT_OUT[name] === undefined &&
    (isListType(getNullableType(type)) || getNamedType(type).name.endsWith('Connection')),
)

const listQuery = (field: GraphQLField<unknown, unknown>): string => {
  const given = ARGUMENTS[field.name]
  return `{ ${field.name}${given === undefined ? '' : `(${given})`} ${selectionOf(field)} }`
}

const NODES = '{ nodes { uuid } }'
const [system, component, event] = [uuidOf('system'), uuidOf('component'), uuidOf('event')]
const SERIAL = 'metadata: [{ key: "serial", value: "S-42" }]'
const SMALL = 'organizationUnits: ["small"]'

const LOOK_UPS: { readonly [what: string]: string } = {
  'a system': `{ system(uuid: "${system}") { name } }`,
  'a component': `{ component(uuid: "${component}") { name supports { service } } }`,
  'an event': `{ event(uuid: "${event}") { message } }`,
  'a setpoint': `{ setpoint(uuid: "${uuidOf('pending')}") { state } }`,
  'a user': '{ user(email: "user-42@example.org") { name } }',
  'systems by uuid': `{ systems(filter: { uuids: ["${system}"] }) ${NODES} }`,
  'systems of a small organization, counted': `{ systems(filter: { ${SMALL} }) { totalCount nodes { uuid } } }`,
  'components of a small organization, counted': `{ components(filter: { ${SMALL} }) { totalCount nodes { uuid } } }`,
  'events of a small organization, counted': `{ events(filter: { ${SMALL} }) { totalCount nodes { uuid } } }`,
  'components of a system, counted': `{ components(filter: { systems: ["${system}"] }) { totalCount nodes { uuid } } }`,
  'events of a component': `{ events(filter: { components: ["${component}"] }) ${NODES} }`,
  'open setpoints of a system': `{ setpoints(filter: { systems: ["${system}"], states: [PENDING] }) ${NODES} }`,
  'a system by its serial, counted': `{ systems(filter: { ${SERIAL} }) { totalCount nodes { uuid } } }`,
  'a component by its serial, counted': `{ components(filter: { ${SERIAL} }) { totalCount nodes { uuid } } }`,
  'an event by its serial, counted': `{ events(filter: { ${SERIAL} }) { totalCount nodes { uuid } } }`,
  'a serial that nothing has': '{ systems(filter: { metadata: [{ key: "serial", value: "none" }] }) { totalCount } }',
  'what a system has, by its edges': `{ system(uuid: "${system}") { components ${NODES} events { totalCount } setpoints ${NODES} organizationUnitRecord { name } } }`,
  'any object by its uuid': `{ node(uuid: "${event}") { uuid } }`,
  'an organization of many systems, by the edge':
    '{ organization(recordKey: "company") { systems { nodes { uuid } } } }',
  'a part of the name of a system': '{ systems(filter: { search: "none" }) { nodes { uuid } } }',
  'a part of the name of a component': '{ components(filter: { search: "none" }) { nodes { uuid } } }',
}

const METADATA = 'metadataKeyValueStore: [{ key: "serial", value: "new" }]'

const WRITES: { readonly [what: string]: string } = {
  createSystem: `mutation { createSystem(input: { name: "New", organizationUnit: "company", ${METADATA} }) { name } }`,
  updateSystem: `mutation { updateSystem(uuid: "${uuidOf('system', 7)}", input: { name: "Other", ${METADATA} }) { name } }`,
  createComponent: `mutation { createComponent(input: { system: "${system}", componentModel: "sensor", name: "New" }) { name } }`,
  createEvent: `mutation { createEvent(input: { eventModel: "alarm", component: "${component}" }) { message } }`,
}

interface Cost {
  readonly blocks: number
  /** The characters of the answer. */
  readonly answer: number
  readonly statements: readonly StatementCost[]
}

interface CostedServer {
  readonly server: TestServer
  costOf(query: string): Promise<Cost>
}

async function startServer(many: number): Promise<CostedServer> {
  const database = costingDatabase(await POSTGRES.openMigrated())
  const fleet = await makeFleet({ openMigrated: () => Promise.resolve(database), analyze: '' }, many)
  // As the database does by itself.
  await database.script('vacuum analyze')
  const server = await startTestServer(database)
  const access = contextOf(server)
  const own = { ...access, domain: fleet.context.domain }
  await giveToken(own, await makeMachine(own, 'operator'), { token: TOKEN })
  return {
    server,
    async costOf(query) {
      let least: Cost | undefined
      for (let run = 0; run < RUNS; run++) {
        let answer = 0
        const statements = await database.costsOf(async () => {
          answer = JSON.stringify(await server.data(query, {}, 'local.example.org')).length
        })
        const blocks = statements.reduce((sum, one) => sum + one.blocks, 0)
        if (least === undefined || blocks < least.blocks) least = { blocks, answer, statements }
      }
      if (least === undefined) throw new Error('nothing was run')
      return least
    },
  }
}

describe(`of ${FLEETS.join(' and ')} systems`, () => {
  let servers: readonly CostedServer[]
  beforeAll(async () => {
    servers = await Promise.all(FLEETS.map(startServer))
  }, FILLING_MS)
  afterAll(() => Promise.all(servers.map(({ server }) => server.close())))

  it('each list of the schema has the arguments that it wants', () => {
    const wanting = LISTS.filter(({ name, args }) => args.some(isRequiredArgument) && ARGUMENTS[name] === undefined)
    expect(wanting.map(({ name }) => name)).toStrictEqual([])
    const known = [...LISTS.map(({ name }) => name), ...Object.keys({ ...LOOK_UPS, ...WRITES })]
    expect(Object.keys({ ...ARGUMENTS, ...GROWING }).filter((name) => !known.includes(name))).toStrictEqual([])
  })

  it.each([
    ...LISTS.map((field) => [field.name, listQuery(field)] as const),
    ...Object.entries({ ...LOOK_UPS, ...WRITES }),
  ])('%s reads no more blocks of the larger fleet', async (what, query) => {
    const [small, large] = [await servers[0]?.costOf(query), await servers[1]?.costOf(query)]
    if (small === undefined || large === undefined) throw new Error('there are two servers')
    const may = 2 * small.blocks * Math.max(1, large.answer / small.answer) + MORE_BLOCKS
    const grows = large.blocks > may
    const costs = [small, large].map(({ statements }) => statements.toSorted((a, b) => b.blocks - a.blocks)[0])
    expect({ grows, costs }).toStrictEqual({ grows: GROWING[what] !== undefined, costs })
  })
})
