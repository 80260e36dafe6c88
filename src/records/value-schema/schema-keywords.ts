// Where a JSON Schema (draft 2020-12) holds other schemas.

/** The most levels of schemas inside each other. */
export const MOST_LEVELS = 100

/** One schema, of the value itself, of its items or of its members. */
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
/** Their members are named by the author, so they are no keywords. */
export const MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])
/** What is in them is no schema. */
export const DATA = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired', 'type'])
