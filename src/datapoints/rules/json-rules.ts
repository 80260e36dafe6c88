import { canonicalText, isObject, type Json } from '../../lib/json.ts'
import type { RecordBody } from '../../records/record-type.ts'
import { parsedSchema } from '../../records/value-schema.ts'
import { compileSchema, type ValueSchema } from '../../records/value-schema/compile-schema.ts'
import { WorkBudget } from '../../records/value-schema/work-budget.ts'
import { parsedText } from '../wire/parsed-text.ts'
import type { StoredValue, ValueRules } from './value.ts'
import { describe, refuseType, type Violation } from './violation.ts'
import { isWireTime } from '../wire/wire-time.ts'

const MOST_LEVELS = 64

/** Members of small objects are found by the shape of the object; of large ones each is looked up, again and again. */
const SMALL_OBJECT = 100
const STEPS_OF_ELEMENT = 2
const STEPS_OF_MEMBER = 10
const STEPS_OF_MEMBER_OF_LARGE = 250

/** JSON: any JSON that meets the `schema`, kept in its canonical form. A schema that cannot be used admits nothing. */
export class JsonRules implements ValueRules {
  readonly kind = 'text'
  readonly #source: Json
  /** Compiled for the first value: a batch may name many characteristics, and compiling is part of what it costs. */
  #schema: ValueSchema | string | null | undefined

  constructor(characteristic: RecordBody) {
    this.#source = characteristic['schema'] ?? null
  }

  accept(value: unknown, budget = new WorkBudget()): string | Violation {
    if (value === null || value === undefined) return refuseType(value, 'JSON')
    this.#schema ??= this.#source === null ? null : compileSchema(parsedSchema(this.#source), budget)
    if (typeof this.#schema === 'string')
      return mismatch(`the schema of the characteristic cannot be used: ${this.#schema}`)
    const problem = jsonProblem(value, 1, budget)
    if (problem !== null) return { code: 'wrong-type', detail: problem }
    const json = numbersOf(value)
    const unmet = this.#schema?.mismatch(json, budget) ?? null
    return unmet === null ? canonicalText(json) : mismatch(unmet)
  }

  show(stored: StoredValue): Json {
    return parsedText(stored as string)
  }
}

function mismatch(detail: string): Violation {
  return { code: 'schema-mismatch', detail }
}

/** MessagePack has values that JSON has not, and JSON.parse makes Infinity of 1e999. */
function jsonProblem(value: unknown, level: number, budget: WorkBudget): string | null {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return null
  if (typeof value === 'number' || typeof value === 'bigint') return numberProblem(value)
  if (level > MOST_LEVELS) return `the value is nested more than ${MOST_LEVELS} levels deep; make it flatter`
  if (isWireTime(value) || value instanceof Uint8Array || (!Array.isArray(value) && !isObject(value))) {
    return `the value must be JSON, but has ${describe(value)} in it`
  }
  budget.spend(stepsOf(value))
  for (const member of Array.isArray(value) ? (value as readonly unknown[]) : Object.values(value)) {
    const problem = jsonProblem(member, level + 1, budget)
    if (problem !== null) return problem
  }
  return null
}

/** What finding, sorting and writing its members takes. */
function stepsOf(value: object): number {
  if (Array.isArray(value)) return value.length * STEPS_OF_ELEMENT
  const count = Object.keys(value).length
  return count * (count > SMALL_OBJECT ? STEPS_OF_MEMBER_OF_LARGE : STEPS_OF_MEMBER)
}

/** Whole numbers beyond 2^53 come as bigints, of which every digit counts; 1e22 is a number like any other. */
function numberProblem(value: number | bigint): string | null {
  if (!Number.isFinite(Number(value))) return 'a number in the value is too large for JSON'
  if (typeof value === 'number' || wholeOf(Number(value)) === value) return null
  return `the whole number ${value} in the value would lose digits on its way; send it as a string`
}

/** As it is written: 2^60 is a double, and is written 1152921504606847000. */
function wholeOf(value: number): bigint {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length)
}

/** Once there is no problem: with bigints as the numbers that they are. Values mostly have none, and stay what they are. */
function numbersOf(value: unknown): Json {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value !== 'object' || value === null) return value as Json
  if (Array.isArray(value)) {
    const list = value.map(numbersOf)
    return list.some((member, index) => member !== value[index]) ? list : (value as Json)
  }
  const members = Object.entries(value)
  const numbers = members.map(([key, member]) => [key, numbersOf(member)] as const)
  const isChanged = numbers.some(([, member], index) => member !== members[index]?.[1])
  return isChanged ? Object.fromEntries(numbers) : (value as Json)
}
