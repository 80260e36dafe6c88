import { defaultFieldResolver, getNamedType, getNullableType, isCompositeType, isListType, isObjectType } from 'graphql'
import type { GraphQLField, GraphQLSchema } from 'graphql'
import type { GraphqlContext } from './call.ts'
import { OPEN_LISTS } from './edges/edge-names.ts'

type Field = GraphQLField<unknown, GraphqlContext>

/**
 * Makes all lists of objects count their items. Pages do not, because the length of a page is known before the query
 * runs.
 */
export function countLists(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__') || type.name.endsWith('Connection')) continue
    for (const field of Object.values(type.getFields())) {
      if (!isOpen(field)) continue
      OPEN_LISTS.add(field.name)
      if (field.extensions['isCounted'] !== true) countItems(field)
    }
  }
}

function isOpen({ type, args }: Field): boolean {
  const isOfObjects = isListType(getNullableType(type)) && isCompositeType(getNamedType(type))
  return isOfObjects && !args.some(({ name }) => name === 'first')
}

function countItems(field: Field): void {
  const { resolve = defaultFieldResolver, extensions } = field
  field.extensions = { ...extensions, isCounted: true }
  field.resolve = (source, args, context, info) => {
    const counted = (items: unknown) => {
      if (Array.isArray(items)) context.lists.count(items.length, info)
      return items
    }
    const found: unknown = resolve(source, args, context, info)
    return found instanceof Promise ? found.then(counted) : counted(found)
  }
}
