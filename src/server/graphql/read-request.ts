import type { GraphQLParams } from 'graphql-yoga'
import { IMPORT_FIELDS } from '../../graphql/import-operations.ts'
import type { QueryWeight } from '../../graphql/query-weight.ts'
import { readParams } from './request-params.ts'
import { weighQuery } from './weigh-query.ts'

/** A request that was read, or what is wrong with it: whoever takes its parameters is told, and answers that. */
export interface GraphqlRequest {
  /** Null where it cannot be read, or holds no query. */
  readonly weight: QueryWeight | null
  /** Once: an import document has megabytes, and is not kept while it is worked on. */
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
