import { referenceName, type InputNote, type JsonSchema } from '../records/json-schema.ts'
import { spoken } from '../server/graphql/names.ts'
import { listedDefinitions } from './schemas.ts'

// From each definition of `entities.schema.json` the compiler of types gets three: the entity as the platform has it, what
// is given to make a new one, and what is given to change one.

/** A node whose TypeScript is said as it stands. */
type Shape = JsonSchema & { readonly tsType?: string }

export function entityShapes(schema: JsonSchema): JsonSchema {
  const names = listedDefinitions(schema).map(([, name]) => name)
  const shapes = names.flatMap((name): [string, JsonSchema][] => {
    const node = schema.$defs?.[name] ?? {}
    return [
      [name, asStored(node)],
      [`New${name}`, asGiven(`A new ${spoken({ definition: name })}.`, node, 'create')],
      [
        `${name}Patch`,
        asGiven(
          `What to change of a ${spoken({ definition: name })}. A field that is left out stays as it is.`,
          node,
          'patch',
        ),
      ],
    ]
  })
  const others = Object.entries(schema.$defs ?? {}).filter(([name]) => !names.includes(name))
  return {
    description: 'The three types of each entity.',
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, typesOf(name)])),
    $defs: { ...Object.fromEntries(others), ...Object.fromEntries(shapes) },
  }
}

function typesOf(name: string): JsonSchema {
  const types = { entity: name, created: `New${name}`, patch: `${name}Patch` }
  return {
    type: 'object',
    required: Object.keys(types),
    properties: Object.fromEntries(Object.entries(types).map(([key, type]) => [key, { $ref: `#/$defs/${type}` }])),
  }
}

/** With all fields: the platform leaves none out. */
function asStored({ properties = {}, ...node }: JsonSchema): JsonSchema {
  const fields = Object.entries(properties).map(([name, field]): [string, Shape] => [name, storedField(field)])
  return { ...node, properties: Object.fromEntries(fields), required: Object.keys(properties) }
}

function storedField({ create: _, patch: __, ...field }: JsonSchema): Shape {
  if (field.format !== 'date-time') return field
  const type = field.precision === 'microseconds' ? 'number' : 'Date'
  return { description: field.description ?? '', tsType: allowsNull(field) ? `${type} | null` : type }
}

function asGiven(description: string, { properties = {} }: JsonSchema, when: 'create' | 'patch'): JsonSchema {
  const given = Object.entries(properties).flatMap(([name, field]): [string, Shape, boolean][] => {
    const note = field[when]
    return note === undefined ? [] : [[note.name ?? name, givenField(field, note), note.required === true]]
  })
  return {
    description,
    type: 'object',
    properties: Object.fromEntries(given),
    required: given.flatMap(([name, , isRequired]) => (isRequired ? [name] : [])),
  }
}

/** What need not be given can also be given as null. */
function givenField({ create: _, patch: __, default: ___, ...field }: JsonSchema, note: InputNote): Shape {
  const described = { ...field, description: note.description ?? field.description ?? '' }
  if (note.required === true) return described
  const name = referenceName(field)
  if (name !== undefined) return { description: described.description, tsType: `${name} | null` }
  return { ...described, type: [...new Set([...[field.type ?? []].flat(), 'null'])] }
}

function allowsNull({ type }: JsonSchema): boolean {
  return [type ?? []].flat().includes('null')
}
