import { describe, expect, it } from 'vitest'
import { expectHeadersOfEveryAnswer } from './test-server.ts'
import { server, useServer } from './one-server.ts'

useServer()

describe('a GraphQL request that cannot be read', () => {
  it.each<[what: string, body: string | Uint8Array, message: RegExp]>([
    ['not JSON', '{', /not valid JSON/],
    ['not UTF-8', Buffer.from('{"query":"\xff"}', 'latin1'), /not valid UTF-8/],
    ['no object', '[]', /JSON object/],
    ['without a query', '{}', /member query/],
    ['with a query that is no text', '{"query":1}', /member query/],
    ['with variables that are no object', '{"query":"{a}","variables":[]}', /variables/],
    ['with variables that are a list', '{"query":"{a}","variables":[]}', /variables must be an object/],
    ['with an operationName that is no text', '{"query":"{a}","operationName":1}', /operationName/],
    [
      'with a whole number that no double holds',
      '{"query":"{a}","variables":{"a":12345678901234567890}}',
      /12345678901234567890 at "a"/,
    ],
    ['with a number beyond all doubles', '{"query":"{a}","variables":{"a":[1e400]}}', /1e400/],
    [
      'that says something twice',
      '{"query":"{a}","variables":{"a":[{"b":1,"\\u0062":2}]}}',
      /an object in the body has "b" twice/,
    ],
    ['with a parameter that nobody knows', '{"query":"{a}","access_token":"x"}', /access_token/],
  ])('%s', async (_, body, message) => {
    const answer = await server.call({ body })
    expect(answer.status).toBe(400)
    expect(answer.json).toStrictEqual({
      errors: [
        {
          message: expect.stringMatching(message) as string,
          extensions: { code: 'BAD_USER_INPUT', traceId: answer.headers['x-trace-id'] },
        },
      ],
    })
    expectHeadersOfEveryAnswer(answer)
  })

  it.each([
    ['a long query', `{ currentDomain { name } } # ${'x'.repeat(100_000)}`, /at most 100000/],
    [
      'brackets in brackets',
      `{ currentDomain { name(of: ${'['.repeat(2_400)}${']'.repeat(2_400)}) } }`,
      /nested more than 200/,
    ],
    ['many tokens', `{ currentDomain { ${'name '.repeat(5_000)} } }`, /5000 tokens/],
    [
      'many fields',
      `{ ${Array.from({ length: 51 }, (_, index) => `a${index}: currentDomain { name }`).join(' ')} }`,
      /51 fields/,
    ],
  ])('%s', async (_, query, message) => {
    const { errors, data } = await server.graphql(query)
    expect(data).toBeUndefined()
    expect(errors?.[0]?.message).toMatch(message)
  })
})
