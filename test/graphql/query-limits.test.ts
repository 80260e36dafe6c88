import { buildSchema, getIntrospectionQuery, parse, Source, specifiedRules, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { QUERY_LIMITS, QueryLimitsRule, refuseDeep } from '../../src/graphql/query-limits.ts'

const schema = buildSchema('type Query { a: Query b: Int }')

function errorsOf(query: string): readonly string[] {
  return validate(schema, parse(query), [QueryLimitsRule]).map(({ message }) => message)
}

const nested = (levels: number): string => `{ ${'a { '.repeat(levels - 1)} b ${'} '.repeat(levels - 1)} }`
/** A value in so many brackets, those around it included. */
const bracketed = (levels: number) => new Source(`{ b(of: ${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}) }`)
const wide = (fields: number): string => Array.from({ length: fields }, (_, index) => `f${index}: b`).join(' ')

describe('a query', () => {
  it('may be as deep and as wide as the limits say', () => {
    expect(errorsOf(nested(QUERY_LIMITS.depth))).toStrictEqual([])
    expect(errorsOf(`{ ${wide(QUERY_LIMITS.operations)} }`)).toStrictEqual([])
  })

  it('may ask for the schema, which is nested deeper than anything else', () => {
    expect(validate(schema, parse(getIntrospectionQuery()), [...specifiedRules, QueryLimitsRule])).toStrictEqual([])
  })

  it('may not be deeper', () => {
    expect(errorsOf(nested(QUERY_LIMITS.depth + 1))).toStrictEqual([
      'the query is too large: its fields are nested 16 deep, and at most 15 levels are allowed',
    ])
  })

  it('may not be wider', () => {
    expect(errorsOf(`{ ${wide(QUERY_LIMITS.operations + 1)} }`)).toStrictEqual([
      'the query is too large: it asks for 51 fields at its top level, and at most 50 are allowed',
    ])
  })

  it('hides nothing in fragments', () => {
    expect(errorsOf(`{ ...F ... { ...F } } fragment F on Query { ${wide(26)} }`)).toStrictEqual([
      expect.stringMatching(/52 fields/),
    ])
    expect(errorsOf(`{ a { ...F } } fragment F on Query ${nested(15)}`)).toStrictEqual([
      expect.stringMatching(/16 deep/),
    ])
  })

  it('is measured in no time, however much it would grow', () => {
    const levels = Array.from(
      { length: 400 },
      (_, level) => `fragment F${level} on Query { ...F${level + 1} ...F${level + 1} }`,
    )
    expect(errorsOf(`{ ...F0 } ${levels.join(' ')} fragment F400 on Query { b }`)).toStrictEqual([
      expect.stringMatching(/too large/),
    ])
  })

  it('may not have brackets in brackets without end, wherever they stand', () => {
    expect(() => refuseDeep(bracketed(QUERY_LIMITS.brackets))).not.toThrow()
    expect(() => refuseDeep(bracketed(QUERY_LIMITS.brackets + 1))).toThrow(/brackets are nested more than 200 deep/)
    expect(() => refuseDeep(new Source(`{ b(of: "${'['.repeat(999)}") } # ${'{'.repeat(999)}`))).not.toThrow()
    expect(() => refuseDeep(new Source('{ b '.repeat(1_000)))).toThrow(/too large/)
  })

  it('may include itself without harm: that is the error of another rule', () => {
    expect(errorsOf('{ ...F } fragment F on Query { a { ...F } }')).toStrictEqual([])
  })
})
