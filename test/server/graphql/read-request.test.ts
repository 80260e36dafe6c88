import { expect, it, vi } from 'vitest'
import type { ServerContext } from '../../../src/server/graphql/handler.ts'

vi.mock('graphql', async (importOriginal) => {
  const original = await importOriginal<typeof import('graphql')>()
  return { ...original, parse: vi.fn(original.parse) }
})

const { parse } = await import('graphql')
const { graphqlHandler } = await import('../../../src/server/graphql/handler.ts')
const { readRequest } = await import('../../../src/server/graphql/read-request.ts')

const handle = graphqlHandler({ info: () => undefined, error: () => undefined })

async function answer(query: string): Promise<unknown> {
  const asked = readRequest(Buffer.from(JSON.stringify({ query })))
  const response = await handle({ asked, traceId: '0', accept: undefined } as ServerContext)
  return response.json()
}

it('a query is parsed once, for its weight and for its answer', async () => {
  expect(await answer('{ __typename }')).toEqual({ data: { __typename: 'Query' } })
  expect(parse).toHaveBeenCalledTimes(1)
})

it('a query that cannot be parsed is refused with the place, and not parsed again', async () => {
  vi.mocked(parse).mockClear()
  expect(await answer('{ a(')).toMatchObject({ errors: [{ locations: [{ line: 1, column: 5 }] }] })
  expect(parse).toHaveBeenCalledTimes(1)
})
