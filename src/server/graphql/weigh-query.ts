import { GraphQLError, parse, Source } from 'graphql'
import type { GraphQLParams } from 'graphql-yoga'
import { QUERY_LIMITS, refuseDeep, refuseHeavy } from '../../graphql/query-limits.ts'
import { weigh, type QueryWeight, type Variables } from '../../graphql/query-weight.ts'
import { isObject } from '../../lib/json.ts'

/**
 * How much a request asks for; null where it holds no query, which is told by whoever carries it out. What is too much
 * is refused. It depends on the variables, so an answer for the same query before says nothing.
 */
export function weighQuery({ query, variables, operationName }: GraphQLParams): QueryWeight | null {
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
