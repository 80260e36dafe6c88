import { GraphQLString } from 'graphql'
import { keyOf } from '../../../records/identity.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { RecordType } from '../../../records/record-type.ts'
import { hasField, type Field } from '../../../records/shape.ts'
import type { RecordQuery } from '../../../store/model/record-pages.ts'
import { enumType, inputFields, STATUS, type WrittenFields } from '../field-types.ts'
import { spoken } from '../names.ts'
import { PAGE_ARGUMENTS } from '../page.ts'
import { TEXTS } from '../scalars.ts'
import { defaulting, enumOf, input, list, optional, required } from '../typed.ts'

const STATUS_FIELD = 'status'

export const ALLOW = { allow: optional(list(enumType('GuardCode')), 'Acknowledges these guards for this one change.') }

const ORDER_FIELD = enumOf<RecordQuery['order']['by']>('RecordOrderField', 'The order of records.', {
  KEY: null,
  CREATED_AT: null,
  UPDATED_AT: null,
})

const DIRECTION = enumOf<RecordQuery['order']['direction']>('OrderDirection', 'Upwards or downwards.', {
  ASC: null,
  DESC: null,
})

const RECORD_ORDER = input(
  'RecordOrder',
  'The order of a list of records. Records that are equal in it are ordered by their uuid.',
  {
    by: required(ORDER_FIELD, 'The field that orders the list.'),
    direction: defaulting(DIRECTION, 'ASC', 'Upwards or downwards.'),
  },
)

export function listArguments(type: RecordType) {
  return {
    ...PAGE_ARGUMENTS,
    filter: optional(filterOf(type), 'Selects some of them. Left out: all.'),
    orderBy: optional(RECORD_ORDER, 'In which order. Left out: by key.'),
  }
}

function filterOf(type: RecordType) {
  const ofStatus = { [STATUS_FIELD]: optional(list(STATUS), 'Only those with one of these statuses.') }
  return input(`${type.definition}Filter`, `Selects ${type.name}; all given conditions must hold.`, {
    ...(hasField(type, STATUS_FIELD) && ofStatus),
    recordKeys: optional(TEXTS, 'Only those with one of these keys.'),
    search: optional(GraphQLString, 'Only those with this text in their key or name, in any case.'),
  })
}

const KEY_ARGUMENT = 'recordKey'

/** Returns the arguments that identify one record: its identity fields, or in a tree the path of its keys. */
export function identityArguments(type: RecordType): WrittenFields {
  if (type.tree === undefined) return inputFields(type.definition, { only: isIdentity(type), required: () => true })
  const description = `The key: ${type.identity.join(' or ')}. In a path, it follows the keys of the records that contain it.`
  return { [KEY_ARGUMENT]: required(GraphQLString, description) }
}

export function keyOfArguments(type: RecordType, args: JsonObject): string {
  return type.tree === undefined ? keyOf(type, args) : String(args[KEY_ARGUMENT])
}

/** Returns the input of a new record, which has the shape of the import document. */
export function createInput(type: RecordType) {
  return input(`${type.definition}Input`, `A new ${spoken(type)}.`, inputFields(type.definition))
}

/**
 * Returns the input of an update; null if the type has only identity fields. An update never changes the identity, and
 * keeps the fields that it leaves out.
 */
export function patchInput(type: RecordType) {
  const isFixed = type.tree === undefined ? isIdentity(type) : () => false
  const fields = inputFields(type.definition, { only: (field) => !isFixed(field), required: () => false })
  if (Object.keys(fields).length === 0) return null
  const description = `Changes to a ${spoken(type)}. Fields that you leave out stay as they are.`
  return input(`${type.definition}Patch`, description, fields)
}

function isIdentity({ identity }: RecordType): (field: Field) => boolean {
  return ({ name }) => identity.includes(name)
}
