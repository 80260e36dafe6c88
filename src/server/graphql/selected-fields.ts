import { getDirectiveValues, GraphQLIncludeDirective, GraphQLSkipDirective, Kind } from 'graphql'
import type { GraphQLResolveInfo, SelectionNode } from 'graphql'

type Given = Pick<GraphQLResolveInfo, 'fragments' | 'variableValues'>

/** Returns the names of the fields that a request selects below a field, by their keys in the answer, in order. */
export function selectedFields(info: Given & Pick<GraphQLResolveInfo, 'fieldNodes'>): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const { selectionSet } of info.fieldNodes) addFields(fields, selectionSet?.selections ?? [], info)
  return fields
}

/** Adds selected fields. The fields have no arguments, so two fields with the same key are the same. */
function addFields(fields: Map<string, string>, selections: readonly SelectionNode[], given: Given): void {
  for (const node of selections) {
    if (!isIncluded(node, given)) continue
    if (node.kind === Kind.FIELD) fields.set((node.alias ?? node.name).value, node.name.value)
    else {
      const inside = node.kind === Kind.INLINE_FRAGMENT ? node : given.fragments[node.name.value]
      addFields(fields, inside?.selectionSet.selections ?? [], given)
    }
  }
}

function isIncluded(node: SelectionNode, { variableValues }: Given): boolean {
  const skipped = getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.['if'] === true
  return !skipped && getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.['if'] !== false
}
