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
import { HoldfastError } from '../../lib/errors.ts'
import { checkUuid } from '../../lib/uuid.ts'
import { checkedLine, checkedText, rethrowAt } from './input-problems.ts'
import { changedMetadata, newMetadata, type EntityRules } from './entity-metadata.ts'

// Entities are created and changed field by field, by their schema. Other code looks up the records that fields refer
// to.

type Values = { readonly [field: string]: unknown }

/**
 * Makes an entity from the given values, the defaults of other fields, and the values in `made`. The caller reads the
 * times. Fields that show properties of a record are not part of the result.
 */
export function newEntity<Name extends EntityName>(
  entity: Entity<Name>,
  input: NewEntityOf<Name>,
  made: Partial<EntityOf<Name>>,
  rules: EntityRules,
): EntityOf<Name> {
  const fields = givenFields(entity, 'create').flatMap((field): [string, unknown][] => {
    const value = orAtField(field.givenAs, () => newValue(field, input, rules))
    return value === null && field.name in made ? [] : [[field.name, value]]
  })
  return { ...made, ...Object.fromEntries(fields) } as EntityOf<Name>
}

/** Finds problems of the values for a new entity, each with the field name of the client. */
export function newEntityProblems<Name extends EntityName>(
  entity: Entity<Name>,
  input: NewEntityOf<Name>,
  rules: EntityRules,
): readonly FieldProblem[] {
  return givenFields(entity, 'create').flatMap((field) => {
    try {
      newValue(field, input, rules)
      return []
    } catch (error) {
      if (error instanceof HoldfastError) return [{ field: field.givenAs, error }]
      throw error
    }
  })
}

function orAtField<T>(field: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    return rethrowAt(field)(error)
  }
}

interface FieldProblem {
  readonly field: string
  readonly error: HoldfastError
}

/** The value of one field; null if it has none, or if the caller reads it. */
function newValue(field: Given<EntityField>, given: Values, rules: EntityRules): unknown {
  const value = given[field.givenAs] ?? field.defaultValue
  if (field.name === METADATA_FIELD) return newMetadata(rules, (value ?? []) as MetadataItem[])
  return value == null || field.node.format === 'date-time' ? null : checkedValue(field, value)
}

/** Replaces the given values of an entity. If a field cannot be null, null changes nothing. */
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

/** Checks one value. Other code looks up the keys of records, and members of closed sets have been checked before. */
function checkedValue({ node, name, givenAs, record }: Given<EntityField>, value: unknown): unknown {
  if (typeof value !== 'string' || record !== null || node.$ref !== undefined) return value
  if (node.format === 'uuid') return checkUuid(value, givenAs)
  const check = node.format === 'line' ? checkedLine : checkedText
  return check(value, `the ${name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`)
}
