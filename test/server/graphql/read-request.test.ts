import { expect, it } from 'vitest'
import { graphqlHandler, type ServerContext } from '../../../src/server/graphql/handler.ts'
import { readRequest, type GraphqlRequest } from '../../../src/server/graphql/read-request.ts'

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
