import { expect, test } from 'vitest'
import { fixedBearer } from '../../src/client/bearer.ts'
import { graphqlClient } from '../../src/client/graphql-client.ts'

const requestWith = (answer: object) =>
  graphqlClient({
    url: 'https://acme.example.com/',
    bearer: fixedBearer('token'),
    fetch: () => Promise.resolve(Response.json(answer)),
    signal: new AbortController().signal,
    now: Date.now,
  })

test('an answer with data and errors is an error, and its data is not used', async () => {
  const errors = [{ message: 'there is no right', path: ['b'], extensions: { code: 'FORBIDDEN', traceId: 'x' } }]
  const request = requestWith({ data: { a: { name: 'A' }, b: null }, errors })
  await expect(request('{ a { name } b { name } }', {})).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: 'there is no right',
  })
})

test('an answer with data alone is the result', async () => {
  expect(await requestWith({ data: { a: null } })('{ a }', {})).toStrictEqual({ a: null })
})
