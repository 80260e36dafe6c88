import type { GraphQLFieldConfig, GraphQLNamedType, GraphQLOutputType, GraphQLResolveInfo } from 'graphql'
import { requireRight } from '../../../auth/require-right.ts'
import type { Call, GraphqlContext } from '../call.ts'
import { inBatches } from '../batches.ts'
import { selectedFields } from '../selected-fields.ts'
import type { InputFields, ValuesOf } from '../typed.ts'
import type { Kind } from './kinds.ts'

/** An edge as places of a query select it. */
export interface AskedEdge<Arguments> {
  /** With the right of the objects that the edge leads to. */
  readonly call: Call
  readonly args: ValuesOf<Arguments>
  readonly info: GraphQLResolveInfo
}

/** An edge at one place of a query. */
interface Place<Arguments> {
  readonly edge: AskedEdge<Arguments>
  hasFailed: boolean
}

interface Declaration<Source, Arguments, Value> {
  readonly kind: Pick<Kind, 'right' | 'keepsWithin'> & { readonly type: GraphQLNamedType }
  readonly type: GraphQLOutputType
  readonly description: string
  readonly args?: Arguments
  /** The name by which the source asks; null if it names nothing. */
  keyOf(source: Source, context: GraphqlContext, info: GraphQLResolveInfo): string | null
  /** Answers all objects of a list together. */
  load(asked: AskedEdge<Arguments>, keys: readonly string[]): Promise<ReadonlyMap<string, Value>>
}

/**
 * Declares a field that leads to other objects. It needs the same right as the field of Query that shows these objects.
 * All objects of a list fail alike, and there may be very many of them. So only the first one reports the error, and
 * the edge of the others is null.
 */
export function edge<Source, const Arguments extends InputFields, Value>(
  declared: Declaration<Source, Arguments, Value>,
): GraphQLFieldConfig<Source, GraphqlContext> {
  const { kind, type, description, args, keyOf, load } = declared
  const { right, keepsWithin } = kind
  // graphql-js makes one list of field nodes for all objects of a list, and a new one in each execution.
  const places = new WeakMap<GraphQLResolveInfo['fieldNodes'], Place<Arguments>>()
  const known = new WeakMap<GraphQLResolveInfo['variableValues'], Map<string, AskedEdge<Arguments>>>()
  /** Places of an execution with the same arguments and fields ask together, so that aliases cost no more statements. */
  const placeOf = (args: ValuesOf<Arguments>, context: GraphqlContext, info: GraphQLResolveInfo): Place<Arguments> => {
    const asked = known.get(info.variableValues) ?? new Map<string, AskedEdge<Arguments>>()
    known.set(info.variableValues, asked)
    const like = JSON.stringify([args, [...new Set(selectedFields(info).values())].toSorted()])
    const edge = asked.get(like) ?? { args, info, call: context.callFor(right) }
    asked.set(like, edge)
    return { edge, hasFailed: false }
  }
  const ask = inBatches(load)
  return {
    type,
    description,
    ...(args !== undefined && { args }),
    extensions: { edge: kind.type.name, right, keepsWithin },
    async resolve(source, given: ValuesOf<Arguments>, context, info) {
      const place = places.get(info.fieldNodes) ?? placeOf(given, context, info)
      places.set(info.fieldNodes, place)
      try {
        requireRight(info.fieldName, right, context.caller, keepsWithin)
        const key = keyOf(source, context, info)
        return key === null ? null : ((await ask(place.edge, key)) ?? null)
      } catch (error) {
        if (place.hasFailed) return null
        place.hasFailed = true
        throw error
      }
    },
  }
}
