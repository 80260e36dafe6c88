import { afterEach, describe, expect, it, vi } from 'vitest'
import { compileRules } from '../../../src/records/data-types/data-type.ts'
import type { Json } from '../../../src/lib/json.ts'
import { spendOnSchema } from '../../../src/records/value-schema/checking-cost.ts'
import { WorkBudget } from '../../../src/records/value-schema/work-budget.ts'

// A model and a device together could ask for hours of work by one batch of 16 MiB. Counted in steps, not in seconds,
// which depend on the machine.

const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index))

/** How many of equal values one batch may have; all of them, or the error. */
function taken(schema: Json, value: Json, count: number): number | string {
  const rules = compileRules({ dataType: 'JSON', schema })
  const budget = new WorkBudget()
  for (let index = 0; index < count; index++) {
    try {
      rules.accept(value, budget)
    } catch (error) {
      return (error as Error).message
    }
  }
  return count
}

const slowPattern = '^(?:(?:a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a|a)*|b){1,15}$'

describe('a batch that would take too long is refused by name', () => {
  it.each<[string, Json, Json, number]>([
    ['the worst pattern', { pattern: slowPattern }, `${'a'.repeat(9_990)}!`, 1_600],
    [
      'a pattern that is referred to often',
      { $defs: { p: { pattern: '^[ab]{900}c' } }, anyOf: times(300, () => ({ $ref: '#/$defs/p' })) },
      'a'.repeat(9_000),
      100,
    ],
    [
      'a choice for each item',
      { items: { anyOf: times(450, (index) => ({ const: index })) } },
      times(800_000, () => -1),
      1,
    ],
    ['a long list of words', { items: { enum: times(990, (index) => `word ${index}`) } }, times(800_000, () => 'w'), 1],
    [
      'a tree with two choices at each node',
      { items: { anyOf: [{ $ref: '#' }, { $ref: '#' }, { type: 'null' }] } },
      [...times(60, () => 0)].reduce<Json>((inner) => [inner], true),
      1,
    ],
    ['counting names again and again', { anyOf: times(400, () => ({ maxProperties: 3 })) }, record(200_000), 1],
    ['counting characters again and again', { anyOf: times(400, () => ({ maxLength: 3 })) }, 'é'.repeat(4_000_000), 1],
    [
      'comparing items again and again',
      { anyOf: times(300, () => ({ uniqueItems: true })) },
      times(100_000, (index) => [index]),
      1,
    ],
  ])('%s', (_, schema, value, count) => {
    expect(taken(schema, value, count)).toBe(
      'checking these JSON values against their schemas takes too long; send fewer at once, or make the schemas simpler',
    )
  })

  it('so are many schemas that are not compiled yet', () => {
    const budget = new WorkBudget()
    const schemaOf = (index: number) => ({ anyOf: times(400, (part) => ({ const: `${index} ${part}` })) })
    const all = times(200, (index) => compileRules({ dataType: 'JSON', schema: schemaOf(index) }))
    const attempt = (some: WorkBudget): number => all.findIndex((rules) => throws(() => rules.accept('no', some)))
    const first = attempt(budget)
    expect(first).toBeGreaterThan(10)
    // What is compiled stays so: a client that tries again comes further.
    expect(attempt(new WorkBudget())).toBeGreaterThan(first)
  })
})

describe('what people send is taken', () => {
  const numbers = { type: 'array', items: { type: 'number', minimum: 0 }, maxItems: 20 }
  const many = { type: 'object', properties: Object.fromEntries(times(30, (index) => [`p${index}`, numbers])) }
  it.each<[string, Json, Json]>([
    ['UUIDs', { pattern: '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' }, '6f1c3f0e-4a53-4c8e-9c52-1f6f0d1a2b3c'],
    ['objects of many members', many, Object.fromEntries(times(30, (index) => [`p${index}`, [1, 2, 3, 4]]))],
    ['closed objects', { additionalProperties: false, properties: { a: {}, b: {} } }, { a: 1, b: 2 }],
    [
      'one of several forms',
      { oneOf: times(20, (index) => ({ properties: { kind: { const: index } } })) },
      { kind: 7 },
    ],
  ])('%s', (_, schema, value) => {
    expect(taken(schema, value, 10_000)).toBe(10_000)
  })
})

describe('a schema is read once for all parts of a value', () => {
  afterEach(() => vi.restoreAllMocks())

  it('where a part has many keywords', () => {
    const ownKeys = vi.fn<typeof Reflect.ownKeys>(Reflect.ownKeys)
    const items = new Proxy<{ [keyword: string]: Json }>({ unit: 'm', minimum: 1 }, { ownKeys })
    spendOnSchema({ items }, [1, 2, 3], new WorkBudget())
    expect(ownKeys).toHaveBeenCalledOnce()
  })

  it('where a reference is long', () => {
    const decode = vi.spyOn(globalThis, 'decodeURIComponent')
    const schema = { $defs: { a: {} }, items: { $ref: '#/$defs/%61' } }
    for (const value of [[1, 2, 3], [4]]) spendOnSchema(schema, value, new WorkBudget())
    expect(decode.mock.calls.map(([step]) => step)).toStrictEqual(['$defs', '%61'])
  })
})

function record(count: number): { [name: string]: Json } {
  return Object.fromEntries(times(count, (index) => [`name-${index}`, 1]))
}

function throws(work: () => unknown): boolean {
  try {
    work()
    return false
  } catch {
    return true
  }
}
