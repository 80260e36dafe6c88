import { getIntrospectionQuery, parse, Source, specifiedRules, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { QUERY_LIMITS, refuseMuch, refuseHeavy } from '../../../src/server/graphql/requests/query-limits.ts'
import { weigh } from '../../../src/server/graphql/requests/query-weight.ts'
import { SCHEMA } from '../../../src/server/graphql/schema.ts'

function errorsOf(query: string, variables: object = {}): readonly string[] {
  try {
    refuseHeavy(weigh(parse(query), { ...variables }))
    return []
  } catch (error) {
    return [(error as Error).message]
  }
}

const nested = (levels: number): string => `{ ${'a { '.repeat(levels - 1)} b ${'} '.repeat(levels - 1)} }`
/** A value in so many brackets, those around it included. */
const bracketed = (levels: number) => new Source(`{ b(of: ${'['.repeat(levels - 2)}${']'.repeat(levels - 2)}) }`)
/** A query of so many tokens. */
const inTokens = (tokens: number) => new Source(`{ ${'b, '.repeat(tokens - 2)} } # b`)
const wide = (fields: number, of = 'b'): string =>
  Array.from({ length: fields }, (_, index) => `f${index}: ${of}`).join(' ')

const values = (query: string): number => weigh(parse(query)).values

const lists = (fields: number): string =>
  `query ($n: Int) { a(first: $n) { ${wide(fields)} } c(first: 100000) { x y } }`

/** All that tools know how to ask about a schema. */
const INTROSPECTION = getIntrospectionQuery({
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
})

describe('a query', () => {
  it('may be as deep and as wide as the limits say', () => {
    expect(errorsOf(nested(QUERY_LIMITS.depth))).toStrictEqual([])
    expect(errorsOf(`{ ${wide(QUERY_LIMITS.operations)} }`)).toStrictEqual([])
  })

  it('may ask for the schema, which is nested deeper than anything else', () => {
    expect(errorsOf(INTROSPECTION)).toStrictEqual([])
    expect(validate(SCHEMA, parse(INTROSPECTION), specifiedRules)).toStrictEqual([])
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
    expect(() => refuseMuch(bracketed(QUERY_LIMITS.brackets))).not.toThrow()
    expect(() => refuseMuch(bracketed(QUERY_LIMITS.brackets + 1))).toThrow(/brackets are nested more than 200 deep/)
    expect(() => refuseMuch(new Source(`{ b(of: "${'['.repeat(999)}") } # ${'{'.repeat(999)}`))).not.toThrow()
    expect(() => refuseMuch(new Source('{ b '.repeat(1_000)))).toThrow(/too large/)
  })

  it('may not have more tokens than it is parsed for, comments and commas not counted', () => {
    expect(() => refuseMuch(inTokens(QUERY_LIMITS.tokens))).not.toThrow()
    expect(() => refuseMuch(inTokens(QUERY_LIMITS.tokens + 1))).toThrow(
      /^the query is too large: it has more than 5000 tokens; send values as variables$/,
    )
  })

  it('may not ask about the schema again and again, nor many times for each of its types', () => {
    const twice = INTROSPECTION.replace('{', '{ again: __schema { types { fields { ...again } } }').concat(
      `fragment again on __Field { ${wide(60, 'name')} }`,
    )
    expect(errorsOf(twice)).toStrictEqual([
      expect.stringMatching(/values of the schema, and at most 100000 are allowed/),
    ])
    expect(errorsOf(`{ ${wide(49, '__schema { types { name fields { name type { name } } } }')} }`)).toStrictEqual([
      expect.stringMatching(/values of the schema/),
    ])
    expect(errorsOf(`{ ${wide(51, '__typename')} }`)).toStrictEqual([expect.stringMatching(/51 fields/)])
  })

  it('may ask for the histories of few records', () => {
    const history = 'recordHistory(type: users, recordKey: "a") { next }'
    expect(errorsOf(`{ ${wide(5, history)} }`)).toStrictEqual([])
    expect(errorsOf(`{ ${wide(6, history)} }`)).toStrictEqual([
      expect.stringMatching(/6 histories of records, and at most 5 are/),
    ])
  })

  it('may count few lists, because each count reads all items', () => {
    const counted = 'components(first: 0) { totalCount }'
    expect(errorsOf(`{ a { ${wide(20, counted)} } }`)).toStrictEqual([])
    expect(errorsOf(`{ a { ${wide(10, counted)} ...F } } fragment F on A { ${wide(11, counted)} }`)).toStrictEqual([
      expect.stringMatching(/it asks for totalCount 21 times, and at most 20 are/),
    ])
  })

  it('is weighed with the default of a variable, and of the argument if the variable has no value', () => {
    const byDefault = 'query A($n: Int = 7) { a(first: $n) { nodes { b } } } query B { c }'
    expect(values(byDefault)).toBe(1 + 7 * 2)
    expect(values(byDefault.replace(' = 7', ''))).toBe(1 + 50 * 2)
    expect(weigh(parse(byDefault), { n: 900 }).values).toBe(1 + 900 * 2)
    const nestedTwice =
      'query ($n: Int = 10) { a(first: $n) { nodes { b(first: $n) { nodes { c(first: $n) { nodes { d } } } } } } }'
    expect(errorsOf(nestedTwice)).toStrictEqual([])
  })

  it('may not have too many fields, however they are written: rules of GraphQL compare each with each other', () => {
    expect(errorsOf(`{ a { ${'b '.repeat(499)} } }`)).toStrictEqual([])
    expect(errorsOf(`{ a { ${'b '.repeat(500)} } }`)).toStrictEqual([expect.stringMatching(/501 fields, including/)])
    const spread = `{ a { ${'...F '.repeat(50)} } } fragment F on Query { ${wide(10)} }`
    expect(errorsOf(spread)).toStrictEqual([expect.stringMatching(/551 fields, including/)])
  })

  it('may not ask for more values than anybody can wait for', () => {
    expect(errorsOf(lists(400), { n: 1_000 })).toStrictEqual([])
    expect(errorsOf(lists(400), { n: 10_000 })).toStrictEqual([expect.stringMatching(/4200002 values/)])
    expect(errorsOf(lists(400), { n: 'x' })).toStrictEqual([])
  })

  it('may not have one long list in use again and again', () => {
    const u = Array.from({ length: 1_000 }, () => 'x')
    const uses = (count: number, use: string) => errorsOf(`query ($u: [ID!]) { ${wide(count, use)} }`, { u, f: { u } })
    for (const use of ['b(u: $u) { c }', 'b(filter: { u: $u }) { c }', 'b(filter: $f) { c }']) {
      expect(uses(20, use)).toStrictEqual([])
      expect(uses(21, use)).toStrictEqual([expect.stringMatching(/have 21000 entries.* at most 20000 are allowed/)])
    }
    const byDefault = (list: string, variables: object) =>
      errorsOf(`query A($u: [ID!] = ${list}) { ${wide(21, 'b(u: $u)')} } query B($u: [ID!] = []) { a }`, variables)
    const refusal = [expect.stringMatching(/have 21000 entries/)]
    expect(byDefault(JSON.stringify(u), {})).toStrictEqual(refusal)
    expect(byDefault(JSON.stringify(u), { u: null })).toStrictEqual([])
    const filter = `query ($f: F = { u: ${JSON.stringify(u)} }) { ${wide(21, 'b(filter: $f)')} }`
    expect(errorsOf(filter)).toStrictEqual(refusal)
    // A whole model is weighed elsewhere.
    expect(uses(50, 'b(document: $f) { c }')).toStrictEqual([])
  })

  it('has an item for each entry that it asks about, and for what components support', () => {
    const u = Array.from({ length: 1_000 }, () => 'x')
    expect(
      weigh(parse('query ($u: [ID!]) { latestDatapoints(components: $u) { value timestamp } }'), { u }).values,
    ).toBe(1 + 1_000 * 2)
    expect(values('{ components(first: 1000) { nodes { supports { dataType } } } }')).toBeGreaterThan(50_000)
  })

  it('has as much metadata as there may be, in pages that are as long as they are where nothing is said', () => {
    expect(values('{ a { metadataKeyValueStore { key value } } }')).toBe(1 + 1 + 2 * 200)
    expect(values('{ a { nodes { b } } }')).toBe(1 + 50 * 2)
    expect(values('{ a(first: 3) { ...F } } fragment F on A { edges { node { b } } }')).toBe(1 + 3 * 3)
    expect(values('{ a { ...F } } fragment F on A { edges { node { b } } }')).toBe(1 + 50 * 3)
    const ofInner = 1 + 10 * 2
    expect(values('{ a { nodes { b { nodes { c } } } } }')).toBe(1 + 50 * (1 + ofInner))
    expect(values('{ a(first: 7) { nodes { b(first: 9) { nodes { c } } } } }')).toBe(1 + 7 * (1 + 1 + 9 * 2))
    expect(values('{ a { b { pageInfo { hasNextPage } } } }')).toBe(1 + 1 + 10 * 2)
  })

  it.each(['constructor', '__proto__', 'toString'])('may call anything %s, which every object has', (name) => {
    const query = `query ${name}($${name}: Int) {
      ${name} { ${name} ...${name} } a(first: $${name}) { b } c(filter: $${name}) { d }
    } fragment ${name} on ${name} { ${name}(${name}: { ${name}: $${name} }) }`
    // A variable that is not given stands for the longest list; all other fields count once.
    const longest = values('{ a(first: "x") { b } }')
    const fields = { fields: 8, values: 5 + longest, entries: 0, introspected: name.startsWith('__') ? 3 : 0 }
    expect(weigh(parse(query))).toMatchObject(fields)
    const given = JSON.parse(`{"${name}": 3}`) as { readonly [variable: string]: number }
    expect([...weigh(parse(query), given).times.keys()]).toStrictEqual([name, 'a', 'c'])
    expect(weigh(parse(query), given).values).toBe(5 + 1 + 3)
  })

  it('may include itself without harm: that is the error of another rule', () => {
    expect(errorsOf('{ ...F } fragment F on Query { a { ...F } }')).toStrictEqual([])
  })
})
