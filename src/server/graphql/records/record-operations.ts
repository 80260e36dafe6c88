import { GraphQLString, type GraphQLResolveInfo } from 'graphql'
import type { Right } from '../../../auth/scopes.ts'
import type { JsonObject } from '../../../lib/json.ts'
import { newClientSecret } from '../../../platform/access/clients/client-secret.ts'
import { createRecord, deleteRecord, updateRecord } from '../../../platform/records/change-record.ts'
import { findRecord, listRecords } from '../../../platform/records/read-records.ts'
import type { RecordType } from '../../../records/record-type.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { checkListed, checkText } from '../../checked-arguments.ts'
import type { Call } from '../call.ts'
import { inputFields } from '../field-types.ts'
import { singular, spoken, spokenWithArticle } from '../names.ts'
import { operation, type OperationFields } from '../operation.ts'
import { pageRequest, pageView } from '../page.ts'
import { nonNull, optional, required, type ValuesOf } from '../typed.ts'
import { ALLOW, createInput, identityArguments, keyOfArguments, listArguments, patchInput } from './inputs.ts'
import { isClient, RECORD_OBJECTS } from './types.ts'

/** Returns the two queries of every record type: one for many records, and one for a single record. */
export function recordQueries(): OperationFields {
  const fields = [...RECORD_OBJECTS].map(([type, { object, connection }]) => ({
    [type.name]: operation({
      right: 'model:read',
      keepsWithin: true,
      type: nonNull(connection),
      description: `The ${type.name} of the domain, page by page.`,
      args: listArguments(type),
      resolve: async ({ context, actor }, args, info) =>
        pageView(args, await listRecords(context, actor, type.name, recordQuery(args, info))),
    }),
    [singular(type)]: operation({
      right: 'model:read',
      keepsWithin: true,
      type: object,
      description: `${spokenWithArticle(type)}; null if there is none.`,
      args: identityArguments(type),
      resolve: ({ context, actor }, args) => findRecord(context, actor, type.name, checkedKey(type, args)),
    }),
  }))
  return mergeFields(fields)
}

function recordQuery(args: ValuesOf<ReturnType<typeof listArguments>>, info: GraphQLResolveInfo) {
  const { filter, orderBy } = args
  const { status, recordKeys, search } = filter ?? {}
  return {
    ...pageRequest(args, info),
    filter: {
      ...(status && { status: checkListed(status, 'filter.status') }),
      ...(recordKeys && {
        keys: checkListed(recordKeys, 'filter.recordKeys').map((key) => checkText(key, 'filter.recordKeys')),
      }),
      ...(search && { search: checkText(search, 'filter.search') }),
    },
    order: orderBy ?? { by: 'KEY' as const, direction: 'ASC' as const },
  }
}

function checkedKey(type: RecordType, args: JsonObject): string {
  return checkText(keyOfArguments(type, args), 'the key')
}

/** The right to write a record type. Those that decide who may sign in, and so gain any right, need `access:admin`. */
function rightToWrite(type: RecordType): Right {
  return type.signsIn === undefined ? 'model:write' : 'access:admin'
}

/** Returns the mutations of record types: create, update, delete. A type that has only its identity has no update. */
export function recordMutations(): OperationFields {
  const fields = [...RECORD_OBJECTS.keys()].map((type) => ({
    ...createField(type),
    ...updateField(type),
    ...deleteField(type),
  }))
  return mergeFields(fields)
}

function mergeFields(fields: readonly OperationFields[]): OperationFields {
  return Object.fromEntries(fields.flatMap((some) => Object.entries(some)))
}

function createField(type: RecordType): OperationFields {
  const name = `create${type.definition}`
  const description = `Creates ${spokenWithArticle(type).toLowerCase()}. If a record with the same identity exists, the answer is CONFLICT.`
  if (isClient(type)) return { [name]: createClient(type, description) }
  return {
    [name]: operation({
      right: rightToWrite(type),
      type: answerOf(type),
      description,
      args: { input: required(createInput(type), `The new ${spoken(type)}.`), ...ALLOW },
      resolve: async (call, { input, allow }) =>
        noted(call, type, 'created', await createRecord(call.context, type.name, input, allow ?? [])),
    }),
  }
}

/** Creates a client. The specification (section 4) lists the arguments; the answer contains the secret. */
function createClient(type: RecordType, description: string) {
  return operation({
    right: rightToWrite(type),
    erasesOthers: true,
    type: answerOf(type),
    description,
    args: { ...inputFields(type.definition), ...optionalSecret(type), ...ALLOW },
    async resolve(call, { allow, ...input }) {
      const given: JsonObject = input
      const secret = type.secret && (given[type.secret] ?? newClientSecret())
      const complete = type.secret === undefined || secret === undefined ? given : { ...given, [type.secret]: secret }
      const record = await createRecord(call.context, type.name, complete, allow ?? [])
      return { ...noted(call, type, 'created', record), secret }
    },
  })
}

/** The secret is optional, because a random one is better than most that people choose. */
function optionalSecret(type: RecordType) {
  if (type.secret === undefined) return {}
  const description = 'The client secret. Left out: the platform makes a random one, and only this answer shows it.'
  return { [type.secret]: optional(GraphQLString, description) }
}

function updateField(type: RecordType): OperationFields {
  const patch = patchInput(type)
  if (patch === null) return {}
  return {
    [`update${type.definition}`]: operation({
      right: rightToWrite(type),
      type: answerOf(type),
      description: `Changes ${spokenWithArticle(type).toLowerCase()}: only the given fields.`,
      args: { ...identityArguments(type), input: required(patch, 'What to change.'), ...ALLOW },
      async resolve(call, { input, allow, ...identity }) {
        const key = checkedKey(type, identity)
        return noted(call, type, 'changed', await updateRecord(call.context, type.name, key, input, allow ?? []))
      },
    }),
  }
}

function deleteField(type: RecordType): OperationFields {
  return {
    [`delete${type.definition}`]: operation({
      right: rightToWrite(type),
      type: answerOf(type),
      description: `Deletes ${spokenWithArticle(type).toLowerCase()} with everything that belongs to it, and returns it.`,
      args: { ...identityArguments(type), ...ALLOW },
      async resolve(call, { allow, ...identity }) {
        const key = checkedKey(type, identity)
        return noted(call, type, 'deleted', await deleteRecord(call.context, type.name, key, allow ?? []))
      },
    }),
  }
}

/** Logs the change if the record decides who may sign in. */
function noted(
  { noteAccessChange }: Call,
  type: RecordType,
  done: 'created' | 'changed' | 'deleted',
  record: StoredRecord,
): StoredRecord {
  if (type.signsIn !== undefined) noteAccessChange(`${spoken(type)} ${done}`, { target: record.uuid })
  return record
}

function answerOf(type: RecordType) {
  const object = RECORD_OBJECTS.get(type)?.object
  if (object === undefined) throw new Error(`no object type was made for ${type.name}`)
  return nonNull(object)
}
