import { ERROR_CODES, type ErrorCode } from '../../../src/lib/errors.ts'
import { ERROR_KINDS } from '../../../src/server/requests/error-kinds.ts'
import { schemaAt, unexplained } from '../described-answers.ts'
import type { Answer, GraphqlAnswer } from '../test-server.ts'

// Tells what of an answer contradicts the documentation.

const PROBLEM_TYPE = 'application/problem+json'
const GRAPHQL_TYPES = ['application/json', 'application/graphql-response+json']
const PROBLEMS = ['Problem', 'BatchProblem', 'DocumentProblem']

/** The kinds of failures of which nobody who asks can be the cause. */
const OWN_FAULTS: readonly ErrorCode[] = ['INTERNAL', 'UNAVAILABLE']

export function strangeGraphql(answer: Answer): string[] {
  const { status, headers, json } = answer
  const [type = ''] = String(headers['content-type']).split(';')
  if (type === PROBLEM_TYPE) return strangeProblem(answer)
  if (type === 'text/event-stream') return status === 200 ? [] : [`a stream with the status ${status}`]
  if (!GRAPHQL_TYPES.includes(type)) return [`the type ${type}`]
  const { errors, ...rest } = json as GraphqlAnswer
  const codes = (errors ?? []).map(({ extensions }) => extensions['code'])
  return [
    ...(errors === undefined && !('data' in rest) ? ['neither data nor errors'] : []),
    ...(status === 200 || isStatusOf(status, codes) ? [] : [`the status ${status} with ${codes.join(', ')}`]),
    ...(errors ?? []).flatMap(({ message, extensions }) => [
      ...strangeCode(extensions['code']),
      ...(extensions['traceId'] === headers['x-trace-id'] ? [] : ['another traceId']),
      ...(message === '' ? ['an empty message'] : []),
    ]),
  ]
}

export function strangeRest(answer: Answer): string[] {
  const isProblem = answer.status >= 400
  const isOfType = answer.headers['content-type']?.startsWith(PROBLEM_TYPE) === true
  if (isProblem !== isOfType) return [`the status ${answer.status} with ${answer.headers['content-type']}`]
  return isProblem ? strangeProblem(answer) : []
}

function strangeProblem(answer: Answer): string[] {
  const { headers, json, text } = answer
  const fitting = PROBLEMS.filter((name) => schemaAt(['components', 'schemas', name])(json))
  if (fitting.length === 0) return [`no problem document: ${text}`]
  const { code, traceId } = json as { readonly code: string; readonly traceId: string }
  const isTraced = traceId === headers['x-trace-id']
  return [...strangeCode(code), ...unexplained(answer), ...(isTraced ? [] : ['another traceId'])]
}

function strangeCode(code: unknown): string[] {
  if (!isErrorCode(code)) return [`the code ${String(code)}`]
  return OWN_FAULTS.includes(code) ? [`the failure ${code}`] : []
}

function isErrorCode(code: unknown): code is ErrorCode {
  return ERROR_CODES.some((one) => one === code)
}

function isStatusOf(status: number, codes: readonly unknown[]): boolean {
  return codes.filter(isErrorCode).some((code) => {
    const { status: usual, others = {} } = ERROR_KINDS[code]
    return status === usual || status in others
  })
}
