import { referenceName, type InputNote, type JsonSchema } from '../records/json-schema.ts'
import { spoken } from '../server/graphql/names.ts'
import { listedDefinitions } from './schemas.ts'

// A definition of `entities.schema.json` becomes up to three TypeScript types: the stored entity, the values for a new
// one, and the values for a change. Parts of entities do, too. The filter of an entity's lists has its own definition.

/** A schema node. `tsType` is used as its TypeScript type, unchanged. */
type Shape = JsonSchema & { readonly tsType?: string }

type Definitions = { readonly [name: string]: JsonSchema }

export function entityShapes(schema: JsonSchema): JsonSchema {
  const entities = listedDefinitions(schema).map(([, name]) => name)
  const parts = partsOf(schema, entities)
  const shapes = new Map([...entities, ...parts].map((name) => [name, shapesOf(name, schema.$defs ?? {})]))
  const typesOf = (names: readonly string[], filters: (name: string) => readonly string[]) => ({
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, namesOf(shapes.get(name) ?? {}, filters(name))])),
  })
  return {
    description: 'The types of each entity.',
    ...typesOf(entities, (name) => filterOf(name, schema)),
    $defs: {
      ...schema.$defs,
      ...Object.assign({}, ...shapes.values()),
      EntityParts: { description: 'The types of the parts of entities.', ...typesOf(parts, () => []) },
    },
  }
}

/** Returns the names of the objects that are fields of entities. */
function partsOf({ $defs = {} }: JsonSchema, entities: readonly string[]): string[] {
  return Object.entries($defs)
    .filter(([name, { properties }]) => properties !== undefined && !entities.includes(name) && !isFilter(name))
    .map(([name]) => name)
}

function isFilter(name: string): boolean {
  return name.endsWith('Filter')
}

function shapesOf(name: string, definitions: Definitions): Definitions {
  const node = definitions[name] ?? {}
  const what = spoken({ definition: name })
  const created = asGiven(node.create?.description ?? `A new ${what}.`, node, 'create', definitions)
  const leftOut = `Changes to a ${what}. Fields that you leave out stay as they are.`
  const patch = asGiven(node.patch?.description ?? leftOut, node, 'patch', definitions)
  return {
    [name]: asStored(node),
    ...(created && { [`New${name}`]: created }),
    ...(patch && { [`${name}Patch`]: patch }),
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
  return isFilter(name) ? 'filter' : 'entity'
}

/** The shape of the stored entity, which has all fields that are shown. */
function asStored({ properties = {}, create: _, patch: __, ...node }: JsonSchema): JsonSchema {
  const shown = Object.entries(properties).filter(([, { writeOnly }]) => writeOnly !== true)
  const fields = shown.map(([name, field]): [string, Shape] => [name, storedField(field)])
  return { ...node, properties: Object.fromEntries(fields), required: fields.map(([name]) => name) }
}

/**
 * The types of the entities as the API answers with them: a time is text, and a field may be null instead of left out.
 */
export function answerShapes({ $defs = {} }: JsonSchema): JsonSchema {
  const shapes = Object.entries($defs).filter(([name]) => !isFilter(name))
  const objects = shapes.filter(([, { properties }]) => properties !== undefined).map(([name]) => name)
  const references = objects.map((name): [string, JsonSchema] => [name, { $ref: `#/$defs/${name}` }])
  return {
    description: 'The entities as the API answers with them, and their parts.',
    type: 'object',
    required: objects,
    properties: Object.fromEntries(references),
    $defs: Object.fromEntries(shapes.map(([name, node]) => [name, asAnswered(node)])),
  }
}

function asAnswered({ create: _, patch: __, ...node }: JsonSchema): JsonSchema {
  if (node.properties === undefined) return node
  const shown = Object.entries(node.properties).filter(([, { writeOnly }]) => writeOnly !== true)
  const fields = shown.map(([name, { create: _create, patch: _patch, rest: _rest, ...field }]): [string, Shape] => {
    const isAlwaysThere = node.required?.includes(name) === true || field.default !== undefined
    return [name, isAlwaysThere ? field : orNull(field)]
  })
  return { ...node, properties: Object.fromEntries(fields), required: fields.map(([name]) => name) }
}

function orNull({ description = '', ...field }: JsonSchema): JsonSchema {
  return { description, anyOf: [field, { type: 'null' }] }
}

function storedField({ create: _, patch: __, rest: ___, ...field }: JsonSchema): Shape {
  if (isOpen(field)) return { ...field, tsType: 'unknown' }
  if (field.format !== 'date-time') return field
  const type = field.precision === 'microseconds' ? 'number' : 'Date'
  return { description: field.description ?? '', tsType: allowsNull(field) ? `${type} | null` : type }
}

/** Returns the shape of the values that a client may send; null if it may send none. */
function asGiven(
  description: string,
  { properties = {} }: JsonSchema,
  when: 'create' | 'patch',
  definitions: Definitions,
): JsonSchema | null {
  const given = Object.entries(properties).flatMap(([name, field]): [string, Shape, boolean][] => {
    const note = field[when]
    if (note === undefined) return []
    const described = note.description ?? field.create?.description ?? field.description ?? ''
    const shape = givenField(asNew(field, definitions), { ...note, description: described })
    return [[note.name ?? name, shape, note.required === true]]
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
  const described = { ...field, description: note.description ?? '' }
  if (isOpen(field)) return { ...described, tsType: 'unknown' }
  if (note.required === true || field.anyOf !== undefined) return described
  const name = referenceName(field)
  if (name !== undefined) return { description: described.description, tsType: `${name} | null` }
  return { ...described, type: [...new Set([...[field.type ?? []].flat(), 'null'])] }
}

/** If a part has its own form for new values, refers to that form. */
function asNew(field: JsonSchema, definitions: Definitions): JsonSchema {
  const { $ref, items, anyOf } = field
  const name = referenceName(field) ?? ''
  const isGiven = Object.values(definitions[name]?.properties ?? {}).some(({ create }) => create !== undefined)
  return {
    ...field,
    ...($ref !== undefined && isGiven && { $ref: `#/$defs/New${name}` }),
    ...(items !== undefined && { items: asNew(items, definitions) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map((one) => asNew(one, definitions)) }),
  }
}

/** Tells whether a value may have any type. */
function isOpen({ type, $ref, anyOf }: JsonSchema): boolean {
  return type === undefined && $ref === undefined && anyOf === undefined
}

function allowsNull({ type }: JsonSchema): boolean {
  return [type ?? []].flat().includes('null')
}
