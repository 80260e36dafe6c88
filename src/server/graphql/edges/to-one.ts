import type { GraphQLFieldConfig, GraphQLFieldConfigMap, GraphQLResolveInfo } from 'graphql'
import { isObject } from '../../../lib/json.ts'
import type { Naming } from '../../../records/edges.ts'
import { joinKey } from '../../../records/identity.ts'
import { valueAt } from '../../../records/json-schema.ts'
import type { GraphqlContext } from '../call.ts'
import { spoken } from '../names.ts'
import { edge } from './edge.ts'
import { EDGE_NAMES } from './edge-names.ts'
import { kindNamed } from './kinds.ts'

type Fields<Source> = GraphQLFieldConfigMap<Source, GraphqlContext>

/** Adds an edge for each field that names an object. Several fields that name the same one have one edge. */
export function withEdges<Source>(fields: Fields<Source>, namings: readonly Naming[]): Fields<Source> {
  const edges = namings.flatMap((naming) => {
    const field = fields[naming.field]
    if (field === undefined) return []
    const name = edgeName(naming, fields)
    EDGE_NAMES.add(name)
    return [[name, edgeOf(field, naming)] as const]
  })
  return { ...fields, ...Object.fromEntries(edges) }
}

/** The name of the field without its ending. If that name is taken, the name says to what the edge leads. */
function edgeName({ field, to }: Naming, taken: object): string {
  const name = field.replace(/(?:Code|RecordKey|Uuid)$/, '')
  return Object.hasOwn(taken, name) ? `${name}${kindNamed(to).ending}` : name
}

function edgeOf<Source>(
  field: GraphQLFieldConfig<Source, GraphqlContext>,
  { field: name, inside = [], to, by }: Naming,
) {
  const kind = kindNamed(to)
  return edge({
    kind,
    type: kind.type,
    description: `The ${spoken({ definition: to })} that \`${name}\` names; null: none, or none that you may see.`,
    keyOf(source: Source, context: GraphqlContext, info: GraphQLResolveInfo) {
      const plain = isObject(source) ? source[name] : null
      const value = field.resolve === undefined ? plain : field.resolve(source, {}, context, info)
      const named = valueAt(value, inside)
      if (typeof named !== 'string') return null
      return by === 'part' ? joinKey([named]) : named
    },
    load: ({ call }, names) => kind.find(call, by === 'uuid' ? 'uuid' : 'key', names),
  })
}
