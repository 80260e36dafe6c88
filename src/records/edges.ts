import entitiesSchema from '../../schemas/entities.schema.json' with { type: 'json' }
import { ENTITIES } from './entities.ts'
import { entityFields, type Entity } from './entity.ts'
import { referenceName } from './json-schema.ts'
import { PLANNED_TYPES, recordType } from './registry.ts'
import type { RecordType, RecordTypeName } from './record-type.ts'
import type { Field } from './shape.ts'

// The data model and the entities are a graph. A field that names an object is an edge to it, and makes a list of the
// objects with such a field an edge back. Objects are called by their definitions.

/** A field whose value names an object. */
export interface Naming {
  readonly field: string
  /** The path of the name inside the value. */
  readonly inside?: readonly string[]
  readonly to: string
  /** Whether the name is a uuid, a whole record key, or the only part of a record key. */
  readonly by: NamedBy
}

export type NamedBy = 'uuid' | 'key' | 'part'

/** The fields of a record that name others. */
export function namingsOfRecord({ references = [] }: RecordType): readonly Naming[] {
  return references.map(({ path: [field, ...inside], type, isKey = false }) => {
    return { field, inside, to: recordType(type).definition, by: isKey ? 'key' : 'part' }
  })
}

/** The fields of an entity that name others: keys of records, and fields with the note `names` in the schema. */
export function namingsOfEntity(entity: Entity): readonly Naming[] {
  return entityFields(entity).flatMap((field): readonly Naming[] => {
    const { name, record, inheritedBy } = field
    if (record !== null)
      return inheritedBy === null ? [{ field: name, to: recordType(record).definition, by: 'key' }] : []
    return namingsAmong([field])
  })
}

/** The fields with the note `names` in the schema. */
export function namingsAmong(fields: readonly Field[]): readonly Naming[] {
  return fields.flatMap(({ name, node: { names, format } }): readonly Naming[] =>
    names === undefined ? [] : [{ field: name, to: names, by: format === 'uuid' ? 'uuid' : 'part' }],
  )
}

/** A list of the objects that name an object, or that a link record connects with it. */
export interface ListEdge {
  readonly name: string
  readonly to: string
  readonly through: OwnedEntities | OwnedRecords
}

/** Entities with the uuid of their owner in a column. */
export interface OwnedEntities {
  readonly entity: Entity
  readonly column: string
}

/**
 * Records that refer to their owner. `link`: the type of the records that refer to both; null if they do themselves.
 */
export interface OwnedRecords {
  readonly type: RecordType
  readonly link: RecordTypeName | null
}

/** The lists of an object. */
export function listsOf(definition: string): readonly ListEdge[] {
  return [...PLANNED_TYPES.flatMap((type) => listsOfRecords(type, definition)), ...listsOfEntities(definition)]
}

function listsOfRecords(type: RecordType, definition: string): readonly ListEdge[] {
  const listed = (name: string): ListEdge => ({ name, to: type.definition, through: { type, link: null } })
  const isNamed = (type.references ?? []).some((reference) => recordType(reference.type).definition === definition)
  return [
    ...(isNamed ? [listed(listName(type)), ...farEnds(type, definition)] : []),
    ...(type.tree !== undefined && type.definition === definition ? [listed(type.tree.root)] : []),
  ]
}

/** The records at the other end of the links. A link record contains only references. */
function farEnds({ name: link, identity, references = [] }: RecordType, definition: string): readonly ListEdge[] {
  const isLink = identity.length > 1 && identity.every((field) => references.some(({ path }) => path[0] === field))
  const others = references.map(({ type }) => recordType(type)).filter((other) => other.definition !== definition)
  return isLink ? others.map((type) => ({ name: listName(type), to: type.definition, through: { type, link } })) : []
}

/** For example `characteristics`. */
function listName({ definition }: RecordType): string {
  return `${definition.charAt(0).toLowerCase()}${definition.slice(1)}s`
}

function listsOfEntities(definition: string): readonly ListEdge[] {
  return ENTITIES.flatMap((entity) => {
    const fields = entityFields(entity)
    const columns = namingsOfEntity(entity)
      .filter(({ to }) => to === definition)
      .flatMap(({ field }) => fields.filter(({ name }) => name === field).map(({ column }) => column))
    const { definition: to, order } = entity
    if (order === undefined) return []
    return [...new Set(columns)].map((column) => ({ name: nameOfList(entity), to, through: { entity, column } }))
  })
}

function nameOfList({ definition }: Entity): string {
  const lists = Object.entries(entitiesSchema.properties)
  const [name] = lists.find(([, { items }]) => referenceName(items) === definition) ?? []
  if (name === undefined) throw new Error(`the schema of the entities lists no ${definition}`)
  return name
}
