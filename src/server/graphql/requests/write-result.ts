import type { ExecutionResult } from 'graphql'
import { jsonPieces } from '../../../lib/json-pieces.ts'
import { AnswerBudget, MOST_DOCUMENT_BYTES } from '../../../platform/answer-budget.ts'
import { writeAnswer } from '../../written-answer.ts'
import { asksForDocuments, type GraphqlRequest } from './read-request.ts'

/** Writes a result, its data piece by piece, and refuses it where it has too many bytes. */
export async function writeResult(
  result: ExecutionResult,
  { weight }: Pick<GraphqlRequest, 'weight'>,
): Promise<Uint8Array<ArrayBuffer>> {
  const { data, ...others } = result
  if (data === undefined) return Buffer.from(JSON.stringify(others))
  const hasDocument = weight !== null && asksForDocuments(weight)
  const budget = new AnswerBudget(hasDocument ? MOST_DOCUMENT_BYTES : undefined)
  const head = JSON.stringify(others).slice(0, -1)
  const begin = `${head}${head === '{' ? '' : ','}"data":`
  return writeAnswer(around(begin, jsonPieces(data)), budget)
}

function* around(begin: string, pieces: Iterable<string>): Generator<string> {
  yield begin
  yield* pieces
  yield '}'
}
