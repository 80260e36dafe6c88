import { isJsonList, isObject, type Json, type JsonObject } from '../../lib/json.ts'
import { fromPointer } from '../../lib/pointer.ts'

/** The path in a `$ref` into the same document; undefined for any other reference. */
export function referencePath(reference: Json): readonly string[] | undefined {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return undefined
  return fromPointer(reference.slice(1)).map(decoded)
}

/** The targets of the references of each schema, because a long one takes long to read. */
const targets = new WeakMap<JsonObject, Map<Json, Json | undefined>>()

/** The schema that a `$ref` into the same document names; undefined if it names none. */
export function targetOf(root: Json, reference: Json): Json | undefined {
  if (!isObject(root)) return undefined
  const known = targets.get(root) ?? new Map<Json, Json | undefined>()
  targets.set(root, known)
  if (!known.has(reference)) {
    const path = referencePath(reference)
    known.set(reference, path === undefined ? undefined : schemaAt(root, path))
  }
  return known.get(reference)
}

/** The schema at a path; undefined if there is nothing, or something that a validator does not treat as a schema. */
export function schemaAt(root: Json, steps: readonly string[]): Json | undefined {
  let schema: Json | undefined = root
  for (let at = 0; at < steps.length && schema !== undefined;) {
    const keyword = steps[at] ?? ''
    const inside = memberOf(schema, keyword)
    if (MAPS.has(keyword) || (LISTS.has(keyword) && Array.isArray(inside))) {
      schema = memberOf(inside, steps[at + 1])
      at += 2
    } else {
      schema = SINGLE.has(keyword) ? inside : undefined
      at += 1
    }
  }
  return typeof schema === 'boolean' || isObject(schema) ? schema : undefined
}

function memberOf(value: Json | undefined, name: string | undefined): Json | undefined {
  if (name === undefined) return undefined
  if (isJsonList(value)) return /^(?:0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** Decodes a step of a reference, because fragments of URIs may be percent-encoded. */
function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    return step
  }
}

// These keywords of a JSON Schema (draft 2020-12) contain other schemas.

/** The deepest nesting of schemas. */
export const MOST_LEVELS = 100

/** Keywords with one schema, for the value itself, its items or its members. */
const SINGLE = new Set([
  'not',
  'if',
  'then',
  'else',
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
])
export const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
/** Keywords with a map of schemas. Its names are chosen by the author and are not keywords. */
export const MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])
/** Keywords whose content is not a schema. */
export const DATA = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired', 'type'])
