import { expect, it } from 'vitest'
import { SCHEMA } from '../../src/server/graphql/schema.ts'
import { server, useServer } from './one-server.ts'
import { callsWithText } from './sample-arguments.ts'
import type { GraphqlAnswer } from './test-server.ts'

useServer()

async function ask(query: string, variables: object = {}): Promise<GraphqlAnswer> {
  return (await server.call({ body: JSON.stringify({ query, variables }) })).json as GraphqlAnswer
}

it('no error repeats a long text, whichever argument has it', async () => {
  const fields = [
    ...Object.values(SCHEMA.getQueryType()?.getFields() ?? {}).map((field) => ['query', field] as const),
    ...Object.values(SCHEMA.getMutationType()?.getFields() ?? {}).map((field) => ['mutation', field] as const),
  ]
  const calls = fields.flatMap(([root, field]) => callsWithText(root, field, 'x'.repeat(3_000)))
  const wrong: string[] = []
  for (const query of calls) {
    const { errors } = await ask(query)
    if (JSON.stringify(errors ?? []).includes('x'.repeat(300))) wrong.push(query.replaceAll(/x{300,}/g, '…'))
  }
  expect(wrong).toStrictEqual([])
  expect(calls.length).toBeGreaterThan(200)
})

it('the errors of fifty fields that share a long text are small', async () => {
  const fields = Array.from({ length: 50 }, (_, index) => `a${index}: updateSystem(uuid: $u, input: {}) { uuid }`)
  const answer = await ask(`mutation ($u: ID!) { ${fields.join(' ')} }`, { u: 'x'.repeat(900_000) })
  expect(answer.errors).toHaveLength(50)
  expect(JSON.stringify(answer).length).toBeLessThan(30_000)
})
