import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import { HoldfastError } from '../../lib/errors.ts'
import { canonicalText, isObject, type Json } from '../../lib/json.ts'
import { spendOnSchema } from './checking-cost.ts'
import { LinearPattern } from './linear-pattern.ts'
import { surveySchema } from './schema-problem.ts'
import type { WorkBudget } from './work-budget.ts'
import { createRequire } from 'node:module'
import type * as Ajv from 'ajv/dist/2020.js'

export interface ValueSchema {
  /** The first requirement that a value violates, in words; null if there is none. */
  mismatch(value: Json, budget: WorkBudget): string | null
}

type JsonSchema = { readonly [keyword: string]: Json }

/** The cost of compiling one part of a schema, in steps of a budget. */
const STEPS_A_PART = 1000

/** Compiles a JSON Schema (draft 2020-12), or returns the reason why it cannot be used. `format` does not validate. */
export function compileSchema(schema: Json, budget: WorkBudget): ValueSchema | string {
  if (typeof schema !== 'boolean' && !isObject(schema)) return 'it is neither an object nor a boolean'
  const keywords = keywordsOf(schema)
  const parts = surveySchema(keywords, budget)
  if (typeof parts !== 'number') return parts.isEndless ? ANY_VALUE : parts.message
  budget.spend(parts * STEPS_A_PART)
  try {
    return new CompiledSchema(keywords)
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be compiled'
  }
}

/** Accepts every value, because the schema cannot be enforced. */
const ANY_VALUE: ValueSchema = { mismatch: () => null }

/** The keywords of a schema, without its dialect and its name, by which other schemas could refer to it. */
export function keywordsOf(schema: boolean | JsonSchema): JsonSchema {
  const { $schema: _, $id: __, ...keywords } = typeof schema === 'boolean' ? { not: !schema } : schema
  return keywords
}

class CompiledSchema implements ValueSchema {
  readonly #keywords: JsonSchema
  readonly #patterns = new PatternMaker()
  readonly #looksAtRest: boolean
  readonly #validate: ValidateFunction

  constructor(keywords: JsonSchema) {
    this.#keywords = keywords
    this.#looksAtRest = JSON.stringify(keywords).includes('"unevaluatedProperties"')
    this.#validate = newCompiler(this.#patterns).compile(keywords)
  }

  mismatch(value: Json, budget: WorkBudget): string | null {
    if (!spendOnSchema(this.#keywords, value, budget))
      return 'checking the value needs too many steps from one part of the schema to another; make it flatter'
    this.#patterns.budget = budget
    try {
      if (this.#validate(value)) return this.#looksAtRest ? inheritedName(value, budget) : null
    } catch (error) {
      if (error instanceof HoldfastError) throw error
      return error instanceof Error ? error.message : 'the value cannot be checked'
    }
    const [error] = this.#validate.errors ?? []
    return `${error?.instancePath || 'the value'} ${error?.message ?? 'does not meet the schema'}`
  }
}

/** Rejects names that objects inherit. Ajv keeps evaluated members in an ordinary object, which has these. */
function inheritedName(value: Json, budget: WorkBudget): string | null {
  budget.spend(1)
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    if (name in Object.prototype && !Array.isArray(value))
      return `no member can be called ${name} where unevaluatedProperties is used`
    const inside = inheritedName(member, budget)
    if (inside !== null) return inside
  }
  return null
}

/** Creates a compiler. Each schema has its own, because a compiler never frees what it has compiled. */
function newCompiler(patterns: PatternMaker): Ajv2020 {
  const compiler = new (loadAjv().Ajv2020)({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    meta: false,
    logger: false,
    inlineRefs: false,
    ownProperties: true,
    code: { regExp: Object.assign((pattern: string) => patterns.make(pattern), { code: 'LinearPattern' }) },
  })
  // Ajv would compare all pairs of items.
  compiler.removeKeyword('uniqueItems')
  compiler.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: isUnique })
  // Ajv would accept an infinite quotient as an integer.
  compiler.removeKeyword('multipleOf')
  compiler.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    validate: isMultiple,
    error: { message: ({ schema }) => `must be multiple of ${schema}` },
  })
  return compiler
}

/** The tolerance with which 0.3 is a multiple of 0.1. */
const NOISE = 1e-9

function isMultiple(step: number, value: number): boolean {
  const quotient = value / step
  return Number.isFinite(quotient) && Math.abs(Math.round(quotient) - quotient) <= NOISE
}

function isUnique(unique: boolean, items: readonly Json[]): boolean {
  return !unique || new Set(items.map(canonicalText)).size === items.length
}

/** Compiles the patterns of one schema. They use the budget that is set during a check. */
class PatternMaker {
  budget: WorkBudget | null = null

  make(pattern: string): LinearPattern {
    return new LinearPattern(pattern, (steps) => this.budget?.spend(steps))
  }
}

/** Loads the compiler of JSON Schemas on first use, as most documents have none and loading takes 0.1 s. */
export function loadAjv(): typeof Ajv {
  return createRequire(import.meta.url)('ajv/dist/2020.js')
}
