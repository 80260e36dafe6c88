import type { Entities } from '../../generated/entities.ts'
import type { Right } from '../auth/scopes.ts'
import { toSnake } from '../lib/letter-case.ts'
import type { RecordTypeName } from './record-type.ts'
import { fieldsInOrder, givenAmong, type Field, type Given } from './shape.ts'

// An entity is an object under the data model that people and devices create, such as a system or a component.
// `schemas/entities.schema.json` defines its fields, and the TypeScript types are generated from it. A declaration
// contains everything else.

/** The name of an entity: its definition in the schema and its GraphQL type. */
export type EntityName = keyof Entities

/** An entity as it is stored, the input to create one, and the input to change one. */
export type EntityOf<Name extends EntityName> = Readonly<Entities[Name]['entity']>
export type NewEntityOf<Name extends EntityName> = Told<Entities[Name], 'created'>
export type EntityPatchOf<Name extends EntityName> = Told<Entities[Name], 'patch'>

/** The filter of a list. Each field has a value, or several values; one of them must match. */
export type EntityFilterOf<Name extends EntityName> = Filter<Told<Entities[Name], 'filter'>>
type Filter<Fields> = { readonly [field in keyof Fields]?: Fields[field] | undefined }

type Told<Types, Key extends string> = Types extends { readonly [key in Key]: infer Value } ? Readonly<Value> : never

/** The column with the uuid of a record. The field shows the key of the record. */
interface RecordColumn {
  readonly type: RecordTypeName
  readonly column: string
}

/** The order of a list. Entities with equal values are ordered by their uuid. */
export interface ListedBy {
  readonly by: 'name' | 'begins_at' | 'created_at' | 'last_at'
  readonly isDescending: boolean
}

/** The entities with metadata, as the `entityType` of MetadataTypes names them. */
export type DataEntity = 'SYSTEM' | 'COMPONENT' | 'EVENT'

export interface Entity<Name extends EntityName = EntityName, FieldName extends string = string> {
  readonly definition: Name
  readonly table: string
  /** The columns whose name is not the name of the field in snake case. */
  readonly columns?: { readonly [field in FieldName]?: string }
  /** The fields that show the key of a record, with the column of its uuid. */
  readonly records?: { readonly [field in FieldName]?: RecordColumn }
  /** The fields that a record has under the same name, each with the field that names the record. */
  readonly inherited?: { readonly [field in FieldName]?: FieldName }
  /** The fields that the platform computes on each reading. They are not stored. */
  readonly computed?: readonly FieldName[]
  /** The field that names the system of the entity, and so its unit; null if the entity belongs to no system. */
  readonly system: FieldName | null
  readonly metadataEntity?: DataEntity
  /** The column that orders lists of these entities; left out if they have no uuid, or are never many. */
  readonly order?: ListedBy
  /** The rights to read entities, and to create or change them. */
  readonly rights: { readonly read: Right; readonly write: Right }
}

/** A declaration uses `satisfies` and keeps its own type, from which the type of its rows is derived. */
export type EntityDeclaration<Name extends EntityName> = Entity<Name, Extract<keyof EntityOf<Name>, string>>

/** An entity as it is stored: without computed fields, and with the unit of its system. */
export type Stored<Declared extends Entity> = Omit<EntityOf<Declared['definition']>, ComputedField<Declared>> &
  (Declared['system'] extends null ? unknown : { readonly unitUuid: string | null })

type ComputedField<Declared> = Declared extends { readonly computed: readonly (infer FieldName extends string)[] }
  ? FieldName
  : never

/** A field of an entity, and where it is stored. */
export interface EntityField extends Field {
  /** The column in the table. For a field of a record, the column of the record. */
  readonly column: string
  /** The type of the record whose key the field shows; null for other fields. */
  readonly record: RecordTypeName | null
  /** The field that names the record from which this field is read; null if the field has its own column. */
  readonly inheritedBy: string | null
}

const cache = new Map<EntityName, readonly EntityField[]>()

/** The fields in the order of the schema. */
export function entityFields(entity: Entity): readonly EntityField[] {
  const known = cache.get(entity.definition) ?? readFields(entity)
  cache.set(entity.definition, known)
  return known
}

function readFields({ definition, columns = {}, records = {}, inherited = {} }: Entity): readonly EntityField[] {
  return fieldsInOrder(definition).map((field) => {
    const inheritedBy = inherited[field.name] ?? null
    const record = records[inheritedBy ?? field.name]
    const column = record?.column ?? columns[field.name] ?? toSnake(field.name)
    return { ...field, column, record: record?.type ?? null, inheritedBy }
  })
}

/** The fields that are stored, in the table or in a record that the table refers to. */
export function storedFields(entity: Entity): readonly EntityField[] {
  return entityFields(entity).filter(({ name }) => entity.computed?.includes(name) !== true)
}

/** The fields that clients may give to create or change an entity. */
export function givenFields(entity: Entity, when: 'create' | 'patch'): readonly Given<EntityField>[] {
  return givenAmong(entityFields(entity), when)
}
