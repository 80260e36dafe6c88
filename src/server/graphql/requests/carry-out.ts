import { execute, getOperationAST, GraphQLError, OperationTypeNode, subscribe, validate } from 'graphql'
import type { DocumentNode, ExecutionResult } from 'graphql'
import { requireRightsStill } from '../../../platform/change-domain.ts'
import { SCHEMA } from '../schema.ts'
import type { GraphqlContext } from '../call.ts'
import { failed } from './answer-errors.ts'
import type { GraphqlRequest } from './read-request.ts'

/** The result of an operation, or those of a subscription. */
export interface CarriedOut {
  readonly result: ExecutionResult | AsyncIterableIterator<ExecutionResult>
  /** Whether the text of the query is wrong, by its syntax or by the schema. */
  readonly isWrongQuery: boolean
}

/** If a request took longer, its sender is looked up again before the answer is sent. Each write looks by itself. */
const SOON_MS = 1_000

/** The queries that fit the schema. A query that is kept is validated once. */
const VALID = new WeakSet<DocumentNode>()

/** Carries out a request by graphql-js. What is wrong with the request is a result with errors and without data. */
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
    if (!isIterable(result)) await contextValue.lists.fill(result)
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

/** The query where it can be carried out, or what is wrong with it. */
function validated(query: GraphqlRequest['query']): DocumentNode | readonly GraphQLError[] {
  if (query === null) throw new Error('a request that cannot be read has no parameters')
  if (query instanceof GraphQLError) return [query]
  if (VALID.has(query)) return query
  const errors = validate(SCHEMA, query)
  if (errors.length > 0) return errors
  VALID.add(query)
  return query
}
