import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { LISTS, MOST_LEVELS } from './schema-keywords.ts'
import { referencePath, schemaAt } from './schema-reference.ts'

const SAME_VALUE = ['not', 'if', 'then', 'else'] as const
const SAME_VALUE_MAPS = ['dependentSchemas', 'dependencies'] as const

/** Finds schemas that apply themselves to the same value again. */
export class Circles {
  readonly #root: Json
  /** Whether all that a schema applies to the same value is known to end. */
  readonly #ends = new Map<JsonObject, boolean>()

  constructor(root: Json) {
    this.#root = root
  }

  /** Tells whether a schema leads back to itself, or to another one that does. */
  startAt(schema: Json | undefined, level = 0): boolean {
    // A deeper schema is refused because of its depth.
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
