import { expect, test } from 'vitest'
import { requestBody, WrittenJson } from '../../src/client/request-body.ts'

const chunksOf = (variables: { readonly [name: string]: unknown }) => [...requestBody('query Q { a }', variables)]

const bytes = (text: string) => new TextEncoder().encode(text)

test('variables are written, or taken as they are', () => {
  const variables = {
    a: { text: '°' },
    left: undefined,
    b: new WrittenJson(() => [bytes('[1,'), bytes('2]')]),
    c: null,
  }
  const body = Buffer.concat(chunksOf(variables)).toString()
  expect(JSON.parse(body)).toEqual({ query: 'query Q { a }', variables: { a: { text: '°' }, b: [1, 2], c: null } })
})

test('a request without variables', () => {
  expect(JSON.parse(Buffer.concat(chunksOf({})).toString())).toEqual({ query: 'query Q { a }', variables: {} })
})

test('small pieces go together, and a large one is not copied', () => {
  const large = bytes(`"${'x'.repeat(1_000_000)}"`)
  const many = Array.from({ length: 100_000 }, () => bytes('"ten bytes",'))
  const pieces = [bytes('['), ...many, large, bytes(']')]
  const chunks = chunksOf({ list: new WrittenJson(() => pieces) })
  expect(chunks.length).toBeLessThan(100)
  expect(chunks).toContain(large)
  expect(JSON.parse(Buffer.concat(chunks).toString()).variables.list).toHaveLength(100_001)
})
