import { describe, expect, it, test } from 'vitest'
import type { JsonObject } from '../../../src/lib/json.ts'
import { checkValueSchema } from '../../../src/records/value-schema/check-value-schema.ts'
import { compileSchema } from '../../../src/records/value-schema/compile-schema.ts'
import { surveySchema } from '../../../src/records/value-schema/schema-problem.ts'
import { WorkBudget } from '../../../src/records/value-schema/work-budget.ts'

function messagesOf(schema: JsonObject): string[] {
  const found: string[] = []
  checkValueSchema({ dataType: 'JSON', schema }, (_, code, __, message) => found.push(`${code}: ${message}`))
  return found
}

describe('a schema with too many parts', () => {
  it('is refused before anything else is asked of it', () => {
    const types = Array.from({ length: 2000 }, (_, index) => `t${index}`)
    for (const schema of [{ allOf: [{ $ref: '#' }], enum: types }, { type: types }])
      expect(messagesOf(schema)).toStrictEqual([expect.stringMatching(/^unusable-schema: .* more than 1000 parts/)])
  })

  it('is refused as such also where something else is wrong with it', () => {
    const properties = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, { type: 1 }]))
    expect(messagesOf({ id: 'a', properties })).toStrictEqual([
      expect.stringMatching(/^unusable-schema: .* more than 1000 parts/),
    ])
  })

  it('is refused where its parts are few and their keywords many', () => {
    const items = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, 1]))
    expect(messagesOf({ items })).toStrictEqual([expect.stringMatching(/^unusable-schema: .* more than 1000 parts/)])
  })

  it('is not read again for each place that refers to it', () => {
    let reads = 0
    const large = {
      get allOf() {
        reads += 1
        return Array.from({ length: 5000 }, () => ({}))
      },
    }
    const places = Array.from({ length: 500 }, () => ({ unevaluatedProperties: false, $ref: '#/$defs/large' }))
    const schema = { $defs: { large }, allOf: [{ $ref: '#' }], anyOf: places }
    expect(compileSchema(schema, new WorkBudget(10_000))).toMatch(/^it has more than 1000 parts/)
    expect(reads).toBeLessThan(5)
  })
})

test('patterns are read until they are too many', () => {
  const patterns = Array.from({ length: 3_000 }, (_, index) => [`x{900}${index}`, true] as const)
  expect(surveySchema({ patternProperties: Object.fromEntries(patterns) }, new WorkBudget(500))).toMatchObject({
    message: 'its patterns are too many or too large',
  })
})

test('finding what a schema applies beside another costs steps of the budget, even where all are few', () => {
  const large = { allOf: Array.from({ length: 400 }, () => ({})) }
  const places = Array.from({ length: 500 }, () => ({ unevaluatedProperties: false, $ref: '#' }))
  const schema = { ...large, items: { anyOf: places } }
  expect(surveySchema(schema)).toBe(902)
  expect(() => surveySchema(schema, new WorkBudget(100_000))).toThrow(/takes too long/)
})
