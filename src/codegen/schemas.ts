import entities from '../../schemas/entities.schema.json' with { type: 'json' }
import importDocument from '../../schemas/import-document.schema.json' with { type: 'json' }
import plan from '../../schemas/plan.schema.json' with { type: 'json' }
import settings from '../../schemas/settings.schema.json' with { type: 'json' }
import { referenceName, type JsonSchema } from '../records/json-schema.ts'

export const IMPORT_DOCUMENT_SCHEMA = importDocument as JsonSchema
export const ENTITIES_SCHEMA = entities as JsonSchema
export const PLAN_SCHEMA = plan as JsonSchema
export const SETTINGS_SCHEMA = settings as JsonSchema

/** The top-level keys of a schema that hold records or entities, each with the name of its definition. */
export function listedDefinitions(schema: JsonSchema): [key: string, definition: string][] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, { items }]) => {
    const definition = items && referenceName(items)
    return definition === undefined ? [] : [[key, definition]]
  })
}
