import {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql'
import type { GraphQLFieldConfigArgumentMap, GraphQLInputFieldConfigMap } from 'graphql'
import { keyOf } from '../records/identity.ts'
import type { JsonObject } from '../lib/json.ts'
import type { GuardCode } from '../plan/plan.ts'
import type { RecordType } from '../records/record-type.ts'
import { fieldsOf, hasField } from '../records/shape.ts'
import { enumType, inputField } from './field-types.ts'
import { spoken } from './names.ts'

const STATUS_FIELD = 'status'

/** Pages of at most this many records; more is an error, never cut off. */
export const MAX_PAGE = 1_000

const GUARD_CODES: { readonly [code in GuardCode]: string } = {
  'deletes-data': 'Data hangs on the record that would be deleted.',
  'invalidates-data': 'Stored data would no longer be valid.',
  'relabels-data': 'Stored data would be read in another unit.',
  'strands-data': 'Data would stay behind, and no more of it would be taken.',
  'mass-delete': 'Very many records of one type would be deleted.',
  'takes-over': 'A type that no apply managed before would lose records.',
  'empties-type': 'All records of a type would be deleted.',
  'leaves-scope': 'A type would no longer be managed.',
  protected: 'The record is protected in holdfast.yaml.',
  'widens-access': 'Somebody could do more than before.',
}

const GUARD_CODE = new GraphQLEnumType({
  name: 'GuardCode',
  description: 'What stops a change until somebody acknowledges it.',
  values: Object.fromEntries(
    Object.entries(GUARD_CODES).map(([code, description]) => [
      code.toUpperCase().replaceAll('-', '_'),
      { value: code, description },
    ]),
  ),
})

export const ALLOW_ARGUMENT: GraphQLFieldConfigArgumentMap = {
  allow: {
    type: new GraphQLList(new GraphQLNonNull(GUARD_CODE)),
    description: 'Acknowledges these guards for this one change.',
  },
}

const RECORD_ORDER = new GraphQLInputObjectType({
  name: 'RecordOrder',
  description: 'The order of a list of records. Records that are equal in it are ordered by their uuid.',
  fields: {
    by: {
      description: 'What to order by.',
      type: new GraphQLNonNull(
        new GraphQLEnumType({
          name: 'RecordOrderField',
          description: 'What records can be ordered by.',
          values: { KEY: {}, CREATED_AT: {}, UPDATED_AT: {} },
        }),
      ),
    },
    direction: {
      description: 'Upwards or downwards.',
      type: new GraphQLNonNull(
        new GraphQLEnumType({
          name: 'OrderDirection',
          description: 'Upwards or downwards.',
          values: { ASC: {}, DESC: {} },
        }),
      ),
      defaultValue: 'ASC',
    },
  },
})

export function listArguments(type: RecordType): GraphQLFieldConfigArgumentMap {
  return {
    first: {
      type: new GraphQLNonNull(GraphQLInt),
      defaultValue: 50,
      description: `How many at most, up to ${MAX_PAGE}.`,
    },
    after: { type: GraphQLString, description: 'The cursor after which to go on.' },
    filter: { type: filterOf(type), description: 'Which ones. Left out: all.' },
    orderBy: { type: RECORD_ORDER, description: 'In which order. Left out: by key.' },
  }
}

function filterOf(type: RecordType): GraphQLInputObjectType {
  const status: GraphQLInputFieldConfigMap = hasField(type, STATUS_FIELD)
    ? {
        [STATUS_FIELD]: {
          type: new GraphQLList(new GraphQLNonNull(enumType('Status'))),
          description: 'Only those with one of these statuses.',
        },
      }
    : {}
  return new GraphQLInputObjectType({
    name: `${type.definition}Filter`,
    description: `Says which ${type.name} are meant; all that is said must hold.`,
    fields: {
      ...status,
      recordKeys: {
        type: new GraphQLList(new GraphQLNonNull(GraphQLString)),
        description: 'Only those with one of these keys.',
      },
      search: { type: GraphQLString, description: 'Only those that have this text in their key or name, in any case.' },
    },
  })
}

const KEY_ARGUMENT = 'recordKey'

/** The arguments that name one record: its identity fields, or the path of keys where it is part of a tree. */
export function identityArguments(type: RecordType): GraphQLFieldConfigArgumentMap {
  if (type.tree !== undefined) {
    return {
      [KEY_ARGUMENT]: {
        type: new GraphQLNonNull(GraphQLString),
        description: `The key: ${type.identity.join(' or ')}, below the keys of the records that hold it.`,
      },
    }
  }
  const fields = fieldsOf(type.definition).filter(({ name }) => type.identity.includes(name))
  return Object.fromEntries(fields.map((field) => [field.name, inputField(field, true)]))
}

export function keyOfArguments(type: RecordType, args: JsonObject): string {
  return type.tree === undefined ? keyOf(type, args) : String(args[KEY_ARGUMENT])
}

/** The fields of a new record, in the shape of the import document. */
export function inputFields(type: RecordType): GraphQLInputFieldConfigMap {
  return Object.fromEntries(fieldsOf(type.definition).map((field) => [field.name, inputField(field, field.required)]))
}

export function createInput(type: RecordType): GraphQLInputObjectType {
  return new GraphQLInputObjectType({
    name: `${type.definition}Input`,
    description: `A new ${spoken(type)}.`,
    fields: inputFields(type),
  })
}

/** An update never changes the identity; what it leaves out stays as it is. */
export function patchInput(type: RecordType): GraphQLInputObjectType | null {
  const fixed: readonly string[] = type.tree === undefined ? type.identity : []
  const fields = fieldsOf(type.definition).filter(({ name }) => !fixed.includes(name))
  if (fields.length === 0) return null
  return new GraphQLInputObjectType({
    name: `${type.definition}Patch`,
    description: `What to change of a ${spoken(type)}. A field that is left out stays as it is.`,
    fields: Object.fromEntries(fields.map((field) => [field.name, inputField(field, false)])),
  })
}
