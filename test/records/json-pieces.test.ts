import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonPieces } from '../../src/lib/json-pieces.ts'

it('the pieces of a value are the text that JSON.stringify makes of it', () => {
  const values = fc.jsonValue({ maxDepth: 4 })
  const large = fc
    .tuple(fc.array(values, { maxLength: 5 }), fc.integer({ min: 0, max: 5_000 }))
    .map(([some, count]) => ({
      list: Array.from({ length: count }, (_, index) => some[index % some.length] ?? index),
      some,
    }))
  fc.assert(
    fc.property(fc.oneof(values, large, fc.array(large, { maxLength: 4 })), (value) => {
      expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value))
    }),
  )
})

it('members that JSON does not have are left out, and others say themselves how they are written', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => ({ index, none: undefined }))
  const value = { at: new Date(0), none: undefined, many, list: [undefined, new Date(1)] }
  expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value))
})

it('no piece has more than some thousand values or the characters of one text', () => {
  const points = Array.from({ length: 50_000 }, (_, index) => ({
    timestamp: new Date(index).toISOString(),
    value: index,
  }))
  const pieces = [...jsonPieces({ data: { a: { points }, b: ['x'.repeat(1_000_000)] } })]
  expect(pieces.filter((piece) => piece.length > 200_000).map(({ length }) => length)).toStrictEqual([1_000_002])
  expect(pieces.length).toBeGreaterThan(20)
})
