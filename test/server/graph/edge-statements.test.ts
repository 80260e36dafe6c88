import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countingDatabase, type CountingDatabase } from '../../support/counting-database.ts'
import { SAMPLED_DATABASES, type DatabaseKind } from '../../support/databases.ts'
import { contextOf, startTestServer, type TestServer } from '../test-server.ts'
import { edgesOfSchema, isList, queryOf, valuesAt, type SchemaEdge } from './edges.ts'
import { makeGraph } from './graph-world.ts'

const MANY = 12
/** Two transactions that enter the domain, a list with its count, and its objects. Latest datapoints take a lock, too. */
const MOST_OF_EDGE = 5
const MOST_OF_LATEST = 15
const FILLING_MS = 300_000
/** Another transaction can send its statements meanwhile, so the least of some runs counts. */
const RUNS = 3

interface CountedServer {
  readonly server: TestServer
  readonly database: CountingDatabase
  readonly values: { readonly [name: string]: string }
}

async function startServer({ openMigrated }: Pick<DatabaseKind, 'openMigrated'>, many: number): Promise<CountedServer> {
  const database = countingDatabase(await openMigrated())
  const server = await startTestServer(database)
  const context = contextOf(server)
  await makeGraph(server, context, many)
  const { components } = await server.data<{ components: { nodes: { uuid: string }[] } }>(
    '{ components(filter: { search: "Component 1" }, first: 1) { nodes { uuid } } }',
  )
  const values = { component: components.nodes[0]?.uuid ?? '', service: 'service-1', characteristic: 'value-1' }
  return { server, database, values }
}

/** The statements that an edge adds to a query, and the number of objects that it leads to. */
async function ask({ server, database, values }: CountedServer, edge: SchemaEdge) {
  const least = { plain: Infinity, all: Infinity }
  let data: unknown
  for (let run = 0; run < RUNS; run++) {
    const before = database.statements.length
    await server.data(queryOf(edge, values, false))
    const between = database.statements.length
    data = await server.data(queryOf(edge, values))
    least.plain = Math.min(least.plain, between - before)
    least.all = Math.min(least.all, database.statements.length - between)
  }
  const statements = least.all - least.plain
  const found = valuesAt([...edge.path, edge.field], data).flatMap((value) =>
    isList(edge.field) ? itemsOf(value) : [value],
  )
  return { statements, found: found.filter((value) => value !== null && value !== undefined).length }
}

function itemsOf(page: unknown): unknown[] {
  const nodes: unknown = typeof page === 'object' && page !== null ? Reflect.get(page, 'nodes') : []
  return Array.isArray(nodes) ? nodes : []
}

/** Edges that lead from few objects, whatever the number of others, and why. */
const FROM_FEW: { readonly [edge: string]: string } = {
  'HeldRole.withinRecord': 'an account has few roles',
  'GithubActionsTrust.applyMachineUserRecord': 'a domain trusts one repository',
  'GithubActionsTrust.planMachineUserRecord': 'a domain trusts one repository',
}

describe.each(SAMPLED_DATABASES)('the edges of GraphQL on $name', (kind) => {
  let few: CountedServer
  let many: CountedServer
  beforeAll(async () => {
    ;[few, many] = await Promise.all([startServer(kind, 1), startServer(kind, MANY)])
  }, FILLING_MS)
  afterAll(() => Promise.all([few.server.close(), many.server.close()]))

  it.each(edgesOfSchema().map((edge) => [edge.name, edge] as const))(
    '%s takes as many statements for many objects as for one',
    async (name, edge) => {
      const [ofFew, ofMany] = [await ask(few, edge), await ask(many, edge)]
      expect({ name, statements: ofMany.statements }).toStrictEqual({ name, statements: ofFew.statements })
      expect(ofMany.statements).toBeLessThanOrEqual(edge.field.name === 'latest' ? MOST_OF_LATEST : MOST_OF_EDGE)
      const least = edge.path[0]?.args.some((arg) => arg.name === 'component' || arg.name === 'recordKey') ? 1 : 2
      expect({ name, found: ofMany.found >= (FROM_FEW[name] === undefined ? least : 1) }).toStrictEqual({
        name,
        found: true,
      })
    },
  )

  it('takes a fixed number of statements for each selected edge of several levels', async () => {
    const query = `{ organizations(first: 100) { nodes { systems(first: 3) { nodes { components(first: 3) { totalCount nodes {
      componentModelRecord { services(first: 3) { nodes { characteristics(first: 3) { nodes { setpoints(first: 3) { nodes { component { name } } } } } } } }
      latest { characteristicRecord { name } } } } } } } } }`
    const counts = []
    for (const { server, database } of [few, many]) {
      let least = Infinity
      for (let run = 0; run < RUNS; run++) {
        const before = database.statements.length
        await server.data(query)
        least = Math.min(least, database.statements.length - before)
      }
      counts.push(least)
    }
    expect(counts[1]).toBe(counts[0])
    expect(counts[0]).toBeLessThan(60)
  })
})
