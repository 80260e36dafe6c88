import { expect, it } from 'vitest'
import { PlainLists } from '../../../src/server/graphql/plain-lists.ts'
import { graphqlHandler, type ServerContext } from '../../../src/server/graphql/requests/handler.ts'
import type { Database } from '../../../src/db/sql.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import {
  contextFor,
  isHeavy,
  readRequest,
  type GraphqlRequest,
} from '../../../src/server/graphql/requests/read-request.ts'

const handle = graphqlHandler({ info: () => undefined, error: () => undefined })

const read = (query: string) => readRequest(Buffer.from(JSON.stringify({ query })))

async function answer(asked: GraphqlRequest): Promise<unknown> {
  const response = await handle({ asked, traceId: '0', accept: undefined, lists: new PlainLists() } as ServerContext)
  return response.json()
}

it('what a query was parsed to for its weight is answered, so that it is parsed once', async () => {
  const otherParams = { query: '{ neither parsed nor answered', operationName: null, variables: null }
  const otherText = { ...read('{ __typename }'), takeParams: () => otherParams }
  expect(await answer(otherText)).toEqual({ data: { __typename: 'Query' } })
})

const isKept = (text: string) => read(text).query === read(text).query

it('the same text is not parsed again, unless it is long or others came since', () => {
  const short = read('{ me { name } }').query
  expect(read('{ me { name } }').query).toBe(short)
  expect(isKept(`{ me { name } } # ${'x'.repeat(4_000)}`)).toBe(false)
  for (let index = 0; index < 15; index++) read(`{ me { name${index} } } # ${'x'.repeat(3_000)}`)
  expect(read('{ me { name } }').query).not.toBe(short)
})

it('a query is not kept where it has a text, which may be secret', () => {
  expect(isKept('mutation { createUser(input: { email: "a@b.example", password: "secret" }) { uuid } }')).toBe(false)
})

it('a query that cannot be parsed is refused with the place', async () => {
  expect(await answer(read('{ a('))).toMatchObject({ errors: [{ locations: [{ line: 1, column: 5 }] }] })
})

/** The status and the codes of an answer, for a client that accepts this. */
async function statusOf(asked: GraphqlRequest, accept?: string): Promise<unknown> {
  const response = await handle({ asked, traceId: '0', accept, lists: new PlainLists() } as ServerContext)
  const { errors } = (await response.json()) as { readonly errors: { extensions: { code: string } }[] }
  return [response.status, ...errors.map(({ extensions }) => extensions.code)]
}

it.each([
  ['a wrong syntax', { query: '{ a(' }, 200, 'BAD_USER_INPUT'],
  ['an unknown field', { query: '{ nothing }' }, 200, 'BAD_USER_INPUT'],
  ['a variable of another type', { query: 'query ($n: Int) { __typename @skip(if: $n) }' }, 200, 'BAD_USER_INPUT'],
  [
    'a wrong value',
    { query: 'query ($n: Boolean!) { __typename @skip(if: $n) }', variables: { n: 1 } },
    400,
    'BAD_USER_INPUT',
  ],
  [
    'a variable that is not given',
    { query: 'query ($n: Boolean!) { __typename @skip(if: $n) }' },
    400,
    'BAD_USER_INPUT',
  ],
  ['an unknown operation', { query: 'query a { __typename }', operationName: 'b' }, 400, 'BAD_USER_INPUT'],
  ['a body without a query', {}, 400, 'BAD_USER_INPUT'],
  ['a member that no request has', { query: '{ __typename }', variabels: {} }, 400, 'BAD_USER_INPUT'],
  ['too many fields', { query: `{ ${'__typename '.repeat(51)} }` }, 400, 'LIMIT_EXCEEDED'],
  ['too many tokens', { query: `{ ${'a '.repeat(5_000)} }` }, 400, 'LIMIT_EXCEEDED'],
  ['too many brackets', { query: '{ a '.repeat(201) }, 400, 'LIMIT_EXCEEDED'],
  ['too long a text', { query: `{ a } # ${'a'.repeat(100_000)}` }, 400, 'LIMIT_EXCEEDED'],
] as const)('%s is answered as docs/api.md says', async (_, body, status, code) => {
  const asked = () => readRequest(Buffer.from(JSON.stringify(body)))
  expect(await statusOf(asked())).toEqual([status, code])
  expect(await statusOf(asked(), 'application/graphql-response+json')).toEqual([400, code])
})

it.each([
  ['{ latestDatapoints(systems: ["u"]) { system { name } } }', true],
  ['{ components(first: 200) { nodes { system { latest { value } } } } }', true],
  ['{ ...F } fragment F on Query { latestDatapoints(systems: ["u"]) { system { name } } }', true],
  ['{ components { nodes { latest { value } } } }', false],
  ['{ latestDatapoints(systems: ["u"]) { value } }', false],
])('a query whose edges multiply a list of unknown length does not block others: %s', (query, isExpected) => {
  expect(isHeavy(read(query))).toBe(isExpected)
})

/** How many connections are in use at once where each field of a request needs one. */
async function connectionsOf(query: string): Promise<number> {
  let [used, most] = [0, 0]
  const read = async () => {
    most = Math.max(most, (used += 1))
    await new Promise(setImmediate)
    used -= 1
  }
  const database = { read, transaction: read, rows: read, statement: read } as unknown as Database
  const { database: given } = contextFor(
    { database } as DomainContext,
    readRequest(Buffer.from(JSON.stringify({ query }))),
  )
  const ways = [given.read, given.transaction, given.rows, given.statement] as unknown as (() => Promise<void>)[]
  await Promise.all(Array.from({ length: 50 }, (_, index) => (ways[index % ways.length] ?? read)()))
  return most
}

it('a query takes few of the connections at once, also edges of a mutation, and its fields none but their own', async () => {
  const fields = Array.from({ length: 50 }, (_, index) => `a${index}: me { login }`).join(' ')
  expect(await connectionsOf(`{ ${fields} }`)).toBe(3)
  const edges = Array.from({ length: 50 }, (_, index) => `a${index}: components { nodes { uuid } }`).join(' ')
  expect(await connectionsOf(`mutation { updateSystem(uuid: "u", input: {}) { ${edges} } }`)).toBe(3)
  const mutation = read('mutation { a: b c: b d: b e: b }')
  const context = {} as DomainContext
  expect(contextFor(context, mutation)).toBe(context)
})

it('a query sends no further statements once its client has disconnected, but a mutation completes', async () => {
  const leaving = new AbortController()
  const database = { rows: () => Promise.resolve([]) } as unknown as Database
  const of = (query: string) => contextFor({ database, left: leaving.signal } as DomainContext, read(query)).database
  const [query, mutation] = [of('{ systems { nodes { name } } }'), of('mutation { a: b { system { name } } }')]
  await expect(query.rows({}, 'select', [])).resolves.toEqual([])
  leaving.abort()
  await expect(query.rows({}, 'select', [])).rejects.toThrow('the client has disconnected')
  await expect(mutation.rows({}, 'select', [])).resolves.toEqual([])
})
