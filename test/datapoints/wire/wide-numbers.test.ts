import { expect, it, vi } from 'vitest'
import { decodeJson } from '../../../src/datapoints/wire/wire.ts'

it.each([
  ['a text has many digits', '[{"value":"serial 1234567890123456789"}]', 1],
  ['a number has many digits', '[{"value":1234567890123456789}]', 2],
])('values are looked at one by one only if a number has many digits: %s', (_, body, given) => {
  const parse = vi.spyOn(JSON, 'parse')
  decodeJson(Buffer.from(body))
  expect(parse.mock.calls.map((one) => one.length)).toStrictEqual([given])
  parse.mockRestore()
})
