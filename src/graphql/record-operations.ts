import { GraphQLNonNull, GraphQLString, type GraphQLFieldConfigArgumentMap } from 'graphql'
import type { Right } from '../auth/scopes.ts'
import type { JsonObject } from '../lib/json.ts'
import type { GuardCode } from '../plan/plan.ts'
import type { RecordType } from '../records/record-type.ts'
import { withArticle, singular, spoken } from './names.ts'
import {
  ALLOW_ARGUMENT,
  createInput,
  identityArguments,
  inputFields,
  keyOfArguments,
  listArguments,
  patchInput,
} from './record-inputs.ts'
import { isClient, RECORD_OBJECTS } from './record-types.ts'
import type { RecordListArguments } from './resolvers.ts'
import { operation, type OperationFields } from './scope.ts'

interface Allowing {
  readonly allow?: readonly GuardCode[] | null
}
type CreateArguments = Allowing & { readonly input: JsonObject }
type Identity = JsonObject & Allowing

/** The two queries of every record type: many, and one by its key. */
export function recordQueries(): OperationFields {
  const fields = [...RECORD_OBJECTS].map(([type, { object, connection }]) => ({
    [type.name]: operation<RecordListArguments>({
      right: 'model:read',
      keepsWithin: true,
      type: new GraphQLNonNull(connection),
      description: `The ${type.name} of the domain, page by page.`,
      args: listArguments(type),
      resolve: (resolvers, args) => resolvers.listRecords(type.name, args),
    }),
    [singular(type)]: operation<JsonObject>({
      right: 'model:read',
      keepsWithin: true,
      type: object,
      description: `${withArticle(type)}; null where there is none.`,
      args: identityArguments(type),
      resolve: (resolvers, args) => resolvers.findRecord(type.name, keyOfArguments(type, args)),
    }),
  }))
  return Object.assign({}, ...fields) as OperationFields
}

/** Whoever decides who may sign in could give themselves every other right. */
function rightToWrite(type: RecordType): Right {
  return type.signsIn === undefined ? 'model:write' : 'access:admin'
}

/** The three mutations of every record type; two where there is nothing but the identity. */
export function recordMutations(): OperationFields {
  const fields = [...RECORD_OBJECTS.keys()].map((type) => ({
    ...createField(type),
    ...updateField(type),
    ...deleteField(type),
  }))
  return Object.assign({}, ...fields) as OperationFields
}

function createField(type: RecordType): OperationFields {
  const name = `create${type.definition}`
  const description = `Creates ${withArticle(type).toLowerCase()}. One with the same identity is a CONFLICT.`
  if (isClient(type)) return { [name]: createClient(type, description) }
  return {
    [name]: operation<CreateArguments>({
      right: rightToWrite(type),
      type: answerOf(type),
      description,
      args: {
        input: { type: new GraphQLNonNull(createInput(type)), description: `The new ${spoken(type)}.` },
        ...ALLOW_ARGUMENT,
      },
      resolve: (resolvers, { input, allow }) => resolvers.createRecord(type.name, input, allow ?? []),
    }),
  }
}

/** The specification (section 4) gives this mutation its arguments one by one, and its secret back. */
function createClient(type: RecordType, description: string) {
  return operation<Identity>({
    right: rightToWrite(type),
    type: answerOf(type),
    description,
    args: { ...inputFields(type), ...optionalSecret(type), ...ALLOW_ARGUMENT },
    async resolve(resolvers, { allow, ...input }) {
      const secret = type.secret === undefined ? undefined : (input[type.secret] ?? resolvers.newSecret())
      const complete = type.secret === undefined || secret === undefined ? input : { ...input, [type.secret]: secret }
      const record = await resolvers.createRecord(type.name, complete, (allow ?? []) as readonly GuardCode[])
      return { ...record, secret }
    },
  })
}

/** One that is made here is better than most that are thought of. */
function optionalSecret(type: RecordType): GraphQLFieldConfigArgumentMap {
  if (type.secret === undefined) return {}
  const description = 'The client secret. Left out: a random one is made, and given back this once.'
  return { [type.secret]: { type: GraphQLString, description } }
}

function updateField(type: RecordType): OperationFields {
  const patch = patchInput(type)
  if (patch === null) return {}
  return {
    [`update${type.definition}`]: operation<Identity & CreateArguments>({
      right: rightToWrite(type),
      type: answerOf(type),
      description: `Changes ${withArticle(type).toLowerCase()}: the fields that are given, and no others.`,
      args: {
        ...identityArguments(type),
        input: { type: new GraphQLNonNull(patch), description: 'What to change.' },
        ...ALLOW_ARGUMENT,
      },
      resolve: (resolvers, { input, allow, ...identity }) =>
        resolvers.updateRecord(type.name, keyOfArguments(type, identity as JsonObject), input, allow ?? []),
    }),
  }
}

function deleteField(type: RecordType): OperationFields {
  return {
    [`delete${type.definition}`]: operation<Identity>({
      right: rightToWrite(type),
      type: answerOf(type),
      description: `Deletes ${withArticle(type).toLowerCase()} with what belongs to it, and gives it as it was.`,
      args: { ...identityArguments(type), ...ALLOW_ARGUMENT },
      resolve: (resolvers, { allow, ...identity }) =>
        resolvers.deleteRecord(
          type.name,
          keyOfArguments(type, identity as JsonObject),
          (allow ?? []) as readonly GuardCode[],
        ),
    }),
  }
}

function answerOf(type: RecordType) {
  const object = RECORD_OBJECTS.get(type)?.object
  if (object === undefined) throw new Error(`no object type was made for ${type.name}`)
  return new GraphQLNonNull(object)
}
