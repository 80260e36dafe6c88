import { canonicalText, isObject, type Json } from '../../lib/json.ts'
import type { RecordBody } from '../record-type.ts'
import { checkValueSchema, parsedSchema } from '../value-schema/check-value-schema.ts'
import { compileSchema, type ValueSchema } from '../value-schema/compile-schema.ts'
import { WorkBudget } from '../value-schema/work-budget.ts'
import { jsonTextRules } from '../values/text-rules.ts'
import type { ValueRules } from '../values/value.ts'
import { describe, refuseType, type Violation } from '../values/violation.ts'
import { isWireTime } from '../values/wire-time.ts'
import { declareDataType } from './declaration.ts'

const MOST_LEVELS = 64

/** The engine finds members of small objects by their shape, but must look up each member of a large object. */
const SMALL_OBJECT = 100
const STEPS_OF_ELEMENT = 2
const STEPS_OF_MEMBER = 10
const STEPS_OF_MEMBER_OF_LARGE = 250

/** Any JSON value that matches the `schema`, stored in canonical form. An unusable schema rejects every value. */
export const JSON_TYPE = declareDataType({
  name: 'JSON',
  kind: 'text',
  value: 'any JSON except null that meets the `schema`',
  honours: ['schema'],
  boundary: null,
  rules: jsonRules,
  clientType: () => ({ union: ['unknown'] }),
  example: () => ({}),
  input: 'json',
  hint: 'JSON, such as {"mode": 1}.',
  shape: 'text',
  check: ({ schema }, report) => checkValueSchema(schema ?? null, report),
})

/** The schema is compiled for the first value. Compiling counts towards the budget of the batch. */
function jsonRules(characteristic: RecordBody): ValueRules<'text'> {
  const source = characteristic['schema'] ?? null
  let schema: ValueSchema | string | null = null
  return jsonTextRules((value, budget = new WorkBudget()) => {
    if (value === null || value === undefined) return refuseType(value, 'JSON')
    if (source !== null) schema ??= compileSchema(parsedSchema(source), budget)
    if (typeof schema === 'string') return mismatch(`the schema of the characteristic cannot be used: ${schema}`)
    const problem = jsonProblem(value, 1, budget)
    if (problem !== null) return { code: 'wrong-type', detail: problem }
    const json = numbersOf(value)
    const unmet = schema?.mismatch(json, budget) ?? null
    return unmet === null ? canonicalText(json) : mismatch(unmet)
  })
}

function mismatch(detail: string): Violation {
  return { code: 'schema-mismatch', detail }
}

/** Finds values that JSON does not have. They come from MessagePack, or JSON.parse, which makes 1e999 Infinity. */
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

/** The cost of finding, sorting and writing the members of a value. */
function stepsOf(value: object): number {
  if (Array.isArray(value)) return value.length * STEPS_OF_ELEMENT
  const count = Object.keys(value).length
  return count * (count > SMALL_OBJECT ? STEPS_OF_MEMBER_OF_LARGE : STEPS_OF_MEMBER)
}

/**
 * Finds numbers that cannot be stored exactly. Integers beyond 2^53 arrive as bigints and keep every digit. A number
 * with an exponent, such as 1e22, is an ordinary number.
 */
function numberProblem(value: number | bigint): string | null {
  if (!Number.isFinite(Number(value))) return 'a number in the value is too large for JSON'
  if (typeof value === 'number' || wholeOf(Number(value)) === value) return null
  return `the whole number ${value} in the value would lose digits on its way; send it as a string`
}

/** The integer that the shortest decimal form of a double shows. For the double 2^60 it is 1152921504606847000. */
function wholeOf(value: number): bigint {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length)
}

/** Converts bigints to numbers in a value without problems. Most values contain none and are returned unchanged. */
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
