import { referenceName, type InputNote, type JsonSchema } from '../records/json-schema.ts'
import { spoken } from '../server/graphql/names.ts'
import { listedDefinitions } from './schemas.ts'

// From a definition of `entities.schema.json` the compiler of types gets up to three: the entity as the platform has it,
// what is given to make a new one, and what is given to change one.

/** A node whose TypeScript is said as it stands. */
type Shape = JsonSchema & { readonly tsType?: string }

type Definitions = { readonly [name: string]: JsonSchema }

export function entityShapes(schema: JsonSchema): JsonSchema {
  const entities = listedDefinitions(schema).map(([, name]) => shapesOf(name, schema.$defs?.[name] ?? {}))
  return {
    description: 'The types of each entity.',
    type: 'object',
    required: entities.map(({ name }) => name),
    properties: Object.fromEntries(entities.map(({ name, shapes }) => [name, namesOf(shapes)])),
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

/** `{ entity: System, created: NewSystem, patch: SystemPatch }` */
function namesOf(shapes: Definitions): JsonSchema {
  const keys = Object.keys(shapes).map((name): [string, JsonSchema] => {
    const key = name.startsWith('New') ? 'created' : name.endsWith('Patch') ? 'patch' : 'entity'
    return [key, { $ref: `#/$defs/${name}` }]
  })
  return { type: 'object', required: keys.map(([key]) => key), properties: Object.fromEntries(keys) }
}

/** With all fields: the platform leaves none out. */
function asStored({ properties = {}, ...node }: JsonSchema): JsonSchema {
  const fields = Object.entries(properties).map(([name, field]): [string, Shape] => [name, storedField(field)])
  return { ...node, properties: Object.fromEntries(fields), required: Object.keys(properties) }
}

function storedField({ create: _, patch: __, rest: ___, ...field }: JsonSchema): Shape {
  if (field.format !== 'date-time') return field
  const type = field.precision === 'microseconds' ? 'number' : 'Date'
  return { description: field.description ?? '', tsType: allowsNull(field) ? `${type} | null` : type }
}

/** Null where nothing can be given. */
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

/** What need not be given can also be given as null. */
function givenField({ create: _, patch: __, rest: ___, default: ____, ...field }: JsonSchema, note: InputNote): Shape {
  const described = { ...field, description: note.description ?? field.description ?? '' }
  if (note.required === true) return described
  const name = referenceName(field)
  if (name !== undefined) return { description: described.description, tsType: `${name} | null` }
  return { ...described, type: [...new Set([...[field.type ?? []].flat(), 'null'])] }
}

function allowsNull({ type }: JsonSchema): boolean {
  return [type ?? []].flat().includes('null')
}
