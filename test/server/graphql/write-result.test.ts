import { GraphQLError } from 'graphql'
import { expect, it } from 'vitest'
import { MOST_ANSWER_BYTES } from '../../../src/platform/answer-budget.ts'
import { writeResult } from '../../../src/server/graphql/requests/write-result.ts'

const ASKED = { weight: null }
const HALF = 'x'.repeat(MOST_ANSWER_BYTES / 2)

function failed(field: string, message: string, details?: readonly unknown[]): GraphQLError {
  return new GraphQLError(message, { path: [field], extensions: { code: 'CONFLICT', ...(details && { details }) } })
}

it('shortens errors that would displace the data', async () => {
  const errors = [failed('b', HALF), failed('c', 'short', [HALF]), failed('d', 'short')]
  const written = await writeResult({ errors, data: { a: 'secret', b: null } }, ASKED)
  const ending = '… (shortened, because the errors of this answer are too large)'
  expect(JSON.parse(Buffer.from(written).toString())).toStrictEqual({
    errors: [
      { message: `${'x'.repeat(200)}${ending}`, path: ['b'], extensions: { code: 'CONFLICT' } },
      { message: `short${ending}`, path: ['c'], extensions: { code: 'CONFLICT' } },
      { message: 'short', path: ['d'], extensions: { code: 'CONFLICT' } },
    ],
    data: { a: 'secret', b: null },
  })
})

it('refuses errors without data that are too large, and leaves others whole', async () => {
  const whole = await writeResult({ errors: [failed('a', HALF)] }, ASKED)
  expect(whole.length).toBeGreaterThan(HALF.length)
  const large = { errors: [failed('a', HALF), failed('b', HALF)] }
  await expect(writeResult(large, ASKED)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
})
