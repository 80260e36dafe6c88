import { isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { fromPointer } from '../../lib/pointer.ts'

// A schema decides how much work every value makes. It is refused where that has no bound (a schema that refers to
// itself), too high a one (references that multiply), or where it is not all there (references elsewhere).

/** Schemas and listed values, with each reference counted as what it refers to. */
const MOST_PARTS = 1000

const DATA = new Set(['const', 'enum', 'default', 'examples', 'required'])
/** Their members are named by the author, so they are no keywords. */
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'])
const REFUSED = new Set(['$id', 'id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$async'])

/** Why values cannot be checked against a JSON Schema, null where they can. */
export function schemaProblem(schema: Json): string | null {
  const survey = new Survey(schema)
  const parts = survey.weigh(schema)
  if (survey.problem !== null) return survey.problem
  return parts > MOST_PARTS
    ? `it has more than ${MOST_PARTS} parts, counting each reference as what it refers to`
    : null
}

class Survey {
  problem: string | null = null
  readonly #root: Json
  /** null while a schema is being weighed: who meets it then has gone in a circle. */
  readonly #weights = new Map<JsonObject, number | null>()

  constructor(root: Json) {
    this.#root = root
  }

  weigh(schema: Json): number {
    if (Array.isArray(schema)) return this.#sum(schema as readonly Json[])
    if (!isObject(schema)) return 1
    const node = schema as JsonObject
    const known = this.#weights.get(node)
    if (known === null) this.problem ??= 'it refers to itself'
    if (known !== undefined) return known ?? 0
    this.#weights.set(node, null)
    const weight = Object.entries(node).reduce((sum, [keyword, value]) => sum + this.#weighKeyword(keyword, value), 1)
    this.#weights.set(node, weight)
    return weight
  }

  #weighKeyword(keyword: string, value: Json): number {
    if (REFUSED.has(keyword)) this.problem ??= `it uses ${keyword}`
    if (keyword === '$ref') return this.#weighReference(value)
    if (DATA.has(keyword)) return countParts(value)
    if (MAPS.has(keyword) && isObject(value)) return this.#sum(Object.values(value as JsonObject))
    return typeof value === 'object' && value !== null ? this.weigh(value) : 0
  }

  #weighReference(reference: Json): number {
    const target = typeof reference === 'string' ? this.#find(reference) : undefined
    if (target !== undefined) return this.weigh(target)
    this.problem ??= `its $ref ${JSON.stringify(reference)} names nothing inside of it`
    return 0
  }

  #find(reference: string): Json | undefined {
    if (!/^#(?:\/|$)/.test(reference)) return undefined
    let target: Json | undefined = this.#root
    for (const step of fromPointer(reference.slice(1))) {
      const name = decoded(step)
      target = isObject(target) && Object.hasOwn(target, name) ? (target as JsonObject)[name] : at(target, name)
    }
    return target
  }

  #sum(schemas: readonly Json[]): number {
    return schemas.reduce<number>((sum, schema) => sum + this.weigh(schema), 0)
  }
}

function at(list: Json | undefined, index: string): Json | undefined {
  return Array.isArray(list) ? (list as readonly Json[])[Number(index)] : undefined
}

/** A reference is a URI, whose fragment may be percent-encoded. */
function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

function countParts(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, part) => sum + countParts(part as Json), 1)
}
