import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { singular } from '../../src/server/graphql/names.ts'
import { recordType, RECORD_TYPES } from '../../src/records/registry.ts'
import { ANY_DATABASE, SAMPLED_DATABASES } from '../support/databases.ts'
import { everything, operationOn } from './graphql-text.ts'
import { RECORD_EXAMPLES, type RecordExample } from './record-examples.ts'
import { startTestServer, type TestServer } from './test-server.ts'

describe.each(SAMPLED_DATABASES)('records of every type through GraphQL on $name', ({ openMigrated }) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(await openMigrated())
  })
  afterAll(() => server.close())

  async function run(
    root: 'query' | 'mutation',
    field: string,
    definition: string,
    args: object,
  ): Promise<{ [field: string]: unknown }> {
    const query = operationOn(root, field, Object.keys(args), everything(definition))
    return (await server.data<{ [field: string]: { [field: string]: unknown } }>(query, args))[field] ?? {}
  }

  it.each(RECORD_EXAMPLES)('$type: create', async (example) => {
    const { definition, secret } = recordType(example.type)
    const created = await run('mutation', `create${definition}`, definition, createArguments(example))
    const { [secret ?? '']: _, organizationUnits: __, email, ...fields } = example.input
    expect(created).toMatchObject({
      ...fields,
      recordKey: example.key,
      ...(typeof email === 'string' && { email: email.toLowerCase() }),
    })
    expect(created['createdAt']).toBe(created['updatedAt'])
  })

  it.each(RECORD_EXAMPLES)('$type: create again is a conflict', async (example) => {
    const { definition } = recordType(example.type)
    const args = createArguments(example)
    const { errors } = await server.graphql(
      operationOn('mutation', `create${definition}`, Object.keys(args), '{ recordKey }'),
      args,
    )
    expect(errors).toMatchObject([{ path: [`create${definition}`], extensions: { code: 'CONFLICT' } }])
  })

  it.each(RECORD_EXAMPLES.filter(({ patch }) => patch !== null))('$type: update', async ({ type, identity, patch }) => {
    const { definition } = recordType(type)
    const before = await run('query', singular(recordType(type)), definition, identity)
    const updated = await run('mutation', `update${definition}`, definition, { ...identity, input: patch })
    const { updatedAt: _, ...rest } = before
    expect(updated).toMatchObject({ ...rest, ...patch })
  })

  it.each(RECORD_EXAMPLES)('$type: read', async ({ type, identity, key }) => {
    const { definition, name } = recordType(type)
    const one = await run('query', singular(recordType(type)), definition, identity)
    expect(one).toMatchObject({ recordKey: key })
    const many = await server.data<{
      [list: string]: { edges: readonly { node: object; cursor: string }[]; totalCount: number }
    }>(
      operationOn(
        'query',
        name,
        ['filter'],
        `{ edges { cursor node ${everything(definition)} } totalCount pageInfo { endCursor hasNextPage } }`,
      ),
      { filter: { recordKeys: [key] } },
    )
    const cursor = many[name]?.edges[0]?.cursor
    expect(many[name]).toStrictEqual({
      edges: [{ cursor, node: one }],
      totalCount: 1,
      pageInfo: { endCursor: cursor, hasNextPage: false },
    })
  })

  it('no client secret is ever read again', async () => {
    const [client] = RECORD_TYPES.filter(({ secretKind }) => secretKind === 'client-secret')
    const { name = '', secret = '' } = client ?? {}
    const list = await server.data<{ [list: string]: { nodes: readonly object[] } }>(
      `{ ${name} { nodes { ${secret} } } }`,
    )
    expect(list[name]?.nodes).toStrictEqual([{ [secret]: null }])
  })

  it.each(RECORD_EXAMPLES.toReversed())('$type: delete', async ({ type, identity, key }) => {
    const { definition } = recordType(type)
    expect(await run('mutation', `delete${definition}`, definition, identity)).toMatchObject({ recordKey: key })
    expect(
      await server.data(
        operationOn('query', singular(recordType(type)), Object.keys(identity), '{ recordKey }'),
        identity,
      ),
    ).toStrictEqual({
      [singular(recordType(type))]: null,
    })
    const { errors } = await server.graphql(
      operationOn('mutation', `delete${definition}`, Object.keys(identity), '{ recordKey }'),
      identity,
    )
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }])
  })
})

/** Only the client's create takes its fields one by one (specification, section 4). */
function createArguments({ type, input }: RecordExample): object {
  return recordType(type).secretKind === 'client-secret' ? input : { input }
}

describe('a list of records', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer(await ANY_DATABASE.openMigrated())
    for (const code of ['d', 'a', 'c', 'e', 'b']) {
      await server.data(
        `mutation ($code: String!) { createService(input: {code: $code, name: "Service", status: ${code === 'c' ? 'ARCHIVED' : 'ACTIVATED'}}) { recordKey } }`,
        { code },
      )
    }
  })
  afterAll(() => server.close())

  interface Page {
    readonly services: {
      readonly nodes: readonly { readonly code: string }[]
      readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean }
      readonly totalCount: number
    }
  }

  const list = (args: string) =>
    server.data<Page>(`{ services(${args}) { nodes { code } totalCount pageInfo { endCursor hasNextPage } } }`)
  const codes = ({ services }: Page) => services.nodes.map(({ code }) => code).join('')

  it.each([
    ['orderBy: {by: KEY}', 'abcde'],
    ['orderBy: {by: KEY, direction: DESC}', 'edcba'],
    ['orderBy: {by: CREATED_AT}', 'daceb'],
    ['filter: {status: [ARCHIVED]}', 'c'],
    ['filter: {recordKeys: ["a", "e", "x"]}', 'ae'],
    ['filter: {search: "SERV"}', 'abcde'],
    ['filter: {search: "%"}', ''],
  ])('%s', async (args, expected) => {
    const page = await list(args)
    expect(codes(page)).toBe(expected)
    expect(page.services.totalCount).toBe(expected.length)
  })

  it('goes on after a cursor until the end', async () => {
    const first = await list('first: 2')
    const second = await list(`first: 2, after: "${first.services.pageInfo.endCursor}"`)
    const third = await list(`first: 2, after: "${second.services.pageInfo.endCursor}"`)
    expect([first, second, third].map(codes)).toStrictEqual(['ab', 'cd', 'e'])
    expect([first, second, third].map(({ services }) => services.pageInfo.hasNextPage)).toStrictEqual([
      true,
      true,
      false,
    ])
  })

  it.each([
    ['first: 1001', 'LIMIT_EXCEEDED', /at most 1000/],
    ['first: -1', 'BAD_USER_INPUT', /negative/],
    ['after: "x"', 'BAD_USER_INPUT', /cursor/],
    ['filter: {search: "\\u0000"}', 'BAD_USER_INPUT', /U\+0000/],
    ['filter: {recordKeys: ["\\u0000"]}', 'BAD_USER_INPUT', /U\+0000/],
  ])('refuses %s', async (args, code, message) => {
    const { errors } = await server.graphql(`{ services(${args}) { totalCount } }`)
    expect(errors).toMatchObject([{ message: expect.stringMatching(message) as string, extensions: { code } }])
  })
})
