import {
  getNamedType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  type GraphQLField,
  type GraphQLObjectType,
} from 'graphql'
import { SCHEMA } from '../../../src/server/graphql/schema.ts'

// All edges of the schema, and for each a query that follows it from many objects.

type Field = GraphQLField<unknown, unknown>

export interface SchemaEdge {
  /** For example `Component.system`. */
  readonly name: string
  readonly field: Field
  /** The fields from Query to the objects with the edge. */
  readonly path: readonly Field[]
}

const fieldsOf = (type: GraphQLObjectType): Field[] => Object.values(type.getFields())
export const isEdge = (field: Field): boolean => field.extensions['edge'] !== undefined
export const isList = ({ type }: Field): boolean => getNamedType(type).name.endsWith('Connection')

/** What fields need that the schema wants arguments of. */
const ARGUMENTS: { readonly [name: string]: string } = {
  datapoints: 'component: $component, service: $service, characteristic: $characteristic',
  recordHistory: 'type: services, recordKey: "service-1"',
  accessExplanation: 'user: "machine-1"',
}

/** `me` is somebody else for each sender. */
function mayFollow(field: Field): boolean {
  return field.name !== 'me' && (!field.args.some(isRequiredArgument) || ARGUMENTS[field.name] !== undefined)
}

/** The shortest ways from Query to each type: by fields that are no edges, as far as that is possible. */
function pathsToTypes(): ReadonlyMap<string, readonly Field[]> {
  const paths = new Map<string, readonly Field[]>()
  for (const follows of [(field: Field) => !isEdge(field), () => true]) {
    const query = SCHEMA.getQueryType()
    const waiting: [GraphQLObjectType, readonly Field[]][] = query ? [[query, []]] : []
    const seen = new Set<string>()
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [type, path] = next
      if (seen.has(type.name)) continue
      seen.add(type.name)
      if (!paths.has(type.name)) paths.set(type.name, path)
      const order = fieldsOf(type).toSorted((a, b) => Number(!isList(a)) - Number(!isList(b)))
      for (const field of order) {
        const named = getNamedType(field.type)
        if (isObjectType(named) && mayFollow(field) && follows(field)) waiting.push([named, [...path, field]])
      }
    }
  }
  return paths
}

/** Every edge of the schema outside of subscriptions. */
export function edgesOfSchema(): SchemaEdge[] {
  const paths = pathsToTypes()
  return Object.values(SCHEMA.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type)) return []
    const path = paths.get(type.name)
    return fieldsOf(type).flatMap((field): SchemaEdge[] =>
      isEdge(field) && path !== undefined ? [{ name: `${type.name}.${field.name}`, field, path }] : [],
    )
  })
}

/** All leaves of what a field has; of a list those of its items. */
export function leavesOf(field: Field): string {
  const named = getNamedType(field.type)
  if (isInterfaceType(named)) return '{ __typename uuid }'
  if (!isObjectType(named)) return ''
  const nodes = named.getFields()['nodes']
  if (nodes !== undefined) return `{ totalCount nodes ${leavesOf(nodes)} }`
  return `{ __typename ${leafNames(named).join(' ')} }`
}

/** What says who did something is hidden from some, and all changes of an apply are a document of its own. */
const NOT_ASKED: readonly string[] = ['changes', 'changedBy', 'sender']

function leafNames(type: GraphQLObjectType): string[] {
  const leaves = fieldsOf(type).filter(
    ({ name, type: of }) => isLeafType(getNamedType(of)) && !NOT_ASKED.includes(name),
  )
  return leaves.map(({ name }) => name)
}

/** A query for an edge of many objects, and for all leaves of these. `values` take the places of `$component` and so on. */
export function queryOf(
  { field, path }: SchemaEdge,
  values: { readonly [name: string]: string } = {},
  hasEdge = true,
): string {
  const first = (one: Field) => (one.args.some(({ name }) => name === 'first') && isList(one) ? 'first: 100' : '')
  const asked = path.map((one) => {
    const args = [ARGUMENTS[one.name] ?? '', first(one)].filter((text) => text !== '').join(', ')
    return `${one.name}${args && `(${args})`}`
  })
  const inner = !hasEdge ? '' : `${field.name}${isList(field) ? '(first: 5)' : ''} ${leavesOf(field)}`
  const last = path.at(-1)
  const named = last === undefined ? undefined : getNamedType(last.type)
  const own = isObjectType(named) ? ['__typename', ...leafNames(named)].join(' ') : ''
  const text = `{ ${asked.join(' { ')} { ${own} ${inner} } ${'} '.repeat(path.length)}`
  return text.replaceAll(/\$(\w+)/g, (_, name: string) => JSON.stringify(values[name] ?? ''))
}

/** What an answer has at the end of a path, of all objects together. */
export function valuesAt(path: readonly Field[], data: unknown): unknown[] {
  return path.reduce<unknown[]>(
    (values, { name }) =>
      values.flatMap((value) => (typeof value === 'object' && value !== null ? [Reflect.get(value, name)] : [])).flat(),
    [data],
  )
}
