import { expect, it } from 'vitest'
import { graphqlHandler, type ServerContext } from '../../../src/server/graphql/requests/handler.ts'
import type { Database } from '../../../src/db/sql.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { contextFor, readRequest, type GraphqlRequest } from '../../../src/server/graphql/requests/read-request.ts'

const handle = graphqlHandler({ info: () => undefined, error: () => undefined })

const read = (query: string) => readRequest(Buffer.from(JSON.stringify({ query })))

async function answer(asked: GraphqlRequest): Promise<unknown> {
  const response = await handle({ asked, traceId: '0', accept: undefined } as ServerContext)
  return response.json()
}

it('what a query was parsed to for its weight is answered, so that it is parsed once', async () => {
  const otherText = { ...read('{ __typename }'), takeParams: () => ({ query: '{ neither parsed nor answered' }) }
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

it('a query takes few of the connections at once, and a mutation none but its own', async () => {
  const fields = Array.from({ length: 50 }, (_, index) => `a${index}: me { login }`).join(' ')
  expect(await connectionsOf(`{ ${fields} }`)).toBe(3)
  const mutation = read('mutation { a: b c: b d: b e: b }')
  const context = {} as DomainContext
  expect(contextFor(context, mutation)).toBe(context)
})
