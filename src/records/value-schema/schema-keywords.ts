// These keywords of a JSON Schema (draft 2020-12) contain other schemas.

/** The deepest nesting of schemas. */
export const MOST_LEVELS = 100

/** Keywords with one schema, for the value itself, its items or its members. */
export const SINGLE = new Set([
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
/** Keywords with a map of schemas. The author chooses the names in it, so they are no keywords. */
export const MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])
/** Keywords whose content is no schema. */
export const DATA = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired', 'type'])
