import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { misjudged } from './misjudged.ts'
import { LinearPattern } from './linear-pattern.ts'
import { DATA, MAPS, MOST_LEVELS, LISTS, referencePath, schemaAt } from './schema-reference.ts'
import { WorkBudget } from './work-budget.ts'

// A schema determines the work for every value. It is rejected if the bound of this work is too high (because
// references multiply) or if it refers to other documents. A schema may refer to itself for parts of a value, because
// that work ends with the value and is counted for each value. A schema that applies itself to the same value again
// would never end, and is not used.

/** The maximum number of schemas and listed values. Each reference counts as much as its target. */
const MOST_PARTS = 1000
/** The maximum number of values in a schema with that many parts. A part has few keywords. */
const MOST_WRITTEN = 10 * MOST_PARTS
/** The maximum number of instructions of all patterns of one schema. */
const MOST_PATTERN_INSTRUCTIONS = 2000

const REFUSED = new Set([
  '$id',
  'id',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$async',
  // A keyword of OpenAPI, which the validator would interpret differently.
  'nullable',
])

/** The reason why values cannot be checked against a JSON Schema. */
export interface SchemaProblem {
  /** The path of the keyword that causes the problem. */
  readonly path: readonly string[]
  readonly message: string
  /** Whether the schema is too deep or too large to be checked for other mistakes. */
  readonly isTooLarge: boolean
  /** Whether a check of any value would never end. */
  readonly isEndless: boolean
}

/** The number of parts of a JSON Schema, or the reason why values cannot be checked against it. */
export function surveySchema(schema: Json, budget = new WorkBudget()): number | SchemaProblem {
  // The size comes first, because another problem would end the survey before all parts were counted.
  if (isWrittenTooLong(schema)) return { path: [], message: TOO_MANY_PARTS, isTooLarge: true, isEndless: false }
  const survey = new Survey(schema, budget)
  const parts = survey.weigh(schema, [])
  if (survey.problem !== null) return survey.problem
  if (parts > MOST_PARTS) return { path: [], message: TOO_MANY_PARTS, isTooLarge: false, isEndless: false }
  // These checks look at all parts that apply to the same value, so the number of parts must be known before.
  return survey.endless() ?? survey.misjudgement() ?? parts
}

const TOO_MANY_PARTS = `it has more than ${MOST_PARTS} parts, each reference counted with its target`
const ENDLESS = 'it applies itself to the same value again, without looking into it, so a check would never end'

type Path = readonly string[]

class Survey {
  problem: SchemaProblem | null = null
  readonly #root: Json
  /** The weight of each schema; null while it is being computed. A reference of a schema to itself adds nothing. */
  readonly #weights = new Map<JsonObject, number | null>()
  readonly #budget: WorkBudget
  readonly #nodes: { readonly node: JsonObject; readonly path: Path }[] = []
  readonly #patterns = new Set<string>()
  #instructions = 0
  #level = 0
  #visited = 0

  constructor(root: Json, budget: WorkBudget) {
    this.#root = root
    this.#budget = budget
  }

  /** The first schema that applies itself to the same value again. */
  endless(): SchemaProblem | null {
    const circles = new Circles(this.#root)
    const found = this.#nodes.find(({ node }) => circles.startAt(node))
    return found === undefined ? null : { path: found.path, message: ENDLESS, isTooLarge: false, isEndless: true }
  }

  /** The first schema that the validator would evaluate wrongly. */
  misjudgement(): SchemaProblem | null {
    for (const { node, path } of this.#nodes) {
      const found = misjudged(node, this.#root, this.#budget)
      if (found !== null) this.#report([...path, found.keyword], found.message)
    }
    return this.problem
  }

  weigh(schema: Json, path: Path): number {
    if (this.#level >= MOST_LEVELS) this.#report(path, `it is nested more than ${MOST_LEVELS} levels deep`, true)
    if (this.problem !== null) return 0
    this.#level += 1
    const weight = this.#weigh(schema, path)
    this.#level -= 1
    return weight
  }

  #weigh(schema: Json, path: Path): number {
    if (Array.isArray(schema)) return this.#sum(schema, path)
    if (!isObject(schema)) return this.#visit(1)
    const node = schema
    const known = this.#weights.get(node)
    if (known !== undefined) return known ?? 0
    this.#weights.set(node, null)
    this.#visit(1)
    this.#nodes.push({ node, path })
    const weights = Object.entries(node).map(([keyword, value]) =>
      this.#weighKeyword(keyword, value, [...path, keyword]),
    )
    const weight = weights.reduce((sum, one) => sum + one, 1)
    this.#weights.set(node, weight)
    return weight
  }

  #weighKeyword(keyword: string, value: Json, path: Path): number {
    if (REFUSED.has(keyword)) this.#report(path, `it uses ${keyword}`)
    if (keyword === '$ref') return this.#weighReference(value, path)
    if (keyword === 'pattern' && typeof value === 'string') this.#tryPattern(value, path)
    if (keyword === 'patternProperties' && isObject(value))
      for (const pattern of Object.keys(value)) this.#tryPattern(pattern, [...path, pattern])
    if (keyword === 'enum' && Array.isArray(value) && value.length === 0) this.#report(path, 'its enum is empty')
    if (DATA.has(keyword)) return this.#visit(countParts(value))
    if (MAPS.has(keyword) && isObject(value)) return this.#sum(value, path)
    return typeof value === 'object' && value !== null ? this.weigh(value, path) : 0
  }

  /** Counts parts. It stops when there are too many, so that a large schema costs no more than others. */
  #visit(parts: number): number {
    this.#budget.spend(parts)
    this.#visited += parts
    if (this.#visited > MOST_PARTS) this.#report([], TOO_MANY_PARTS, true)
    return parts
  }

  #weighReference(reference: Json, path: Path): number {
    const steps = referencePath(reference)
    const target = steps === undefined ? undefined : schemaAt(this.#root, steps)
    if (steps !== undefined && target !== undefined) return this.weigh(target, steps)
    this.#report(path, `its $ref ${JSON.stringify(reference)} names nothing inside of it`)
    return 0
  }

  #tryPattern(pattern: string, path: Path): void {
    if (this.problem !== null || this.#patterns.has(pattern)) return
    this.#patterns.add(pattern)
    this.#budget.spend(pattern.length)
    try {
      this.#instructions += new LinearPattern(pattern).size
    } catch (error) {
      this.#report(path, `its pattern cannot be used: ${error instanceof Error ? error.message : 'it cannot be read'}`)
    }
    if (this.#instructions > MOST_PATTERN_INSTRUCTIONS) this.#report(path, 'its patterns are too many or too large')
  }

  /** Keeps only the first problem. */
  #report(path: Path, message: string, isTooLarge = false): void {
    this.problem ??= { path, message, isTooLarge, isEndless: false }
  }

  #sum(schemas: { readonly [name: string]: Json } | readonly Json[], path: Path): number {
    return Object.entries(schemas).reduce((sum, [name, schema]) => sum + this.weigh(schema, [...path, name]), 0)
  }
}

function isWrittenTooLong(schema: Json): boolean {
  const waiting: Json[] = [schema]
  for (let count = 0; waiting.length > 0; count += 1) {
    const value = waiting.pop()
    if (count + waiting.length > MOST_WRITTEN) return true
    if (Array.isArray(value)) for (const item of value) waiting.push(item)
    else if (isObject(value)) for (const part of Object.values(value)) waiting.push(part)
  }
  return false
}

function countParts(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, part) => sum + countParts(part), 1)
}

const SAME_VALUE = ['not', 'if', 'then', 'else'] as const
const SAME_VALUE_MAPS = ['dependentSchemas', 'dependencies'] as const

/** Finds schemas that apply themselves to the same value again. */
class Circles {
  readonly #root: Json
  /** Whether the application of a schema to one value is known to end. */
  readonly #ends = new Map<JsonObject, boolean>()

  constructor(root: Json) {
    this.#root = root
  }

  /** Tells whether a schema leads back to itself, or to another one that does. */
  startAt(schema: Json | undefined, level = 0): boolean {
    // A deeper schema is rejected because of its depth.
    if (!isObject(schema) || level > MOST_LEVELS) return false
    const known = this.#ends.get(schema)
    if (known !== undefined) return !known
    this.#ends.set(schema, false)
    const isCircle = this.#besides(schema).some((other) => this.startAt(other, level + 1))
    this.#ends.set(schema, !isCircle)
    return isCircle
  }

  /** The schemas that apply to the same value. */
  #besides(schema: JsonObject): readonly (Json | undefined)[] {
    const { $ref: reference } = schema
    const target = typeof reference === 'string' ? referencePath(reference) : undefined
    return [
      ...(target === undefined ? [] : [schemaAt(this.#root, target)]),
      ...SAME_VALUE.map((keyword) => schema[keyword]),
      ...[...LISTS].filter((keyword) => keyword !== 'prefixItems').flatMap((keyword) => membersOf(schema[keyword])),
      ...SAME_VALUE_MAPS.flatMap((keyword) => membersOf(schema[keyword])),
    ]
  }
}

function membersOf(value: Json | undefined): readonly Json[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}
