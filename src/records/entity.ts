import type { Entities } from '../../generated/entities.ts'
import type { Right } from '../auth/scopes.ts'
import { toSnake } from '../lib/letter-case.ts'
import type { RecordTypeName } from './record-type.ts'
import { fieldsInOrder, givenAmong, type Field, type Given } from './shape.ts'

// An entity is what people and devices make under the data model, such as a system or a component. The fields are
// defined in `schemas/entities.schema.json`, from which the TypeScript types are generated. A declaration says the
// rest.

/** The definition of an entity in the schema, which is also the name of its GraphQL type. */
export type EntityName = keyof Entities

/** An entity as the platform has it, what is given to make a new one, and what is given to change one. */
export type EntityOf<Name extends EntityName> = Readonly<Entities[Name]['entity']>
export type NewEntityOf<Name extends EntityName> = Told<Entities[Name], 'created'>
export type EntityPatchOf<Name extends EntityName> = Told<Entities[Name], 'patch'>

/** Which entities a list shows. Of each field the value, or the values of which an entity has one. */
export type EntityFilterOf<Name extends EntityName> = Filter<Told<Entities[Name], 'filter'>>
type Filter<Fields> = { readonly [field in keyof Fields]?: Fields[field] | undefined }

type Told<Types, Key extends string> = Types extends { readonly [key in Key]: infer Value } ? Readonly<Value> : never

/** The column that has the uuid of a record. The field shows the record's key. */
interface RecordColumn {
  readonly type: RecordTypeName
  readonly column: string
}

/** The entities that have metadata: an `entityType` of MetadataTypes, as record types have theirs. */
export type DataEntity = 'SYSTEM' | 'COMPONENT' | 'EVENT'

export interface Entity<Name extends EntityName = EntityName, FieldName extends string = string> {
  readonly definition: Name
  readonly table: string
  /** The columns of the fields that are not called by the name of the field in snake case. */
  readonly columns?: { readonly [field in FieldName]?: string }
  /** The fields that show the key of a record, with the column of its uuid. */
  readonly records?: { readonly [field in FieldName]?: RecordColumn }
  /** The fields that show what a record says under the same name, each with the field that names the record. */
  readonly inherited?: { readonly [field in FieldName]?: FieldName }
  /** The fields that the platform computes on each reading, and that are not stored. */
  readonly computed?: readonly FieldName[]
  /** The field that names the system of the entity, and so its unit; null if it belongs to no system. */
  readonly system: FieldName | null
  readonly metadataEntity?: DataEntity
  /** The rights to read entities, and to make or change them. */
  readonly rights: { readonly read: Right; readonly write: Right }
}

/** A declaration says with `satisfies` that it is one, and keeps its own type, from which that of its rows follows. */
export type EntityDeclaration<Name extends EntityName> = Entity<Name, Extract<keyof EntityOf<Name>, string>>

/** An entity as it is stored: without what is computed, and with the unit of the system that it belongs to. */
export type Stored<Declared extends Entity> = Omit<EntityOf<Declared['definition']>, ComputedField<Declared>> &
  (Declared['system'] extends null ? unknown : { readonly unitUuid: string | null })

type ComputedField<Declared> = Declared extends { readonly computed: readonly (infer FieldName extends string)[] }
  ? FieldName
  : never

/** A field of an entity, with where it is stored. */
export interface EntityField extends Field {
  /** The column in the table; for a field that shows what a record says, the column of the record. */
  readonly column: string
  /** The type of the record whose key the field shows; null for other fields. */
  readonly record: RecordTypeName | null
  /** The field that names the record which this field is read from; null if the field has a column of its own. */
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

/** The fields that are stored, in the table or in a record that it refers to. */
export function storedFields(entity: Entity): readonly EntityField[] {
  return entityFields(entity).filter(({ name }) => entity.computed?.includes(name) !== true)
}

/** The fields that may be given when an entity is made, or changed. */
export function givenFields(entity: Entity, when: 'create' | 'patch'): readonly Given<EntityField>[] {
  return givenAmong(entityFields(entity), when)
}
