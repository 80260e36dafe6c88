import { buildSchema, graphqlSync } from 'graphql'
import { expect, it } from 'vitest'
import { answerError } from '../../../src/server/graphql/requests/answer-errors.ts'

// Values may be secrets in the wrong shape. A new release of graphql-js that quotes one in other words fails here.

const schema = buildSchema(`
  enum Mode { ON OFF }
  input Inner { count: Int! mode: Mode text: String inner: Inner list: [Float!] }
  type Query { a(inner: Inner, count: Int, mode: Mode, text: String, flag: Boolean, id: ID, list: [Int!]): Int }
`)

function answersTo(source: string, variableValues?: { readonly [name: string]: unknown }): string[] {
  const { errors = [] } = graphqlSync({ schema, source, ...(variableValues && { variableValues }) })
  return errors.map((error) => answerError(error, '0').error.message)
}

it.each<[value: unknown, message: string]>([
  ['hush', 'Variable "$v": Expected type "Inner" to be an object.'],
  [['hush'], 'Variable "$v": Expected type "Inner" to be an object.'],
  [{ count: 'hush' }, 'Variable "$v" at "v.count": Int cannot represent non-integer value.'],
  [{ count: 'hush at "v.hush"; ' }, 'Variable "$v" at "v.count": Int cannot represent non-integer value.'],
  [{ count: null }, 'Variable "$v" at "v.count": Expected non-nullable type "Int!" not to be null.'],
  [{ text: 'hush' }, 'Variable "$v": Field "count" of required type "Int!" was not provided.'],
  [{ count: 1, mode: 'hush' }, 'Variable "$v" at "v.mode": The value does not exist in "Mode" enum.'],
  [{ count: 1, mode: { hush: 1 } }, 'Variable "$v" at "v.mode": Enum "Mode" cannot represent non-string value.'],
  [{ count: 1, text: { x: 'hush' } }, 'Variable "$v" at "v.text": String cannot represent a non string value.'],
  [{ count: 1, list: [0, 'hush'] }, 'Variable "$v" at "v.list[1]": Float cannot represent non numeric value.'],
  [{ count: 1, inner: { count: 'hush' } }, 'Variable "$v" at "v.inner.count": Int cannot represent non-integer value.'],
])('a variable %j is refused with its place and without its value', (value, message) => {
  expect(answersTo('query ($v: Inner) { a(inner: $v) }', { v: value })).toStrictEqual([message])
})

it('a variable that is a text at the end of a path is still a value', () => {
  expect(answersTo('query ($v: Int) { a(count: $v) }', { v: 'x at "v.hush"' })).toStrictEqual([
    'Variable "$v": Int cannot represent non-integer value.',
  ])
})

it.each([
  ['a(count: "hush")', 'Int cannot represent non-integer value.'],
  ['a(count: hush)', 'Int cannot represent non-integer value.'],
  ['a(text: [hush])', 'String cannot represent a non string value.'],
  ['a(flag: "hush")', 'Boolean cannot represent a non boolean value.'],
  ['a(id: { hush: 1 })', 'ID cannot represent a non-string and non-integer value.'],
  ['a(list: ["hush"])', 'Int cannot represent non-integer value.'],
  ['a(mode: "hush")', 'Enum "Mode" cannot represent non-enum value.'],
  ['a(mode: hush)', 'The value does not exist in "Mode" enum.'],
  ['a(inner: "hush")', 'Expected value of type "Inner", found another value.'],
  ['a(inner: { count: "hush" })', 'Int cannot represent non-integer value.'],
  ['a "hush"', 'Syntax Error: Expected Name, found String.'],
  ['a(text: "" """hush""")', 'Syntax Error: Expected Name, found BlockString.'],
  ['a(text: "hush', 'Syntax Error: Unterminated string.'],
  [String.raw`a(text: "\uhush")`, 'Syntax Error: Invalid Unicode escape sequence.'],
])('{ %s } is refused without its value', (selection, message) => {
  expect(answersTo(`{ ${selection} }`)).toStrictEqual([message])
})
