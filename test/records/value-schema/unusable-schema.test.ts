import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { compileRules } from '../../../src/records/data-types/data-type.ts'
import { readDocument } from '../../../src/documents/read/read-document.ts'
import { hasErrors } from '../../../src/lib/diagnostic.ts'
import type { Json } from '../../../src/lib/json.ts'
import { locateDiagnostics } from '../../../src/documents/locate-diagnostics.ts'
import { compileSchema } from '../../../src/records/value-schema/compile-schema.ts'
import { WorkBudget } from '../../../src/records/value-schema/work-budget.ts'
import { linesOf, loadFiles } from '../../documents/load-files.ts'

// What `validate` and every import say of the schema of a JSON characteristic that no value could be checked against.

function modelOf(schema: Json): { readonly characteristics: readonly Json[] } {
  return {
    characteristics: [{ code: 'a', name: 'A', characteristicType: 'MEASUREMENT', dataType: 'JSON', schema }],
  }
}

function findingsOf(schema: Json): string[] {
  const { diagnostics } = readDocument(modelOf(schema))
  return diagnostics.map(({ code, pointer, message }) => `${pointer} ${code}: ${message}`)
}

/** As text: an object with a `then` looks like a promise. */
function conditional(condition: Json, consequence: Json): Json {
  const [one, other] = [JSON.stringify(condition), JSON.stringify(consequence)]
  return JSON.parse(`{"if": ${one}, "then": ${other}, "unevaluatedProperties": false}`) as Json
}

const nested = (levels: number) => `${'{"not":'.repeat(levels)}{}${'}'.repeat(levels)}`

it.each([
  ['{"type": "number", "type": "string"}', 'duplicate-key: schema has the key "type" twice in one object'],
  ['{"const": 1e400}', 'number-not-exact: schema has the number 1e400, which'],
  ['{"const": 9007199254740993}', 'number-not-exact: schema has the number 9007199254740993, which'],
])('a text that a parser of JSON changes is an error: %s', (schema, message) => {
  expect(findingsOf(schema)).toEqual([expect.stringContaining(`/characteristics/0/schema ${message}`)])
  expect(findingsOf('{"const": "1e400", "type": "string", "enum": ["a", "1"]}')).toEqual([])
})

it('a text with a very long string is too long', () => {
  const schema = JSON.stringify({ description: `"1e400${'a'.repeat(12_000_000)}` })
  expect(findingsOf(schema)).toEqual([
    expect.stringContaining('text-too-long'),
    expect.stringContaining('record-too-large'),
  ])
})

describe('a schema that cannot be used is an error at its place', () => {
  it.each<[string, Json, string]>([
    ['a reference elsewhere', { properties: { a: { $ref: 'https://example.org/s' } } }, '/properties/a/$ref'],
    ['a reference to no schema', { properties: { a: { $ref: '#/properties' } } }, '/properties/a/$ref'],
    ['a reference to data', { enum: [{}], items: { $ref: '#/enum/0' } }, '/items/$ref'],
    ['a base of its own', { $defs: { b: { $id: 'https://example.org/b' } } }, '/$defs/b/$id'],
    ['lookahead', { $defs: { b: { pattern: '(?=a)' } }, items: { $ref: '#/$defs/b' } }, '/$defs/b/pattern'],
    ['a backreference in a name', { patternProperties: { '(a)\\1': {} } }, '/patternProperties/(a)\\1'],
    ['an empty enum', { anyOf: [{ type: 'string' }, { enum: [] }] }, '/anyOf/1/enum'],
    ['a word of OpenAPI', { type: 'string', nullable: true }, '/nullable'],
    ['a member that no object has as its own', JSON.parse('{"properties": {"__proto__": {}}}') as Json, '/properties'],
    ['items that contains has found', { contains: {}, unevaluatedItems: false }, '/unevaluatedItems'],
    [
      'the same further inside',
      { $defs: { c: { allOf: [{ contains: {} }] } }, $ref: '#/$defs/c', unevaluatedItems: false },
      '/unevaluatedItems',
    ],
    ['items of only one schema', { anyOf: [{ items: {} }, true], unevaluatedItems: false }, '/unevaluatedItems'],
    [
      'an if alone before unevaluatedItems',
      { if: { prefixItems: [true] }, unevaluatedItems: false },
      '/unevaluatedItems',
    ],
    ['an if alone', conditional({ properties: { a: true } }, { title: 'T' }), '/unevaluatedProperties'],
    ['a pattern beside a circle', { $defs: { b: { pattern: '(' } }, allOf: [{ $ref: '#' }] }, '/$defs/b/pattern'],
    ['a vocabulary of its own', { $schema: 'https://example.org/meta', minimum: 1 }, '/$schema'],
    ['more parts than can be', { enum: Array.from({ length: 2000 }, (_, index) => index) }, ''],
  ])('%s', (_, schema, place) => {
    expect(findingsOf(schema)).toStrictEqual([
      expect.stringMatching(/ unusable-schema: schema cannot be used to check values: ./) as string,
    ])
    expect(findingsOf(schema)[0]?.split(' ')[0]).toBe(`/characteristics/0/schema${place}`)
  })

  it.each<[string, Json, readonly Json[], readonly Json[]]>([
    [
      'a then that demands nothing',
      conditional({ properties: { a: true } }, { properties: {} }),
      [{ a: 1 }],
      [{ b: 1 }],
    ],
    ['if with then', conditional({ required: ['a'] }, { properties: { a: true } }), [{ a: 1 }], [{ b: 1 }]],
    ['items of all schemas', { allOf: [{ items: { type: 'string' } }], unevaluatedItems: false }, [['a']], [[1]]],
    ['first items', { anyOf: [{ prefixItems: [true] }, true], unevaluatedItems: false }, [[1]], [[1, 2]]],
    ['contains without the rest', { contains: { type: 'string' } }, [['a', 1]], [[1]]],
    ['an older dialect', { $schema: 'http://json-schema.org/draft-07/schema#', minimum: 1 }, [1], [0]],
    [
      'names that objects inherit',
      { anyOf: [{ properties: { a: true } }, false], unevaluatedProperties: false },
      [{ a: 1 }],
      [{ constructor: 1 }, JSON.parse('{"__proto__": 1}') as Json],
    ],
    [
      'a tree of any depth',
      { type: 'object', required: ['v'], properties: { v: { type: 'number' }, down: { items: { $ref: '#' } } } },
      [{ v: 1, down: [{ v: 2 }, { v: 3, down: [] }] }],
      [
        { v: 1, down: [{ v: 2, down: [{ v: 'x' }] }] },
        { v: 1, down: [{}] },
      ],
    ],
    [
      'lists and maps in each other',
      {
        $defs: {
          list: { type: 'array', items: { $ref: '#/$defs/any' } },
          map: { type: 'object', additionalProperties: { $ref: '#/$defs/any' } },
          any: { anyOf: [{ $ref: '#/$defs/list' }, { $ref: '#/$defs/map' }, { type: 'boolean' }] },
        },
        $ref: '#/$defs/any',
      },
      [true, [{ a: [true, []] }]],
      [1, [{ a: [true, null] }]],
    ],
    [
      'a closed tree',
      {
        $defs: {
          node: { properties: { next: { $ref: '#/$defs/closed' } } },
          closed: { $ref: '#/$defs/node', unevaluatedProperties: false },
        },
        $ref: '#/$defs/closed',
      },
      [{ next: { next: {} } }],
      [{ next: { next: { other: 1 } } }, { other: 1 }],
    ],
    ['a quotient without end', { type: 'integer', multipleOf: 0.123456789 }, [0], [1e308]],
  ])('%s is judged as the draft says', (_, schema, valid, invalid) => {
    expect(findingsOf(schema)).toStrictEqual([])
    const rules = compileRules({ dataType: 'JSON', schema })
    for (const value of valid) expect(rules.accept(value)).toBeTypeOf('string')
    for (const value of invalid) expect(rules.accept(value)).toMatchObject({ code: 'schema-mismatch' })
  })

  it.each<[string, Json, string]>([
    ['to itself', { $ref: '#' }, ''],
    ['to itself by others', { items: { anyOf: [{ type: 'null' }, { $ref: '#/items' }] } }, '/items'],
    [
      'in a circle beside one that ends',
      {
        $defs: {
          a: { items: { $ref: '#/$defs/b' }, allOf: [{ $ref: '#/$defs/b' }] },
          b: { not: { $ref: '#/$defs/a' } },
        },
      },
      '/$defs/a',
    ],
  ])('a schema that refers %s for the same value is only a warning, and takes any value', (_, schema, place) => {
    const { diagnostics } = readDocument(modelOf(schema))
    expect(diagnostics).toMatchObject([
      { severity: 'warning', code: 'schema-not-enforced', pointer: `/characteristics/0/schema${place}` },
    ])
    expect(compileRules({ dataType: 'JSON', schema }).accept([{ a: 1 }])).toBe('[{"a":1}]')
  })

  it('what is no schema at all is another one', () => {
    expect(findingsOf({ properties: { a: { type: 'number', minimum: '1' } } })).toStrictEqual([
      '/characteristics/0/schema/properties/a/minimum not-a-json-schema: schema is not a JSON Schema (draft 2020-12): "minimum" must be a number, but is "1". Write it without quotes.',
    ])
    expect(
      findingsOf({ properties: { a: { type: 'strng' }, b: { type: ['null', 'text'] } }, items: [] }),
    ).toStrictEqual([
      '/characteristics/0/schema/items not-a-json-schema: schema is not a JSON Schema (draft 2020-12): "items" must be an object or true or false, but is a list.',
      '/characteristics/0/schema/properties/a/type not-a-json-schema: schema is not a JSON Schema (draft 2020-12): "type" must be one of "array", "boolean", "integer", "null", "number", "object" or "string", but is "strng". Did you mean "string"?',
      expect.stringMatching(
        /^\/characteristics\/0\/schema\/properties\/b\/type\/1 not-a-json-schema: .* one of "array", .* but is "text"\.$/,
      ) as string,
    ])
    expect(findingsOf('[]')[0]).toMatch(/ not-a-json-schema: .* must be an object or a boolean$/)
  })

  it('a schema in a text may be of many levels, but not of any number', () => {
    expect(findingsOf(nested(80))).toStrictEqual([])
    expect(findingsOf(nested(200))[0]).toMatch(/ unusable-schema: .* it is nested more than 100 levels deep/)
    expect(findingsOf(nested(20_000))[0]).toMatch(/ (?:unusable-schema|schema-not-json): /)
  })

  it('a schema in a text has one place, and says where in it', () => {
    expect(findingsOf('{"items": {"pattern": "("}}')).toStrictEqual([
      expect.stringMatching(
        /^\/characteristics\/0\/schema unusable-schema: .* \(at \/items\/pattern in it\)$/,
      ) as string,
    ])
  })

  it('of another dataType it is only ignored', () => {
    const [characteristic] = modelOf({ $ref: 'https://example.org' }).characteristics
    const { diagnostics } = readDocument({ characteristics: [{ ...(characteristic as object), dataType: 'FLOAT' }] })
    expect(diagnostics.map(({ code }) => code)).toStrictEqual(['ignored-field'])
  })

  it('has a line in the file', () => {
    const file = `characteristics:
  - code: a
    name: A
    characteristicType: MEASUREMENT
    dataType: JSON
    schema:
      type: object
      properties:
        serial: { type: string, pattern: '^(?!0)' }
`
    const loaded = loadFiles({ 'models/a.yaml': file })
    const diagnostics = locateDiagnostics(readDocument(loaded.document).diagnostics, loaded)
    expect(linesOf({ diagnostics })).toStrictEqual([
      'models/a.yaml:9:33: error unusable-schema: schema cannot be used to check values: its pattern cannot be used: lookahead, lookbehind and modifiers are not supported',
    ])
  })
})

const leaf = fc.oneof<fc.Arbitrary<Json>[]>(
  fc.boolean(),
  fc.constantFrom<Json>({}, { type: 'string' }, { type: ['number', 'null'] }, { const: { $ref: 'x' } }, { enum: [] }),
  fc.constantFrom<Json>(
    { enum: [1, 'a'] },
    { pattern: '^a+$' },
    { pattern: '(' },
    { $ref: '#/$defs/a' },
    { $ref: '#' },
  ),
  fc.constantFrom<Json>({ $ref: '#/properties/b' }, { $ref: '#/$defs/none' }, { required: ['a'] }, { format: 'none' }),
  fc.constantFrom<Json>({ nullable: true }, { $anchor: 'a' }, { $comment: 'a' }, { unknown: { $ref: '#' } }),
  fc.constantFrom<Json>(
    { minContains: 1 },
    { else: {} },
    { dependentRequired: { a: ['b'] } },
    { contentEncoding: 'base64' },
  ),
)
const { schema } = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaf, node(tie('schema'))),
}))

function node(inner: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  const named = fc.dictionary(fc.constantFrom('a', 'b', '^c', '$ref'), inner, { maxKeys: 3 })
  const list = fc.array(inner, { minLength: 1, maxLength: 3 })
  return fc.record<{ [keyword: string]: Json }>(
    {
      properties: named,
      patternProperties: named,
      $defs: named,
      dependentSchemas: named,
      anyOf: list,
      allOf: list,
      prefixItems: list,
      items: inner,
      not: inner,
      if: inner,
      else: inner,
      unevaluatedProperties: inner,
      propertyNames: inner,
      contains: inner,
      uniqueItems: fc.boolean(),
      multipleOf: fc.constantFrom(0.5, 2),
    },
    { requiredKeys: [] },
  )
}

test('whatever is not reported can be compiled, and what is reported cannot be used', () => {
  const seen = { usable: 0, unusable: 0 }
  fc.assert(
    fc.property(schema, (tried) => {
      const { diagnostics: findings } = readDocument(modelOf(typeof tried === 'boolean' ? String(tried) : tried))
      const isUsable = typeof compileSchema(tried, new WorkBudget()) !== 'string'
      seen[isUsable ? 'usable' : 'unusable'] += 1
      expect({ tried, isReported: hasErrors(findings) }).toStrictEqual({ tried, isReported: !isUsable })
    }),
    { numRuns: 300 },
  )
  expect(Math.min(seen.usable, seen.unusable)).toBeGreaterThan(10)
})
