import type { SentDocument } from '../../documents/read/sent-document.ts'
import { counted } from '../../lib/counted.ts'
import { hasErrors, isDiagnostic, type Diagnostic } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { problemResponse } from '../requests/error-response.ts'

const MOST_SHOWN = 100

/**
 * The errors that prevent a document from being planned, with their positions in the text; null where there are none.
 */
export function documentProblem(
  { isBroken, locate }: Pick<SentDocument, 'isBroken' | 'locate'>,
  found: readonly Diagnostic[],
  traceId: string,
): Response | null {
  const errors = found.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return null
  const shown = errors.slice(0, MOST_SHOWN)
  const positions = locate(shown.filter(({ line }) => line === undefined).map(({ pointer }) => pointer))
  const what = isBroken ? 'cannot be read' : `has ${counted(errors.length, 'error')}`
  const body = {
    type: 'about:blank',
    title: isBroken ? 'Bad request' : 'Unprocessable content',
    status: isBroken ? 400 : 422,
    detail: `the import document ${what}; nothing was planned`,
    code: 'BAD_USER_INPUT',
    traceId,
    errorCount: errors.length,
    errors: shown.map(({ pointer, code, message, line, column }) => {
      const position = line === undefined ? positions.get(pointer) : { line, column }
      return {
        pointer,
        code,
        detail: message,
        retryable: false,
        ...(position && { line: position.line, column: position.column }),
      }
    }),
  }
  return Response.json(body, { status: body.status, headers: { 'content-type': 'application/problem+json' } })
}

/** The answer to an error that clients may see. Every other error is thrown on. */
export function importProblem(error: unknown, sent: SentDocument, traceId: string): Response {
  if (!(error instanceof HoldfastError) || error.code === 'INTERNAL') throw error
  const found = error.details.filter(isDiagnostic)
  const problem = error.code === 'BAD_USER_INPUT' && hasErrors(found) ? documentProblem(sent, found, traceId) : null
  return problem ?? problemResponse(error, traceId)
}
