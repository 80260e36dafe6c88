import { readFile } from 'node:fs/promises'
import { buildSchema, parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { fixedBearer } from '../../src/client/bearer.ts'
import { graphqlClient } from '../../src/client/graphql-client.ts'
import { CHANGE_RULES } from '../../src/reconcile/trust/trust-queries.ts'

/** A platform with another schema. It answers each query that does not fit the schema, as a server does. */
async function clientOf(change: (schema: string) => string) {
  const schema = buildSchema(change(await readFile('generated/schema.graphql', 'utf8')))
  const answer = (query: string) => {
    const errors = validate(schema, parse(query)).map(({ message }) => ({
      message,
      extensions: { code: 'BAD_USER_INPUT', traceId: 'x' },
    }))
    return Response.json(errors.length === 0 ? { data: {} } : { errors }, { status: errors.length === 0 ? 200 : 400 })
  }
  return graphqlClient({
    url: 'https://acme.example.com/',
    bearer: fixedBearer('token'),
    fetch: async (request) => answer(((await request.json()) as { query: string }).query),
    signal: new AbortController().signal,
    now: Date.now,
  })
}

const given = { uuid: 'a', rules: [], before: [] }

test('a command that needs a newer platform says so', async () => {
  const request = await clientOf((schema) => schema.replace('rulesBefore:', 'other:'))
  await expect(request(CHANGE_RULES, given)).rejects.toThrow(
    /Unknown argument "rulesBefore".*the platform is older than this command line: update the platform/,
  )
})

test('a command that fits the platform is carried out', async () => {
  const request = await clientOf((schema) => schema)
  expect(await request(CHANGE_RULES, given)).toStrictEqual({})
})
