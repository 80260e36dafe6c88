import { GraphQLError, parse, Source } from 'graphql'
import type { GraphQLParams } from 'graphql-yoga'
import { isObject } from '../../lib/json.ts'
import { IMPORT_FIELDS } from './imports/operations.ts'
import { QUERY_LIMITS, refuseDeep, refuseHeavy } from './query-limits.ts'
import { weigh, type QueryWeight, type Variables } from './query-weight.ts'
import { readParams } from './request-params.ts'

/** A request that was read. Where something is wrong with it, taking its parameters throws what is to be answered. */
export interface GraphqlRequest {
  /** Null where it cannot be read, or holds no query. */
  readonly weight: QueryWeight | null
  /** Can be called once, because an import document of megabytes is not kept while it is worked on. */
  takeParams(): GraphQLParams
}

export function readRequest(body: Uint8Array): GraphqlRequest {
  try {
    const params = readParams(body)
    return { weight: weighQuery(params), takeParams: once(params) }
  } catch (error) {
    return {
      weight: null,
      takeParams: () => {
        throw error
      },
    }
  }
}

/**
 * How much a request asks for; null where it holds no query, which its handler will say. What is too much is refused. It
 * depends on the variables, so an answer for the same query before says nothing.
 */
function weighQuery({ query, variables, operationName }: GraphQLParams): QueryWeight | null {
  const weight = weighText(query ?? '', isObject(variables) ? variables : {}, operationName)
  if (weight === null) return null
  refuseHeavy(weight)
  return weight
}

function weighText(query: string, variables: Variables, operationName?: string | null): QueryWeight | null {
  try {
    const source = new Source(query)
    refuseDeep(source)
    return weigh(parse(source, { maxTokens: QUERY_LIMITS.tokens, noLocation: true }), variables, operationName)
  } catch (error) {
    if (error instanceof GraphQLError) return null
    throw error
  }
}

/** An answer of so many values takes some ten milliseconds to make. */
const MANY_VALUES = 20_000

/** Whether carrying a request out would keep all others waiting: it deals with a whole model, or has a large answer. */
export function isHeavy({ weight }: GraphqlRequest): boolean {
  // What a subscription tells is small, and its stream belongs to the thread that has the socket.
  if (weight === null || weight.subscribes) return false
  return weight.values - weight.introspected > MANY_VALUES || !weight.names.isDisjointFrom(IMPORT_FIELDS)
}

function once(params: GraphQLParams): () => GraphQLParams {
  let kept: GraphQLParams | undefined = params
  return () => {
    if (kept === undefined) throw new Error('the parameters of a request were taken twice')
    const taken = kept
    kept = undefined
    return taken
  }
}
