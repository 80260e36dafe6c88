import type { JsonObject } from '../../lib/json.ts'
import {
  givenFields,
  type Entity,
  type EntityField,
  type EntityName,
  type EntityPatchOf,
  type NewEntityOf,
} from '../../records/entity.ts'
import { METADATA_FIELD } from '../../records/metadata-limits.ts'
import type { RecordType } from '../../records/record-type.ts'
import { fieldsInOrder, type Given } from '../../records/shape.ts'
import { formField, type Form, type FormField, type GivenField, type Own } from './form-field.ts'

// A form contains each declared field that clients can give, so new fields appear without further code. A page sets
// only their order, and words that no declaration has.

/** Buttons change the status, a separate page the metadata, and the platform creates the uuid. */
const ELSEWHERE = ['status', METADATA_FIELD, 'uuid']

interface FormOptions {
  readonly own?: Own
  /** Fields whose values the page of the form already knows. */
  readonly without?: readonly string[]
}

/** The form that creates a record, or changes one without changing its key. It never contains the secret. */
export function recordForm(type: RecordType, when: 'create' | 'patch', options: FormOptions = {}): Form<JsonObject> {
  const { identity, references = [], secret, tree, embedded = [] } = type
  const apart = [secret, tree?.root, ...embedded.map(({ field }) => field), ...(when === 'patch' ? identity : [])]
  const fields = fieldsInOrder(type.definition).filter(({ name }) => !apart.includes(name))
  const members = new Map(references.map(({ path: [field, name] }) => [field, name ?? null]))
  return formOf(
    fields.map((field) => {
      const isKey = identity.includes(field.name) || members.has(field.name)
      return { ...field, isKey, member: members.get(field.name) }
    }),
    options,
  )
}

/** The form for a new entity. */
export function newEntityForm<Name extends EntityName>(
  entity: Entity<Name>,
  options: FormOptions = {},
): Form<NewEntityOf<Name>> {
  return formOf(givenFields(entity, 'create').map(withKey), options)
}

/** The form that changes an entity. */
export function entityPatchForm<Name extends EntityName>(
  entity: Entity<Name>,
  options: FormOptions = {},
): Form<EntityPatchOf<Name>> {
  const fields = givenFields(entity, 'patch').map((field) => ({ ...withKey(field), required: !field.nullable }))
  return formOf(fields, options)
}

function withKey(field: Given<EntityField>): GivenField {
  return { ...field, isKey: field.record !== null }
}

export function formOf<Input>(fields: readonly GivenField[], { own = {}, without = [] }: FormOptions): Form<Input> {
  const order = Object.keys(own)
  const place = ({ name }: FormField) => (order.includes(name) ? order.indexOf(name) : order.length)
  return fields
    .filter(({ name }) => !ELSEWHERE.includes(name) && !without.includes(name))
    .map((field) => formField(field, own[field.givenAs ?? field.name] ?? {}))
    .toSorted((a, b) => place(a) - place(b))
}
