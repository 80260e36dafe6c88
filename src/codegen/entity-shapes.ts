import { referenceName, type InputNote, type JsonSchema } from '../records/json-schema.ts'
import { spoken } from '../server/graphql/names.ts'
import { listedDefinitions } from './schemas.ts'

// A definition of `entities.schema.json` becomes up to three TypeScript types: the entity as the platform has it, the
// values for a new one, and the values for a change. The filter of its lists is a definition of its own.

/** A schema node. `tsType` is used as its TypeScript type, unchanged. */
type Shape = JsonSchema & { readonly tsType?: string }

type Definitions = { readonly [name: string]: JsonSchema }

export function entityShapes(schema: JsonSchema): JsonSchema {
  const entities = listedDefinitions(schema).map(([, name]) => shapesOf(name, schema.$defs?.[name] ?? {}))
  return {
    description: 'The types of each entity.',
    type: 'object',
    required: entities.map(({ name }) => name),
    properties: Object.fromEntries(entities.map(({ name, shapes }) => [name, namesOf(shapes, filterOf(name, schema))])),
    $defs: { ...schema.$defs, ...Object.assign({}, ...entities.map(({ shapes }) => shapes)) },
  }
}

function shapesOf(name: string, node: JsonSchema): { readonly name: string; readonly shapes: Definitions } {
  const what = spoken({ definition: name })
  const created = asGiven(`A new ${what}.`, node, 'create')
  const patch = asGiven(`What to change of a ${what}. A field that is left out stays as it is.`, node, 'patch')
  return {
    name,
    shapes: {
      [name]: asStored(node),
      ...(created && { [`New${name}`]: created }),
      ...(patch && { [`${name}Patch`]: patch }),
    },
  }
}

function filterOf(name: string, { $defs = {} }: JsonSchema): readonly string[] {
  return [`${name}Filter`].filter((filter) => filter in $defs)
}

/** `{ entity: System, created: NewSystem, patch: SystemPatch, filter: SystemFilter }` */
function namesOf(shapes: Definitions, filters: readonly string[]): JsonSchema {
  const keys = [...Object.keys(shapes), ...filters].map((name): [string, JsonSchema] => {
    return [keyOf(name), { $ref: `#/$defs/${name}` }]
  })
  return { type: 'object', required: keys.map(([key]) => key), properties: Object.fromEntries(keys) }
}

function keyOf(name: string): string {
  if (name.startsWith('New')) return 'created'
  if (name.endsWith('Patch')) return 'patch'
  return name.endsWith('Filter') ? 'filter' : 'entity'
}

/** The shape of the stored entity, which has all fields. */
function asStored({ properties = {}, ...node }: JsonSchema): JsonSchema {
  const fields = Object.entries(properties).map(([name, field]): [string, Shape] => [name, storedField(field)])
  return { ...node, properties: Object.fromEntries(fields), required: Object.keys(properties) }
}

function storedField({ create: _, patch: __, rest: ___, ...field }: JsonSchema): Shape {
  if (isOpen(field)) return { ...field, tsType: 'unknown' }
  if (field.format !== 'date-time') return field
  const type = field.precision === 'microseconds' ? 'number' : 'Date'
  return { description: field.description ?? '', tsType: allowsNull(field) ? `${type} | null` : type }
}

/** The shape of the values that may be given; null where none may be. */
function asGiven(description: string, { properties = {} }: JsonSchema, when: 'create' | 'patch'): JsonSchema | null {
  const given = Object.entries(properties).flatMap(([name, field]): [string, Shape, boolean][] => {
    const note = field[when]
    return note === undefined ? [] : [[note.name ?? name, givenField(field, note), note.required === true]]
  })
  if (given.length === 0) return null
  return {
    description,
    type: 'object',
    properties: Object.fromEntries(given),
    required: given.flatMap(([name, , isRequired]) => (isRequired ? [name] : [])),
  }
}

/** The shape of a given value. Fields that are not required may also be null. */
function givenField({ create: _, patch: __, rest: ___, default: ____, ...field }: JsonSchema, note: InputNote): Shape {
  const described = { ...field, description: note.description ?? field.description ?? '' }
  if (note.required === true) return described
  const name = referenceName(field)
  if (name !== undefined) return { description: described.description, tsType: `${name} | null` }
  return { ...described, type: [...new Set([...[field.type ?? []].flat(), 'null'])] }
}

/** Whether a value may be of any type. */
function isOpen({ type, $ref, anyOf }: JsonSchema): boolean {
  return type === undefined && $ref === undefined && anyOf === undefined
}

function allowsNull({ type }: JsonSchema): boolean {
  return [type ?? []].flat().includes('null')
}
