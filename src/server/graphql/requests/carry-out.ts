import { execute, getOperationAST, GraphQLError, OperationTypeNode, subscribe, validate } from 'graphql'
import type { DocumentNode, ExecutionResult } from 'graphql'
import { requireRightsStill } from '../../../platform/change-domain.ts'
import { SCHEMA } from '../schema.ts'
import type { GraphqlContext } from '../call.ts'
import { noEdgesInSubscriptions } from '../subscriptions/no-edges.ts'
import { failed } from './answer-errors.ts'
import type { GraphqlRequest } from './read-request.ts'
import { RULES } from './text-variables.ts'

/** The result of an operation, or the results of a subscription. */
export interface CarriedOut {
  readonly result: ExecutionResult | AsyncIterableIterator<ExecutionResult>
  /** Whether the query itself is wrong, by its syntax or the schema. */
  readonly isWrongQuery: boolean
}

/** If a request takes longer, its sender is checked again before the answer is sent. Each write makes its own check. */
const SOON_MS = 1_000

/** Queries that fit the schema, so that a cached query is validated only once. */
const VALID = new WeakSet<DocumentNode>()

/** Carries out a request by graphql-js. If the request is wrong, the result has errors and no data. */
export async function carryOut(asked: GraphqlRequest, contextValue: GraphqlContext): Promise<CarriedOut> {
  try {
    const { variables, operationName } = asked.takeParams()
    const query = validated(asked.query)
    if (!('kind' in query)) return { result: { errors: query }, isWrongQuery: true }
    const kind = getOperationAST(query, operationName)?.operation
    const work = kind === OperationTypeNode.SUBSCRIPTION ? subscribe : execute
    const begun = performance.now()
    const asks = { schema: SCHEMA, document: query, contextValue, variableValues: variables, operationName }
    const result = await work(asks)
    const { lists } = contextValue
    // Each list after the first that exceeded the limit has failed too, and there may be very many.
    if (kind === OperationTypeNode.QUERY && lists.refusal !== null) throw lists.refusal
    if (!isIterable(result)) await lists.fill(result)
    const isLongLook = kind === OperationTypeNode.QUERY && performance.now() - begun > SOON_MS
    if (isLongLook) await requireRightsStill(contextValue.parts.context)
    return { result, isWrongQuery: false }
  } catch (error) {
    return { result: failed(error), isWrongQuery: false }
  }
}

export function isIterable(result: CarriedOut['result']): result is AsyncIterableIterator<ExecutionResult> {
  return Symbol.asyncIterator in result
}

/** Returns the query if it is valid, and otherwise its errors. */
function validated(query: GraphqlRequest['query']): DocumentNode | readonly GraphQLError[] {
  if (query === null) throw new Error('a request that cannot be read has no parameters')
  if (query instanceof GraphQLError) return [query]
  if (VALID.has(query)) return query
  const errors = validate(SCHEMA, query, [...RULES, noEdgesInSubscriptions])
  if (errors.length > 0) return errors
  VALID.add(query)
  return query
}
