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

it('a query that cannot be parsed is refused with the place', async () => {
  expect(await answer(read('{ a('))).toMatchObject({ errors: [{ locations: [{ line: 1, column: 5 }] }] })
})
