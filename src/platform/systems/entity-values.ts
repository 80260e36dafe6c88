import {
  givenFields,
  type Entity,
  type EntityField,
  type EntityName,
  type EntityOf,
  type EntityPatchOf,
  type NewEntityOf,
} from '../../records/entity.ts'
import type { MetadataItem } from '../../../generated/import-document.ts'
import { METADATA_FIELD } from '../../records/metadata-limits.ts'
import type { Given } from '../../records/shape.ts'
import { checkUuid } from '../../lib/uuid.ts'
import { checkedLine, checkedText } from './checked-text.ts'
import { changedMetadata, newMetadata, type EntityRules } from './metadata.ts'

// An entity is made and changed field by field as its schema says. What the fields refer to is looked up elsewhere.

type Values = { readonly [field: string]: unknown }

/**
 * Makes an entity from the given values, the defaults of the others, and what the platform makes. The caller reads
 * the times, and the fields that show what a record says are not part of the result.
 */
export function newEntity<Name extends EntityName>(
  entity: Entity<Name>,
  input: NewEntityOf<Name>,
  made: Partial<EntityOf<Name>>,
  rules: EntityRules,
): EntityOf<Name> {
  const given: Values = input
  const fields = givenFields(entity, 'create').flatMap((field): [string, unknown][] => {
    const value = given[field.givenAs] ?? field.defaultValue
    if (field.name === METADATA_FIELD) return [[field.name, newMetadata(rules, (value ?? []) as MetadataItem[])]]
    if (value != null && field.node.format !== 'date-time') return [[field.name, checkedValue(field, value)]]
    return field.name in made ? [] : [[field.name, null]]
  })
  return { ...made, ...Object.fromEntries(fields) } as EntityOf<Name>
}

/** Replaces the given values of an entity. Null changes nothing where a field cannot be null. */
export function changedEntity<Name extends EntityName, Before extends EntityOf<Name>>(
  entity: Entity<Name>,
  before: Before,
  patch: EntityPatchOf<Name>,
  updatedAt: Date,
  rules: EntityRules,
): Before {
  const given: Values = patch
  const fields = givenFields(entity, 'patch').flatMap((field): [string, unknown][] => {
    const value = given[field.givenAs]
    if (value === undefined || (value === null && !field.nullable)) return []
    if (field.name === METADATA_FIELD) return [[field.name, changedMetadata(rules, value as MetadataItem[])]]
    return [[field.name, value === null ? null : checkedValue(field, value)]]
  })
  return { ...before, updatedAt, ...Object.fromEntries(fields) }
}

/** Checks one value. Keys of records are looked up elsewhere, and members of closed sets have been checked before. */
function checkedValue({ node, name, givenAs, record }: Given<EntityField>, value: unknown): unknown {
  if (typeof value !== 'string' || record !== null || node.$ref !== undefined) return value
  if (node.format === 'uuid') return checkUuid(value, givenAs)
  const check = node.format === 'line' ? checkedLine : checkedText
  return check(value, `the ${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`)
}
