import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { createSystemCredential } from '../../../src/platform/systems/credentials.ts'
import { giveToken } from '../../support/access.ts'
import { countingDatabase, type CountingDatabase } from '../../support/counting-database.ts'
import { DATABASES } from '../../support/databases.ts'
import { applyAll } from '../../support/domain.ts'
import { contextOf, startTestServer, type TestServer } from '../test-server.ts'
import { makeGraph } from './graph-world.ts'

interface Page {
  readonly totalCount: number
  readonly nodes: readonly { readonly [field: string]: unknown }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string }
}

const characteristicsAfter = (after: string) => `{ service(code: "service-1") {
  characteristics(first: 1${after}) { totalCount nodes { code } pageInfo { hasNextPage endCursor } } } }`

const placeWith = (nodes: string) => `{ service(code: "service-1") {
  characteristics(first: 1) { ${nodes} pageInfo { hasNextPage startCursor endCursor } } } }`

const changesAfter = (after: string) => `{ applies(first: 100) { nodes {
  recordChanges(first: 15${after}) { totalCount nodes { key } pageInfo { hasNextPage endCursor } } } } }`

describe.each(DATABASES)('the graph on $name', ({ openMigrated }) => {
  let server: TestServer
  let database: CountingDatabase
  let context: DomainContext
  beforeAll(async () => {
    database = countingDatabase(await openMigrated())
    server = await startTestServer(database)
    context = contextOf(server)
    await makeGraph(server, context, 3)
  })
  afterAll(() => server.close())

  const statementsOf = async (query: string, variables?: object): Promise<number> => {
    await server.data(query, variables)
    const before = database.statements.length
    await server.data(query, variables)
    return database.statements.length - before
  }

  it('pages through a nested list by its cursors, and counts it on request only', async () => {
    const first = await server.data<{ service: { characteristics: Page } }>(characteristicsAfter(''))
    const { pageInfo, ...page } = first.service.characteristics
    expect(page).toEqual({ totalCount: 2, nodes: [{ code: 'target-1' }] })
    const second = await server.data<{ service: { characteristics: Page } }>(
      characteristicsAfter(`, after: "${pageInfo.endCursor}"`),
    )
    expect(second.service.characteristics).toMatchObject({
      nodes: [{ code: 'value-1' }],
      pageInfo: { hasNextPage: false },
    })
    const nodes = await statementsOf('{ services { nodes { characteristics { nodes { code } } } } }')
    const counted = await statementsOf('{ services { nodes { characteristics { totalCount nodes { code } } } } }')
    const alone = await statementsOf('{ services { nodes { characteristics { totalCount } } } }')
    expect([counted - nodes, nodes - alone]).toStrictEqual([1, 2])
  })

  it('finds the place where a nested list continues without reading its objects', async () => {
    const place = await server.data<{ service: { characteristics: Page } }>(placeWith(''))
    const page = await server.data<{ service: { characteristics: Page } }>(placeWith('nodes { code }'))
    expect(place.service.characteristics.pageInfo).toStrictEqual(page.service.characteristics.pageInfo)
    expect(await statementsOf(placeWith('nodes { code }'))).toBe((await statementsOf(placeWith(''))) + 2)
  })

  it('continues a nested list behind objects that are gone when they are read', async () => {
    const { systems } = await server.data<{ systems: { nodes: { uuid: string }[] } }>('{ systems { nodes { uuid } } }')
    const credentialsAfter = (after: string) => `{ system(uuid: "${systems.nodes[0]?.uuid}") {
      systemCredentials(first: 1${after}) { nodes { username } edges { cursor } pageInfo { hasNextPage endCursor } } } }`
    // A credential whose account is gone is not shown.
    await database.statement(
      `insert into system_credentials (domain_id, account_uuid, system_uuid, created_at)
       values ($1, gen_random_uuid(), $2, '2000-01-01')`,
      [context.domain.id, systems.nodes[0]?.uuid ?? null],
    )
    const first = await server.data<{ system: { systemCredentials: Page } }>(credentialsAfter(''))
    const { pageInfo, ...page } = first.system.systemCredentials
    expect([page, pageInfo.hasNextPage]).toStrictEqual([{ nodes: [], edges: [] }, true])
    const second = await server.data<{ system: { systemCredentials: Page } }>(
      credentialsAfter(`, after: "${pageInfo.endCursor}"`),
    )
    expect(second.system.systemCredentials.nodes).toEqual([{ username: expect.stringContaining('device-') }])
    await database.statement(`delete from system_credentials where created_at = '2000-01-01'`)
  })

  it('rejects the cursor of another list, and a page that is too long', async () => {
    const cursor = Buffer.from(JSON.stringify(['systems', 'name asc', 'a', crypto.randomUUID()])).toString('base64url')
    const { errors } =
      await server.graphql(`{ services { nodes { a: characteristics(after: "${cursor}") { nodes { code } }
      b: characteristics(first: 1001) { nodes { code } } } } }`)
    expect(errors?.map(({ message, path }) => [path?.slice(0, 3), path?.at(-1), message])).toEqual([
      [['services', 'nodes', 0], 'a', expect.stringContaining('after is no cursor of this list')],
      [['services', 'nodes', 0], 'b', expect.stringContaining('a page has at most 1000')],
    ])
  })

  it('finds an object of every type by its uuid', async () => {
    const { __schema: schema } = await server.data<{
      __schema: { types: { name: string; interfaces: object[] | null }[] }
    }>('{ __schema { types { name interfaces { name } } } }')
    const names = schema.types.filter(({ interfaces }) => (interfaces ?? []).length > 0).map(({ name }) => name)
    expect(names.length).toBeGreaterThan(20)
    const lists = await server.data<{ [list: string]: { nodes: { uuid: string; __typename: string }[] } }>(`{
      ${names
        .filter((name) => !['SystemCredential', 'DomainAuthenticationMethod'].includes(name))
        .map(
          (name) =>
            `${name}: ${name === 'ExternalIdentity' ? 'externalIdentities' : `${name.charAt(0).toLowerCase()}${name.slice(1)}s`.replace('applys', 'applies')} { nodes { uuid __typename } }`,
        )
        .join(' ')} }`)
    for (const { uuid, __typename: name } of Object.values(lists).flatMap(({ nodes }) => nodes.slice(0, 1))) {
      const { node } = await server.data(`{ node(uuid: "${uuid}") { uuid __typename } }`)
      expect(node).toStrictEqual({ uuid, __typename: name })
    }
    const empty = Object.entries(lists).filter(([, { nodes }]) => nodes.length === 0)
    expect(empty.map(([name]) => name)).toStrictEqual(['ApplicationConsumer', 'MetadataType', 'Deletion'])
    expect(await server.data(`{ node(uuid: "${crypto.randomUUID()}") { uuid } }`)).toStrictEqual({ node: null })
  })

  it('finds an object by its uuid also where somebody gave the uuid to another object', async () => {
    const { components } = await server.data<{ components: { nodes: { uuid: string; systemUuid: string }[] } }>(
      '{ components(first: 1) { nodes { uuid systemUuid } } }',
    )
    const { uuid = '', systemUuid = '' } = components.nodes[0] ?? {}
    await server.data(`mutation { createSystem(input: { uuid: "${uuid}", name: "Namesake" }) { uuid } }`)
    const token = await giveToken(context, await createSystemCredential(context, systemUuid), { scope: 'service' })
    const query = `{ node(uuid: "${uuid}") { uuid __typename } }`
    const { json } = await server.call({ body: JSON.stringify({ query }), authorization: `Bearer ${token}` })
    expect(json).toStrictEqual({ data: { node: { uuid, __typename: 'Component' } } })
  })

  it('shows the records that an apply changed, and the applies that changed a record', async () => {
    const { applies } = await server.data<{ applies: Page }>(`{ applies(first: 2) { nodes {
      recordChanges(first: 1) { totalCount nodes { type key action patch record { ... on DataSource { code } } apply { actor } }
        pageInfo { hasNextPage endCursor } } } } }`)
    const change = { type: 'dataSources', key: 'source-3', apply: { actor: 'tester' } }
    const pageInfo = { hasNextPage: false, endCursor: '1' }
    expect(applies.nodes).toMatchObject([
      {
        recordChanges: {
          totalCount: 1,
          nodes: [{ ...change, action: 'create', record: { code: 'source-3' } }],
          pageInfo,
        },
      },
      { recordChanges: { totalCount: 1, nodes: [{ ...change, action: 'delete', record: null }], pageInfo } },
    ])
    const { recordHistory } = await server.data<{ recordHistory: { changes: object[]; next: null } }>(
      '{ recordHistory(type: dataSources, recordKey: "source-3") { next changes { action apply { actor } } } }',
    )
    const by = { apply: { actor: 'tester' } }
    expect(recordHistory).toEqual({
      next: null,
      changes: ['create', 'delete', 'create'].map((action) => ({ action, ...by })),
    })
  })

  it('reads the history of a record once for all its aliases', async () => {
    const history = 'recordHistory(type: dataSources, recordKey: "source-3") { changes { key } }'
    const five = Array.from({ length: 5 }, (_, index) => `h${index}: ${history}`)
    expect(await statementsOf(`{ ${five.join(' ')} }`)).toBe(await statementsOf(`{ ${history} }`))
  })

  it('counts a page once for all its aliases', async () => {
    const one = '{ applies { totalCount } externalIdentities { totalCount } delegatedUsers { totalCount } }'
    const many = one.replaceAll('totalCount', 'totalCount a: totalCount b: totalCount')
    expect(await statementsOf(many)).toBe(await statementsOf(one))
  })

  it.each([
    ['organizations', 'systems { totalCount }'],
    ['components', 'system { components(first: 2) { nodes { name } } }'],
  ])('follows the same edge of %s once for all its aliases: %s', async (list, edge) => {
    const through = (edges: string) => statementsOf(`{ ${list} { nodes { ${edges} } } }`)
    expect(await through(`${edge} a: ${edge} b: ${edge}`)).toBe(await through(edge))
  })

  it('pages through the changes of an apply', async () => {
    const keys: unknown[] = []
    let page: Page | undefined
    do {
      const after = page === undefined ? '' : `, after: "${page.pageInfo.endCursor}"`
      const { applies } = await server.data<{ applies: { nodes: { recordChanges: Page }[] } }>(changesAfter(after))
      page = applies.nodes.at(-1)?.recordChanges
      keys.push(...(page?.nodes ?? []).map(({ key }) => key))
    } while (page?.pageInfo.hasNextPage === true)
    expect([keys.length, new Set(keys).size]).toStrictEqual([page?.totalCount, page?.totalCount])
    expect(keys.length).toBeGreaterThan(30)
  })

  it.each(['', '-1', '0x10', '1e2', '9007199254740990'])('rejects %j, which is no cursor of changes', async (after) => {
    const { errors } = await server.graphql(changesAfter(`, after: "${after}"`))
    expect(errors?.map(({ message, extensions }) => [message, extensions['code']])).toStrictEqual([
      ['after is no cursor of this list; give the endCursor of its last page', 'BAD_USER_INPUT'],
    ])
  })

  it('reports one error for an edge that fails, and leaves the rest of the answer', async () => {
    const { data, errors } = await server.graphql(
      '{ components { nodes { name latest { value } system(x: 1) { name } } } }',
    )
    expect([data, errors?.length]).toEqual([undefined, 1])
    const wrong = await server.graphql('{ components { nodes { name events(first: -1) { nodes { uuid } } } } }')
    expect(wrong.errors?.map(({ path }) => path)).toStrictEqual([['components', 'nodes', 0, 'events']])
    expect(wrong.data?.['components']).toMatchObject({
      nodes: [1, 2, 3].map((one) => ({ name: `Component ${one}`, events: null })),
    })
  })

  it('counts what edges load towards the largest answer', async () => {
    const long = `jsonb_build_object('description', repeat('x', 2000000))`
    const which = `where domain_id = $1 and type = 'componentModels'`
    await database.statement(`update records set body = body || ${long} ${which}`, [context.domain.id])
    const names = ['code', 'name', 'uuid', 'description', 'componentType', '__typename', 'code name', 'code uuid']
    const fields = names.map((name, index) => `m${index}: componentModelRecord { ${name} }`)
    const { errors } = await server.graphql(`{ components { nodes { ${fields.join(' ')} } } }`)
    expect(errors?.map(({ extensions }) => extensions['code'])).toContain('LIMIT_EXCEEDED')
    const { components } = await server.data<{ components: Page }>(
      '{ components { nodes { componentModelRecord { description } } } }',
    )
    expect(components.nodes).toHaveLength(3)
    await database.statement(`update records set body = body - 'description' ${which}`, [context.domain.id])
  })

  it('rejects a query that follows too many edges before it runs', async () => {
    const fields = Array.from({ length: 150 }, (_, index) => `e${index}: events { totalCount }`)
    const { errors } = await server.graphql(`{ systems { nodes { ${fields.join(' ')} } } }`)
    expect(errors?.map(({ message }) => message)).toStrictEqual([
      'the query is too large: it follows 151 edges, including the edges of its fragments, and at most 150 are allowed',
    ])
  })

  it.each([
    'subscription { events { events { system { name } } } }',
    'subscription { events { ...F } } fragment F on EventChanges { events { message ... { system { name } } } }',
  ])('rejects a subscription with an edge: %s', async (query) => {
    const { errors } = await server.graphql(query)
    expect(errors?.map(({ message, extensions }) => [message, extensions['code']])).toStrictEqual([
      [
        'a subscription does not follow the edge system; ask for it in a query, by the uuid in the message',
        'BAD_USER_INPUT',
      ],
    ])
    const others = 'subscription S { events { cursor } } query Q { events { nodes { system { name } } } }'
    expect(await server.graphql(others, {})).toMatchObject({
      errors: [{ message: expect.stringContaining('operation') as string }],
    })
  })

  it('counts the items of a list without `first` with all below them, before edges lead from them', async () => {
    const fields = Array.from({ length: 400 }, (_, index) => `f${index}: __typename`)
    // Less than the limit for one item, and more for all three.
    const query = `{ retention { characteristicRecord { services(first: 1000) { nodes { ${fields.join(' ')} } } } } }`
    const before = database.statements.length
    const result = await server.graphql(query)
    expect(result.data).toBeUndefined()
    expect(result.errors?.map(({ message }) => message)).toStrictEqual([
      expect.stringMatching(/it asks for up to \d+ values, and at most 1000000 are allowed/),
    ])
    expect(database.statements.slice(before).filter((text) => text.includes('owner.uuid'))).toStrictEqual([])
  })

  it('states the cost of a query that asks for too much before it runs', async () => {
    const before = database.statements.length
    const query = `{ systems(first: 1000) { nodes { components(first: 100) { nodes { events(first: 100) { nodes { uuid } } } } } } }`
    const { errors } = await server.graphql(query)
    expect(errors?.map(({ message }) => message)).toStrictEqual([
      'the query is too large: it asks for up to 20202001 values, and at most 1000000 are allowed; ask for less, such as a smaller first',
    ])
    expect(database.statements.slice(before).filter((text) => text.includes('systems'))).toStrictEqual([])
  })

  // This comes last, because it replaces the models.
  it('counts a long object once that many lists have in common', async () => {
    const componentModels = Array.from({ length: 20 }, (_, index) => {
      return { code: `shared-${index}`, name: 'Shared', componentType: 'DEVICE', services: [{ code: 'service-2' }] }
    })
    await applyAll(context, { componentModels })
    const which = `where domain_id = $1 and type = 'services' and key = 'service-2'`
    const long = `jsonb_build_object('description', repeat('x', 2000000))`
    await database.statement(`update records set body = body || ${long} ${which}`, [context.domain.id])
    const { componentModels: found } = await server.data<{ componentModels: { nodes: { services: Page }[] } }>(
      '{ componentModels { nodes { services { nodes { code } } } } }',
    )
    expect(found.nodes.map(({ services }) => services.nodes)).toStrictEqual(
      componentModels.map(() => [{ code: 'service-2' }]),
    )
  })
})
