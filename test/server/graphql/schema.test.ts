import type { GraphQLArgument } from 'graphql'
import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isIntrospectionType,
  isListType,
  isObjectType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  validateSchema,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { singular } from '../../../src/server/graphql/names.ts'
import { SCHEMA } from '../../../src/server/graphql/schema.ts'
import { DOCUMENT_TYPE_NAMES } from '../../../src/records/record-type.ts'
import { RECORD_TYPES } from '../../../src/records/registry.ts'
import { fieldsOf, storedFields } from '../../../src/records/shape.ts'

const types = Object.values(SCHEMA.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
)
const queries = SCHEMA.getQueryType()?.getFields() ?? {}
const mutations = SCHEMA.getMutationType()?.getFields() ?? {}

describe('the GraphQL schema', () => {
  it('is valid', () => {
    expect(validateSchema(SCHEMA)).toStrictEqual([])
    expect(SCHEMA.getDirectives().every(isSpecifiedDirective)).toBe(true)
  })

  it('counts the items of every list of objects that no length argument limits', () => {
    const uncounted = types.filter(isObjectType).flatMap((type) =>
      Object.values(type.getFields()).flatMap((field) => {
        const isList = isListType(getNullableType(field.type)) && isCompositeType(getNamedType(field.type))
        const isPage = type.name.endsWith('Connection')
        return isList && !isPage && field.extensions['isCounted'] !== true ? [`${type.name}.${field.name}`] : []
      }),
    )
    expect(uncounted).toStrictEqual([])
  })

  it('says what every type, field and argument is', () => {
    const silent = types.flatMap((type) => {
      const fields = isObjectType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : []
      const args = fields.flatMap((field) =>
        'args' in field
          ? field.args.map((arg: GraphQLArgument) => [`${type.name}.${field.name}(${arg.name})`, arg.description])
          : [],
      )
      return [
        [type.name, type.description],
        ...fields.map((field) => [`${type.name}.${field.name}`, field.description]),
        ...args,
      ]
    })
    expect(silent.filter(([, description]) => !description).map(([name]) => name)).toStrictEqual([])
  })
})

/** Words that tell what somebody may give, and not what an answer has. */
const OF_INPUT = /\bleft out\b|\bleaves? (?:it |them )?out\b|\byou leave\b|stays as it is on the platform|\bWrite\b/i

it('no description of an answer speaks of input', () => {
  const roots = [SCHEMA.getQueryType(), SCHEMA.getMutationType(), SCHEMA.getSubscriptionType()]
  const fields = types.flatMap((type) => {
    if (!isObjectType(type) || roots.includes(type)) return []
    return [type, ...Object.values(type.getFields()).map((field) => ({ ...field, name: `${type.name}.${field.name}` }))]
  })
  expect(fields.filter(({ description }) => OF_INPUT.test(description ?? '')).map(({ name }) => name)).toEqual([])
  const described = new Map(fields.map(({ name, description }) => [name, description]))
  expect(described.get('Grant.within')).toMatch(/ null: the whole domain\.$/)
  expect(described.get('User.name')).toMatch(/^Name shown to people\. null: none\.$/)
  expect(described.get('User.status')).toMatch(/can sign in\.$/)
})

/** Fields that name an object without an edge, and why. */
const NO_EDGE: { readonly [field: string]: string } = {
  'Consent.application': 'a client_id, and applications of the platform itself have one, too',
  'UserOrganization.alias': 'User has the edge',
  'RefusedDatapoint.sender': 'an account of any kind, or a name',
  'RecordChange.key': 'the edge `record` is by the uuid, since a record can be created again under its key',
  'NextSigningKey.kid': 'keys cannot be read',
  'Deletion.subject': 'it exists no longer',
}

it('leads from each field that names an object to that object', () => {
  const without = types.flatMap((type) => {
    if (!isObjectType(type) || [...ROOTS, 'NewDatapoint'].includes(type.name)) return []
    const fields = Object.values(type.getFields())
    const edges = new Set(fields.filter(({ extensions }) => extensions['edge'] !== undefined).map(({ name }) => name))
    return fields.flatMap(({ name, type: of, description }) => {
      const names =
        ['ID!', 'ID'].includes(String(of)) || /\b(?:uuid of|key of|alias of|user name of)\b/i.test(description ?? '')
      const plain = name.replace(/(?:Code|RecordKey|Uuid)$/, '')
      const isLed = ['', 'Record', 'Entity', 'Apply'].some((ending) => edges.has(`${plain}${ending}`))
      const isText = ['ID', 'String'].includes(getNamedType(of).name)
      return names && isText && name !== 'uuid' && !isLed ? [`${type.name}.${name}`] : []
    })
  })
  expect(without.toSorted()).toStrictEqual(Object.keys(NO_EDGE).toSorted())
})

const ROOTS: readonly string[] = ['Query', 'Mutation', 'Subscription']

describe.each(RECORD_TYPES)('the record type $name', (type) => {
  const object = SCHEMA.getType(type.definition)
  const fields = isObjectType(object) ? object.getFields() : {}

  it('has a list, a query for one, and mutations', () => {
    expect(Object.keys(queries)).toEqual(expect.arrayContaining([type.name, singular(type)]))
    expect(Object.keys(mutations)).toEqual(
      expect.arrayContaining([`create${type.definition}`, `delete${type.definition}`]),
    )
    const isOnlyIdentity = fieldsOf(type.definition).length === type.identity.length
    expect(`update${type.definition}` in mutations).toBe(!isOnlyIdentity)
  })

  it('shows all that is stored, and when and as what', () => {
    const expected = [...storedFields(type).map(({ name }) => name), 'uuid', 'recordKey', 'createdAt', 'updatedAt']
    expect(Object.keys(fields)).toEqual(expect.arrayContaining(expected))
  })

  it('shows its secret only where the specification does', () => {
    const shown = Object.keys(fields).filter((name) => name === type.secret)
    expect(shown).toStrictEqual(type.secretKind === 'client-secret' ? [type.secret] : [])
  })
})

it('names the record types as the import document does', () => {
  const recordType = SCHEMA.getType('RecordType')
  expect(recordType && 'getValues' in recordType && recordType.getValues().map(({ name }) => name)).toStrictEqual([
    ...DOCUMENT_TYPE_NAMES,
  ])
})
