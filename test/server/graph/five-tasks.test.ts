import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countingDatabase, type CountingDatabase } from '../../support/counting-database.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { contextOf, startTestServer, type TestServer } from '../test-server.ts'
import { makeGraph } from './graph-world.ts'

// What programs show most often, each by one request. The statements include those that enter the domain and take
// locks, and do not grow with the data.

const MANY = 3
/** Another transaction can send its statements meanwhile, so the least of some runs counts. */
const RUNS = 3

const TASKS = {
  'the page of a device': {
    query: `query ($component: ID!) { component(uuid: $component) {
      name status
      system { name organizationUnitRecord { name parent { name } } }
      componentModelRecord { name componentType services { nodes { name } } }
      supports { serviceName characteristicName dataType symbol }
      latest { timestamp value symbol characteristicRecord { name } }
      setpoints(first: 5) { nodes { value state characteristicRecord { name } } }
      events(first: 5) { nodes { at message eventModelRecord { code } } }
      refusedDatapoints(first: 5) { nodes { code count } } } }`,
    statements: 48,
  },
  'the overview of an organization': {
    query: `{ organization(recordKey: "company-1") {
      name
      organizationUnits { nodes { name systems { totalCount } } }
      users { totalCount nodes { email } }
      grants { nodes { role } }
      systems { totalCount nodes { name status components { totalCount } events(first: 1) { nodes { at message } } } } } }`,
    statements: 30,
  },
  'a dashboard of twenty latest values': {
    query: `query ($components: [ID!]) { latestDatapoints(components: $components) {
      timestamp value symbol component { name } system { name } serviceRecord { name } characteristicRecord { name } } }`,
    statements: 23,
  },
  'the history of a record': {
    query: `{ characteristic(code: "value-1") { name dataType services { nodes { name } } }
      recordHistory(type: characteristics, recordKey: "value-1") { next changes { action patch apply { at actor origin } } } }`,
    statements: 14,
  },
  'a new device': {
    query: `mutation ($new: ID!) {
      createSystem(input: { uuid: $new, name: "New" }) { uuid }
      createComponents(input: [{ uuid: $new, system: $new, componentModel: "model-1", name: "Sensor" }]) {
        uuid supports { serviceUuid characteristicUuid }
      }
      createSystemCredential(system: $new) { username password } }`,
    statements: 29,
  },
} as const

describe.each(SAMPLED_DATABASES)('what programs show, by one request on $name', ({ openMigrated }) => {
  let server: TestServer
  let database: CountingDatabase
  let variables: { readonly component: string; readonly components: readonly string[]; readonly new: string }
  beforeAll(async () => {
    database = countingDatabase(await openMigrated())
    server = await startTestServer(database)
    await makeGraph(server, contextOf(server), MANY)
    const { components } = await server.data<{ components: { nodes: { uuid: string }[] } }>(
      '{ components { nodes { uuid } } }',
    )
    const uuids = components.nodes.map(({ uuid }) => uuid)
    variables = { component: uuids[0] ?? '', components: uuids, new: crypto.randomUUID() }
  })
  afterAll(() => server.close())

  it.each(Object.entries(TASKS))('%s', async (_, { query, statements }) => {
    let least = Infinity
    let data: unknown
    for (let run = 0; run < RUNS; run++) {
      const before = database.statements.length
      data = await server.data(query, variables)
      least = Math.min(least, database.statements.length - before)
    }
    expect(least).toBe(statements)
    expect(JSON.stringify(data)).not.toMatch(/"(?:nodes|latest|supports|changes|latestDatapoints)":\[\]/)
  })
})
