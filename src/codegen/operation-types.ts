import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  typeFromAST,
  validate,
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { DOCUMENTS as CLIENT_DOCUMENTS } from '../api-client/documents.ts'
import { SCHEMA } from '../server/graphql/schema.ts'
import { DOCUMENTS as SIMULATE_DOCUMENTS } from '../simulate/documents.ts'
import type { Emitter } from './emitter.ts'
import { importOf } from './schema-types.ts'

type Documents = { readonly [name: string]: DocumentNode }

export const clientOperations = operationTypes('client-operations', 'src/api-client/documents.ts', CLIENT_DOCUMENTS)
export const simulateOperations = operationTypes('simulate-operations', 'src/simulate/documents.ts', SIMULATE_DOCUMENTS)

/** Writes the types of GraphQL operations. It fails if an operation does not fit the schema. */
export function operationTypes(file: string, source: string, documents: Documents): Emitter {
  return { path: `generated/${file}.ts`, emit: async () => textOf(source, documents) }
}

function textOf(source: string, documents: Documents): string {
  const operations = Object.entries(documents).map(([name, document]) => {
    const operation = operationOf(name, document)
    return `  ${name}: {\n    variables: ${variables(operation)}\n    data: ${data(operation)}\n  }\n`
  })
  const types = operations.join('')
  const json = /\bJson\b/.test(types) ? `${importOf('../src/lib/json.ts', ['Json'])}\n` : ''
  return `// Generated from ${source} by "npm run types". Do not edit.
${json}
/** The variables and the data of each operation. */
export interface Operations {
${types}}
`
}

function operationOf(name: string, document: DocumentNode): OperationDefinitionNode {
  const [problem] = validate(SCHEMA, document)
  if (problem !== undefined) throw new Error(`the operation ${name} does not fit the schema: ${problem.message}`)
  const [operation] = document.definitions
  if (operation?.kind === Kind.OPERATION_DEFINITION && operation.name?.value === name) return operation
  throw new Error(`the document ${name} must begin with an operation of this name`)
}

function variables({ variableDefinitions = [] }: OperationDefinitionNode): string {
  const members = variableDefinitions.flatMap(({ variable, type }) => {
    const found = typeFromAST(SCHEMA, type)
    return found === undefined ? [] : inputMember(variable.name.value, found, '      ')
  })
  return block(members, '    ')
}

function inputMember(name: string, type: GraphQLType, pad: string): string {
  const text = typeText(type, (named) => {
    if (!isInputObjectType(named)) return leaf(named)
    return block(
      Object.values(named.getFields()).map((one) => inputMember(one.name, one.type, `${pad}  `)),
      pad,
    )
  })
  return isNonNullType(type) ? `${name}: ${text}` : `${name}?: ${text} | undefined`
}

function data({ operation, selectionSet }: OperationDefinitionNode): string {
  return selected(SCHEMA.getRootType(operation), selectionSet, '    ')
}

function selected(type: GraphQLNamedType | null | undefined, { selections }: SelectionSetNode, pad: string): string {
  const members = selections.map((selection) => {
    const field = selection.kind === Kind.FIELD && isObjectType(type) ? type.getFields()[selection.name.value] : null
    if (selection.kind !== Kind.FIELD || field == null) throw new Error('only plain fields of objects have types')
    const { selectionSet, alias = selection.name } = selection
    // The client throws if a field fails.
    const isPresent = field.extensions['neverNull'] === true && !isNonNullType(field.type)
    const text = (isPresent ? presentText : typeText)(field.type, (named) =>
      selectionSet === undefined ? leaf(named) : selected(named, selectionSet, `${pad}  `),
    )
    return `${alias.value}: ${text}`
  })
  return block(members, pad)
}

function block(members: readonly string[], pad: string): string {
  return members.length === 0 ? '{}' : `{\n${members.map((one) => `${pad}  readonly ${one}\n`).join('')}${pad}}`
}

function typeText(type: GraphQLType, namedText: (named: GraphQLNamedType) => string): string {
  if (!isNonNullType(type)) return `${presentText(type, namedText)} | null`
  return presentText(type.ofType, namedText)
}

function presentText(type: GraphQLType, namedText: (named: GraphQLNamedType) => string): string {
  return isListType(type) ? `readonly (${typeText(type.ofType, namedText)})[]` : namedText(getNamedType(type))
}

/** The types of scalars in JSON. */
const SCALARS: { readonly [name: string]: string } = {
  Boolean: 'boolean',
  DateTime: 'string',
  Duration: 'string',
  Float: 'number',
  ID: 'string',
  Int: 'number',
  Integer: 'number',
  JSON: 'Json',
  String: 'string',
}

function leaf(type: GraphQLNamedType): string {
  if (isEnumType(type))
    return type
      .getValues()
      .map(({ name }) => `'${name}'`)
      .join(' | ')
  const scalar = SCALARS[type.name]
  if (scalar === undefined) throw new Error(`the scalar ${type.name} needs a type in src/codegen/operation-types.ts`)
  return scalar
}
