import { describe, expect, it } from 'vitest'
import { compileRules } from '../../../src/records/data-types/data-type.ts'
import { isViolation } from '../../../src/records/values/violation.ts'
import type { Json } from '../../../src/lib/json.ts'

function judge(schema: Json, value: unknown): string {
  const answer = compileRules({ dataType: 'JSON', schema }).accept(value)
  return isViolation(answer) ? `${answer.code}: ${answer.detail}` : String(answer)
}

const door = { type: 'object', required: ['open'], properties: { open: { type: 'boolean' } } }

describe('the schema of a JSON characteristic', () => {
  it('decides about each value, written as an object or as text', () => {
    for (const schema of [door, JSON.stringify(door)]) {
      expect(judge(schema, { open: true, a: 1 })).toBe('{"a":1,"open":true}')
      expect(judge(schema, { open: 'yes' })).toBe('schema-mismatch: /open must be boolean')
      expect(judge(schema, [])).toBe('schema-mismatch: the value must be object')
    }
  })

  it('may be a boolean, or absent', () => {
    expect(judge(true, [1])).toBe('[1]')
    expect(judge(false, [1])).toMatch(/^schema-mismatch/)
    expect(judge(null, 'a')).toBe('"a"')
  })

  it('may have the keywords of the draft, references inside of it, and a name', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'https://example.org/readings',
      $defs: { 'a/b c': { type: 'number', multipleOf: 0.1 } },
      prefixItems: [{ $ref: '#/$defs/a~1b%20c' }],
      items: { pattern: '^[a-z]{2,3}$' },
      uniqueItems: true,
    }
    expect(judge(schema, [0.3, 'ab', 'abc'])).toBe('[0.3,"ab","abc"]')
    expect(judge(schema, [0.35])).toMatch(/^schema-mismatch: \/0 must be multiple of 0.1/)
    expect(judge(schema, [0.3, 'ABC'])).toMatch(/^schema-mismatch: \/1 must match pattern/)
    expect(judge(schema, [0.3, 'ab', 'ab'])).toMatch(/^schema-mismatch/)
  })

  it('may have several patterns', () => {
    const schema = {
      properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } },
      patternProperties: { '^c': { pattern: 'c' }, '^d': false },
    }
    expect(judge(schema, { a: 'a', b: 'b', c: 'c' })).toBe('{"a":"a","b":"b","c":"c"}')
    expect(judge(schema, { b: 'a' })).toMatch(/^schema-mismatch: \/b must match pattern/)
    expect(judge(schema, { c: 'a' })).toMatch(/^schema-mismatch: \/c must match pattern/)
    expect(judge(schema, { d: 'a' })).toMatch(/^schema-mismatch/)
  })

  it('sees only members of the value itself', () => {
    expect(judge({ required: ['constructor'] }, {})).toMatch(/^schema-mismatch/)
    expect(judge({ additionalProperties: { type: 'number' } }, JSON.parse('{"__proto__": "a"}'))).toMatch(
      /^schema-mismatch/,
    )
  })
})

/** Each definition refers twice to the next one: 2^20 in all. */
const bomb = {
  $defs: Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `d${index}`,
      index === 19 ? {} : { allOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
    ]),
  ),
  $ref: '#/$defs/d0',
}

describe('a schema that makes unbounded work admits nothing', () => {
  it.each<[string, Json]>([
    ['names nothing inside of it', { $ref: 'https://example.org/schema.json' }],
    ['names nothing inside of it', { $ref: 'file:///etc/passwd' }],
    ['names nothing inside of it', { properties: { a: { $ref: '#/$defs/none' } } }],
    ['it has more than 1000 parts', bomb],
    ['it has more than 1000 parts', { enum: Array.from({ length: 2000 }, (_, index) => index) }],
    ['it uses $dynamicRef', { $dynamicRef: '#a' }],
    ['it uses $id', { items: { $id: 'https://example.org/other' } }],
    ['it uses $async', { $async: true }],
    ['a backreference', { pattern: String.raw`(a)\1` }],
    ['lookahead', { patternProperties: { '(?=a)': {} } }],
    ['Invalid regular expression', { pattern: '(' }],
    ['too many or too large', { anyOf: Array.from({ length: 30 }, (_, index) => ({ pattern: `a{${100 + index}}` })) }],
    ['it is too large', { pattern: '(?:a{1,999}){1,999}' }],
    ['it is neither an object nor a boolean', 'no JSON'],
    ['cannot be used', { type: 'nothing' }],
  ])('%s: %j', (why, schema) => {
    const answer = judge(schema, ['a'])
    expect(answer).toMatch(/^schema-mismatch: the schema of the characteristic cannot be used: /)
    expect(answer).toContain(why)
  })

  it('members called like keywords are none', () => {
    expect(judge({ properties: { $ref: { type: 'string' }, $id: { const: 'a' } } }, { $ref: 'x', $id: 'a' })).toBe(
      '{"$id":"a","$ref":"x"}',
    )
    expect(judge({ const: { $ref: 'x' } }, { $ref: 'x' })).toBe('{"$ref":"x"}')
  })
})

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)

describe('work with a value is bounded', () => {
  it('a pattern that backtracks for ever elsewhere takes no time', () => {
    const schema = { type: 'string', pattern: '^(a+)+(b|a*)*$' }
    expect(judge(schema, `${'a'.repeat(9000)}!`)).toMatch(/^schema-mismatch: the value must match pattern/)
    expect(judge(schema, 'a'.repeat(10_001))).toMatch(/^schema-mismatch: a text of more than 10000 characters/)
  })

  it('a text too long for a pattern is refused even where the pattern must not match', () => {
    expect(judge({ not: { pattern: 'b' } }, 'a'.repeat(10_001))).toMatch(/^schema-mismatch/)
  })

  it('a schema that refers to itself ends with the value', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [
        `d${index}`,
        index === 19 ? { items: { $ref: '#' } } : { allOf: [{ $ref: `#/$defs/d${index + 1}` }] },
      ]),
    )
    expect(judge({ items: { $ref: '#' }, type: 'array' }, nested(64))).toMatch(/^\[/)
    expect(judge({ items: { $ref: '#' }, maxItems: 1 }, [[[1, 2]]])).toMatch(/^schema-mismatch: \/0\/0/)
    expect(judge({ $defs: chain, $ref: '#/$defs/d0' }, nested(20))).toMatch(/^\[/)
    expect(judge({ $defs: chain, $ref: '#/$defs/d0' }, nested(64))).toMatch(/^schema-mismatch: .*; make it flatter$/)
  })

  it('uniqueItems of a long list takes no time', () => {
    const list = Array.from({ length: 100_000 }, (_, index) => ({ index }))
    expect(judge({ uniqueItems: true }, list)).toMatch(/^\[/)
  })

  it('depth has a limit', () => {
    expect(judge(true, nested(64))).toMatch(/^\[/)
    expect(judge(true, nested(65))).toBe('wrong-type: the value is nested more than 64 levels deep; make it flatter')
    expect(judge(true, nested(100_000))).toMatch(/^wrong-type/)
  })
})
