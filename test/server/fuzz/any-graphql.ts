import * as fc from 'fast-check'
import {
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
} from 'graphql'
import { modelArbitrary } from '../../support/random-model.ts'
import { anyText, EDIT, FLAW, flawed, isUuid, objectOf, TIMES, type Known, type Member } from './any-value.ts'

// Operations of a GraphQL schema, valid by their types or broken somewhere.

export interface Query {
  readonly query: string
  readonly variables: unknown
}

export type Root = 'query' | 'mutation' | 'subscription'
type Field = GraphQLField<unknown, unknown>

/** Returns every field of Query, Mutation and Subscription. */
export function rootFields(schema: GraphQLSchema): (readonly [root: Root, name: string, field: Field])[] {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const
  return roots.flatMap(([root, type]) =>
    Object.values(type?.getFields() ?? {}).map((field) => [root, field.name, field] as const),
  )
}

const DEEPEST_INPUT = 4
const DEEPEST_SELECTION = 3

export class GraphqlOperations {
  readonly #schema: GraphQLSchema
  readonly #known: Known
  readonly #selections = new Map<string, fc.Arbitrary<string>>()

  constructor(schema: GraphQLSchema, known: Known) {
    this.#schema = schema
    this.#known = known
  }

  /** Operations that fit the schema. Some have their arguments in the text, and some in variables. */
  valid(root: Root, field: Field): fc.Arbitrary<Query> {
    return fc
      .tuple(this.#arguments(field.args), this.#selection(field.type, 0), fc.boolean())
      .map(([given, selection, isInline]) => {
        const args = field.args.filter(({ name }) => name in given)
        const declared = args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ')
        const texts = args.map(({ name, type }) => `${name}: ${isInline ? literal(given[name], type) : `$${name}`}`)
        const head = isInline || declared === '' ? root : `${root} (${declared})`
        const call = texts.length === 0 ? field.name : `${field.name}(${texts.join(', ')})`
        return { query: `${head} { ${call} ${selection} }`, variables: isInline ? {} : given }
      })
  }

  /** The same with a flaw in the variables or in the text. */
  broken(root: Root, field: Field): fc.Arbitrary<Query> {
    return fc
      .tuple(this.valid(root, field), FLAW, EDIT, fc.boolean())
      .map(([{ query, variables }, flaw, edit, inText]) =>
        inText || Object.keys(variables as object).length === 0
          ? { query: edit(query), variables }
          : { query, variables: flawed(variables, flaw) },
      )
  }

  #arguments(args: readonly GraphQLArgument[]): fc.Arbitrary<{ readonly [name: string]: unknown }> {
    return objectOf(args.map((one) => this.#member(one, 0)))
  }

  #member(one: Pick<GraphQLArgument, 'name' | 'type' | 'defaultValue'>, depth: number): Member {
    return { name: one.name, value: this.#input(one.type, one.name, depth), isRequired: isRequired(one) }
  }

  #input(type: GraphQLInputType, name: string, depth: number): fc.Arbitrary<unknown> {
    if (isNonNullType(type)) return this.#value(type.ofType, name, depth)
    return fc.option(this.#value(type, name, depth), { nil: null, freq: 15 })
  }

  #value(type: GraphQLInputType, name: string, depth: number): fc.Arbitrary<unknown> {
    if (isListType(type)) return fc.array(this.#input(type.ofType, name, depth + 1), { maxLength: 2 })
    if (isEnumType(type)) return fc.constantFrom(...type.getValues().map((one) => one.name))
    if (!isInputObjectType(type)) return this.#scalar(String(type), name)
    const fields = Object.values(type.getFields()).filter((one) => depth < DEEPEST_INPUT || isRequired(one))
    return objectOf(fields.map((one) => this.#member(one, depth + 1)))
  }

  #scalar(type: string, name: string): fc.Arbitrary<unknown> {
    const number = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer())
    const texts = anyText(name, this.#known, type === 'ID' ? isUuid : undefined)
    if (name === 'document') return modelArbitrary()
    if (name === 'email') return fc.oneof(texts, fc.emailAddress())
    const values: { readonly [type: string]: fc.Arbitrary<unknown> } = {
      Boolean: fc.boolean(),
      Int: number,
      Integer: number,
      Float: fc.double({ min: -100, max: 100, noNaN: true }),
      DateTime: fc.constantFrom(...TIMES),
      Duration: fc.constantFrom('PT15M', 'P1D', 'P1M'),
      JSON: fc.oneof(fc.jsonValue({ maxDepth: 2 }), texts, fc.constant({})),
    }
    return values[type] ?? texts
  }

  #selection(type: GraphQLOutputType, depth: number): fc.Arbitrary<string> {
    const named = getNamedType(type)
    if (isLeafType(named)) return fc.constant('')
    const key = `${named.name}/${depth}`
    const made = this.#selections.get(key)
    if (made !== undefined) return made
    const types = isAbstractType(named) ? this.#schema.getPossibleTypes(named) : [named].filter(isObjectType)
    const parts = types.map((one) => this.#fieldsOf(one, depth, isAbstractType(named)))
    const found = fc.tuple(...parts).map((texts) => `{ __typename ${texts.join(' ')} }`)
    this.#selections.set(key, found)
    return found
  }

  #fieldsOf(type: GraphQLObjectType, depth: number, isOneOfSeveral: boolean): fc.Arbitrary<string> {
    const fields = Object.values(type.getFields()).filter(
      ({ type: of }) => depth < DEEPEST_SELECTION || isLeafType(getNamedType(of)),
    )
    if (fields.length === 0) return fc.constant('')
    return fc
      .subarray(fields, { minLength: 1, maxLength: Math.min(fields.length, 4) })
      .chain((few) => fc.tuple(...few.map((field) => this.#selected(field, depth + 1))))
      .map((texts) => (isOneOfSeveral ? `... on ${type.name} { ${texts.join(' ')} }` : texts.join(' ')))
  }

  #selected({ name, args, type }: Field, depth: number): fc.Arbitrary<string> {
    return fc.tuple(this.#arguments(args), this.#selection(type, depth)).map(([given, selection]) => {
      const texts = args
        .filter((one) => one.name in given)
        .map((one) => `${one.name}: ${literal(given[one.name], one.type)}`)
      return `${name}${texts.length === 0 ? '' : `(${texts.join(', ')})`} ${selection}`
    })
  }
}

function isRequired({ type, defaultValue }: Pick<GraphQLArgument, 'type' | 'defaultValue'>): boolean {
  return isNonNullType(type) && defaultValue === undefined
}

/** Writes a value as the text of a query. */
function literal(value: unknown, type: GraphQLInputType | null): string {
  const inner = type !== null && isNonNullType(type) ? type.ofType : type
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) {
    const item = inner !== null && isListType(inner) ? inner.ofType : null
    return `[${value.map((one) => literal(one, item)).join(', ')}]`
  }
  if (typeof value === 'object') {
    const fields = inner !== null && isInputObjectType(inner) ? inner.getFields() : {}
    const named = Object.entries(value).filter(([name]) => /^[_A-Za-z]\w*$/.test(name))
    return `{${named.map(([name, one]) => `${name}: ${literal(one, fields[name]?.type ?? null)}`).join(', ')}}`
  }
  if (inner !== null && isEnumType(inner) && typeof value === 'string') return value
  return JSON.stringify(value)
}
