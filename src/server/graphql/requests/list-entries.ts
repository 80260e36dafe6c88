import { Kind } from 'graphql'
import type { ArgumentNode, FieldNode, ValueNode } from 'graphql'
import { isObject } from '../../../lib/json.ts'

export type Variables = { readonly [name: string]: unknown }

/** The argument whose members can be lists. Others are objects that hold a whole model, which is weighed elsewhere. */
const FILTER = 'filter'

/** How many entries the lists have that the arguments of a field are, or that are part of its filter. */
export function entriesOf({ arguments: given = [] }: FieldNode, variables: Variables): number {
  return given.reduce((sum, argument) => sum + ofArgument(argument, variables), 0)
}

function ofArgument({ name, value }: ArgumentNode, variables: Variables): number {
  if (name.value !== FILTER) return lengthOf(value, variables)
  if (value.kind === Kind.OBJECT) return value.fields.reduce((sum, field) => sum + lengthOf(field.value, variables), 0)
  const filter = value.kind === Kind.VARIABLE ? variables[value.name.value] : null
  return isObject(filter) ? Object.values(filter).reduce<number>((sum, list) => sum + given(list), 0) : 0
}

function lengthOf(value: ValueNode, variables: Variables): number {
  if (value.kind === Kind.LIST) return value.values.length
  return value.kind === Kind.VARIABLE ? given(variables[value.name.value]) : 0
}

function given(list: unknown): number {
  return Array.isArray(list) ? list.length : 0
}
