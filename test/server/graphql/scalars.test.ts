import fc from 'fast-check'
import { parseValue } from 'graphql'
import { describe, expect, it } from 'vitest'
import importDocumentSchema from '../../../schemas/import-document.schema.json' with { type: 'json' }
import { DATE_TIME, INTEGER, JSON_VALUE } from '../../../src/server/graphql/scalars.ts'

describe('JSON', () => {
  it('is passed through as the same object', () => {
    const value = { a: [1, { b: null }] }
    expect(JSON_VALUE.parseValue(value)).toBe(value)
    expect(JSON_VALUE.serialize(value)).toBe(value)
  })

  it.each(['9223372036854775807', '[{a: 0.12345678901234567890}]'])('%s in a query would lose digits', (text) => {
    expect(() => JSON_VALUE.parseLiteral(parseValue(text))).toThrow('cannot be kept exactly')
  })

  it('can be written in a query', () => {
    expect(JSON_VALUE.parseLiteral(parseValue('{a: [1, 2.5, "x", true, null], b: $c}'), { c: 4 })).toEqual({
      a: [1, 2.5, 'x', true, null],
      b: 4,
    })
  })
})

describe('Integer', () => {
  it('is every whole number that JavaScript has exactly', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(INTEGER.parseValue(value)).toBe(value)
        expect(INTEGER.parseLiteral(parseValue(String(value)))).toBe(value)
      }),
    )
  })

  it.each([1.5, 2 ** 53, Number.NaN, '1', true, null])('is not %s', (value) => {
    expect(() => INTEGER.parseValue(value)).toThrow('whole number')
  })

  it.each(['1.5', '"1"', 'true', '9007199254740992'])('is not written %s', (text) => {
    expect(() => INTEGER.parseLiteral(parseValue(text))).toThrow('whole number')
  })

  it('answers every whole number that a document may have', () => {
    const fields = integerFields(importDocumentSchema)
    expect(fields.length).toBeGreaterThan(2)
    for (const [name, { minimum, maximum }] of fields)
      expect([name, INTEGER.serialize(minimum), INTEGER.serialize(maximum)]).toStrictEqual([name, minimum, maximum])
  })
})

interface SchemaPart {
  readonly type?: string | readonly string[]
  readonly minimum?: number
  readonly maximum?: number
}

/** The parts of a schema that are an Integer in GraphQL, by their names. One that may be a text too is JSON there. */
function integerFields(schema: object): readonly (readonly [name: string, part: SchemaPart])[] {
  return Object.entries(schema).flatMap(([name, part]: [string, unknown]) => {
    if (typeof part !== 'object' || part === null) return []
    const { type }: SchemaPart = part
    const types = [type ?? []].flat()
    return types.includes('integer') && !types.includes('string') ? [[name, part]] : integerFields(part)
  })
}

it('a moment is written in UTC', () => {
  expect(DATE_TIME.serialize(new Date(0))).toBe('1970-01-01T00:00:00.000Z')
})
