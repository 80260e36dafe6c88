import { isJsonList, isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { targetOf } from './schema-reference.ts'
import type { WorkBudget } from './work-budget.ts'

// A validator cannot be interrupted, so the cost of a check is estimated in advance: each part of the schema for each
// part of the value that it applies to, even if the validator would skip it. Patterns are counted while they run.

/** The number of characters that are counted or compared in one step. */
const CHARACTERS_A_STEP = 16
/** The cost of listing the name of a member in a very large object. */
const STEPS_A_NAME = 16

const LOOK_AT_NAMES = new Set([
  'minProperties',
  'maxProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'patternProperties',
  'propertyNames',
])

/** The keywords that cost more than the step of their part. */
const COSTLY = new Set([
  ...LOOK_AT_NAMES,
  '$ref',
  'enum',
  'const',
  'required',
  'dependentRequired',
  'uniqueItems',
  'not',
  'if',
  'then',
  'else',
  'allOf',
  'anyOf',
  'oneOf',
  'dependentSchemas',
  'dependencies',
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'prefixItems',
  'properties',
])

/** The costly keywords of each part, because a part may have thousands of others. */
const costly = new WeakMap<JsonObject, readonly (readonly [string, Json])[]>()

function costlyIn(schema: JsonObject): readonly (readonly [string, Json])[] {
  const known = costly.get(schema)
  if (known !== undefined) return known
  const found = Object.entries(schema).filter(([keyword]) => COSTLY.has(keyword))
  costly.set(schema, found)
  return found
}

/** How often a check may go from one part of a schema into another: more would exhaust the stack. */
const DEEPEST = 1000

/** Spends the cost of checking the value. Returns false if the check would be nested too deeply. */
export function spendOnSchema(root: Json, value: Json, budget: WorkBudget): boolean {
  const counter = new Counter(root, budget)
  counter.spend(root, value)
  return !counter.isTooDeep
}

class Counter {
  isTooDeep = false
  readonly #root: Json
  readonly #budget: WorkBudget
  readonly #names = new Map<object, number>()
  #depth = 0

  constructor(root: Json, budget: WorkBudget) {
    this.#root = root
    this.#budget = budget
  }

  spend(schema: Json | undefined, value: Json): void {
    this.#budget.spend(typeof value === 'string' ? 1 + value.length / CHARACTERS_A_STEP : 1)
    if (!isObject(schema)) return
    this.#depth += 1
    if (this.#depth > DEEPEST) this.isTooDeep = true
    else for (const [keyword, inside] of costlyIn(schema)) this.#spendOn(keyword, inside, value)
    this.#depth -= 1
  }

  #spendOn(keyword: string, inside: Json, value: Json): void {
    switch (keyword) {
      case '$ref':
        return this.spend(targetOf(this.#root, inside), value)
      case 'enum':
      case 'const':
      case 'required':
      case 'dependentRequired':
        return this.#budget.spend(sizeOf(inside))
      case 'uniqueItems':
        // The validator converts each item to text.
        return this.#budget.spend(8 * sizeOf(value))
      case 'not':
      case 'if':
      case 'then':
      case 'else':
        return this.spend(inside, value)
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
      case 'dependentSchemas':
      case 'dependencies':
        return membersOf(inside).forEach((schema) => this.spend(schema, value))
      default:
        if (isJsonList(value)) this.#spendOnItems(keyword, inside, value)
        else if (isObject(value)) this.#spendOnMembers(keyword, inside, value)
    }
  }

  #spendOnItems(keyword: string, inside: Json, items: readonly Json[]): void {
    switch (keyword) {
      case 'items':
      case 'additionalItems':
      case 'unevaluatedItems':
      case 'contains':
        return items.forEach((item) => this.spend(inside, item))
      case 'prefixItems':
        return membersOf(inside).forEach((schema, index) => this.spend(schema, items[index] ?? null))
    }
  }

  #spendOnMembers(keyword: string, inside: Json, members: JsonObject): void {
    if (LOOK_AT_NAMES.has(keyword)) this.#spendOnNames(members)
    switch (keyword) {
      case 'additionalProperties':
      case 'unevaluatedProperties':
        return membersOf(members).forEach((member) => this.spend(inside, member))
      case 'propertyNames':
        return Object.keys(members).forEach((name) => this.spend(inside, name))
      case 'patternProperties':
        return membersOf(inside).forEach((schema) => membersOf(members).forEach((member) => this.spend(schema, member)))
      case 'properties':
        return entriesOf(inside).forEach(([name, schema]) => this.spend(schema, members[name] ?? null))
    }
  }

  #spendOnNames(members: JsonObject): void {
    const names = this.#names.get(members) ?? Object.keys(members).length
    this.#names.set(members, names)
    this.#budget.spend(STEPS_A_NAME * names)
  }
}

function membersOf(value: Json): readonly Json[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}

function entriesOf(value: Json): readonly (readonly [string, Json])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function sizeOf(value: Json): number {
  if (typeof value === 'string') return 1 + value.length / CHARACTERS_A_STEP
  return membersOf(value).reduce<number>((sum, member) => sum + sizeOf(member), 1)
}
