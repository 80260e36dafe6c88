import { GraphQLError, type ExecutionResult } from 'graphql'
import { jsonPieces } from '../../../lib/json-pieces.ts'
import { AnswerBudget, MOST_DOCUMENT_BYTES } from '../../../platform/answer-budget.ts'
import { writeAnswer } from '../../written-answer.ts'
import { asksForDocuments, type GraphqlRequest } from './read-request.ts'

type Written = Uint8Array<ArrayBuffer>

/**
 * Writes a result piece by piece, and refuses it if it becomes too large. Before that, long errors lose their ends,
 * because the data may have the only copy of a new password.
 */
export async function writeResult(result: ExecutionResult, asked: Pick<GraphqlRequest, 'weight'>): Promise<Written> {
  const { data, errors } = result
  if (data == null || errors === undefined) return written(result, asked)
  return written(result, asked).catch(() => written({ ...result, errors: errors.map(shortened) }, asked))
}

function written({ data, ...others }: ExecutionResult, { weight }: Pick<GraphqlRequest, 'weight'>): Promise<Written> {
  const hasDocument = weight !== null && asksForDocuments(weight)
  const budget = new AnswerBudget(hasDocument ? MOST_DOCUMENT_BYTES : undefined)
  return writeAnswer(jsonPieces({ ...others, data }), budget)
}

const LONGEST_MESSAGE = 200

function shortened(error: GraphQLError): GraphQLError {
  const { message, nodes, source, positions, path, extensions } = error
  const { details: _, ...kept } = extensions
  const isShort = message.length <= LONGEST_MESSAGE && !('details' in extensions)
  if (isShort) return error
  const start = message.slice(0, LONGEST_MESSAGE).toWellFormed()
  return new GraphQLError(`${start}… (shortened, because the errors of this answer are too large)`, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    extensions: kept,
  })
}
