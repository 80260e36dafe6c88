import type { Json, JsonObject } from '../lib/json.ts'
import { toSnake } from '../lib/letter-case.ts'
import { entityFields, type Entity, type EntityField } from '../records/entity.ts'

// Entities in the REST API: the fields that the schema marks with `rest`, in snake case.

function restFields(entity: Entity): readonly EntityField[] {
  return entityFields(entity).filter(({ node }) => node.rest !== undefined)
}

/** Returns the JSON Schemas of the members. `any` is the schema of a value of any type. */
export function restProperties(entity: Entity, any: JsonObject): JsonObject {
  const properties = restFields(entity).map(({ name, node }): [string, JsonObject] => {
    const { type, format, rest, description = '' } = node
    if (type === undefined) return [toSnake(name), any]
    return [
      toSnake(name),
      { type, ...(format !== undefined && { format }), description: rest?.description ?? description },
    ]
  })
  return Object.fromEntries(properties)
}

export function restView(entity: Entity, source: object): JsonObject {
  const values = source as { readonly [field: string]: Json | Date | undefined }
  return Object.fromEntries(
    restFields(entity).map(({ name }) => {
      const value = values[name] ?? null
      return [toSnake(name), value instanceof Date ? value.toISOString() : value]
    }),
  )
}
