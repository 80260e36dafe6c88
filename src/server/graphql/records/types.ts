import { GraphQLID, GraphQLObjectType, GraphQLString } from 'graphql'
import type { GraphQLFieldConfig, GraphQLFieldConfigMap } from 'graphql'
import { findRecords } from '../../../platform/records/read-records.ts'
import { namingsOfRecord } from '../../../records/edges.ts'
import { parentKey } from '../../../records/identity.ts'
import type { RecordType } from '../../../records/record-type.ts'
import { RECORD_TYPES } from '../../../records/registry.ts'
import { definition, storedFields, type Field } from '../../../records/shape.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import type { GraphqlContext } from '../call.ts'
import { declareKind, NODE } from '../edges/kinds.ts'
import { listEdges } from '../edges/to-many.ts'
import { withEdges } from '../edges/to-one.ts'
import { outputDescription, outputType } from '../field-types.ts'
import { spoken } from '../names.ts'
import { pageType, type CountedPage } from '../page.ts'
import { TIME } from '../scalars.ts'
import { nonNull } from '../typed.ts'

export interface RecordSource extends Omit<StoredRecord, 'digest' | 'revision'> {
  /** Present only in the answer of the mutation that created the record. It is never shown again. */
  readonly secret?: unknown
}

type RecordField = GraphQLFieldConfig<RecordSource, GraphqlContext>

interface RecordObjects {
  readonly object: GraphQLObjectType<RecordSource>
  readonly connection: GraphQLObjectType<CountedPage<RecordSource>>
}

/** The object type of each record type, and the connection type for many records. */
export const RECORD_OBJECTS: ReadonlyMap<RecordType, RecordObjects> = new Map(
  RECORD_TYPES.map((type) => {
    const object = recordObject(type)
    declareRecords(type, object)
    return [type, { object, connection: pageType(object, spoken(type), `the ${type.name}`) }]
  }),
)

function recordObject(type: RecordType): GraphQLObjectType<RecordSource> {
  return new GraphQLObjectType<RecordSource, GraphqlContext>({
    name: type.definition,
    description: definition(type.definition).description ?? null,
    interfaces: [NODE],
    fields: () => recordFields(type),
  })
}

function recordFields(type: RecordType): GraphQLFieldConfigMap<RecordSource, GraphqlContext> {
  const own = {
    ...commonFields(type),
    ...clientFields(type),
    ...treeFields(type),
    ...bodyFields(type),
    ...timeFields(),
  }
  const parent = { field: PARENT, to: type.definition, by: 'key' } as const
  return { ...withEdges(own, [...namingsOfRecord(type), parent]), ...listEdges<RecordSource>(type.definition) }
}

/** Declares the records of a type as objects that edges lead to. */
export function declareRecords(type: RecordType, object: GraphQLObjectType, keepsWithin = true): void {
  declareKind({
    type: object,
    right: 'model:read',
    keepsWithin,
    ending: 'Record',
    async find({ context, actor }, by, names) {
      const found = await findRecords(context, actor, type.name, { by, names })
      return new Map(found.map((record) => [record[by], record]))
    },
  })
}

function commonFields(type: RecordType): GraphQLFieldConfigMap<RecordSource, GraphqlContext> {
  return {
    uuid: {
      type: nonNull(GraphQLID),
      description: `Identifies the ${spoken(type)} for ever, also after a move.`,
    },
    // The name is not `key`, because some record types have a field of that name.
    recordKey: {
      type: nonNull(GraphQLString),
      description: 'The key, as plans show it.',
      resolve: ({ key }) => key,
    },
  }
}

/** A program that signs in with a client secret (RFC 6749, section 2.2). */
export function isClient(type: RecordType): boolean {
  return type.secretKind === 'client-secret'
}

function clientFields(type: RecordType): { [name: string]: RecordField } {
  if (!isClient(type) || type.secret === undefined) return {}
  return {
    identifier: {
      type: nonNull(GraphQLString),
      description: 'The client_id of the authentication flows: the identity and a part of the uuid.',
      resolve: ({ key, uuid }) => `${key}.${uuid.slice(0, 8)}`,
    },
    [type.secret]: {
      type: GraphQLString,
      description: `The client secret. Only in the answer of create${type.definition}, and never again: null everywhere else.`,
      resolve: ({ secret }) => secret ?? null,
    },
  }
}

const PARENT = 'parentRecordKey'

function treeFields(type: RecordType): { [name: string]: RecordField } {
  if (type.tree === undefined) return {}
  return {
    [PARENT]: {
      type: GraphQLString,
      description: 'The key of the parent record; null at the root.',
      resolve: ({ key }) => parentKey(key),
    },
  }
}

export function bodyFields(type: RecordType): GraphQLFieldConfigMap<Pick<RecordSource, 'body'>, GraphqlContext> {
  return Object.fromEntries(
    storedFields(type).map((field) => {
      const otherwise = valueWhereAbsent(type, field)
      const resolve = ({ body }: Pick<RecordSource, 'body'>) => body[field.name] ?? otherwise
      return [field.name, { type: outputType(field), description: outputDescription(field), resolve }]
    }),
  )
}

/** The value of a field that the canonical form leaves out: an empty list is one, unless it has its own meaning. */
function valueWhereAbsent(type: RecordType, { name, isArray, defaultValue }: Field) {
  const isEmptyList = isArray && type.emptyIsSet?.includes(name) !== true
  return defaultValue ?? (isEmptyList ? [] : null)
}

function timeFields(): { [name: string]: RecordField } {
  return {
    createdAt: { type: TIME, description: 'When it was created.' },
    updatedAt: { type: TIME, description: 'When it was changed last.' },
  }
}
