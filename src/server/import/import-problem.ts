import type { SentDocument } from '../../documents/read/sent-document.ts'
import { counted } from '../../lib/counted.ts'
import { hasErrors, type Diagnostic } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { isObject } from '../../lib/json.ts'
import { problemResponse } from '../requests/error-response.ts'

const MOST_SHOWN = 100

/** What keeps a document from being planned, each with its place in the text; null where nothing does. */
export function documentProblem(
  { isBroken, locate }: Pick<SentDocument, 'isBroken' | 'locate'>,
  found: readonly Diagnostic[],
  traceId: string,
): Response | null {
  const errors = found.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return null
  const shown = errors.slice(0, MOST_SHOWN)
  const places = locate(shown.filter(({ line }) => line === undefined).map(({ pointer }) => pointer))
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
      const place = line === undefined ? places.get(pointer) : { line, column }
      return {
        pointer,
        code,
        detail: message,
        retryable: false,
        ...(place && { line: place.line, column: place.column }),
      }
    }),
  }
  return Response.json(body, { status: body.status, headers: { 'content-type': 'application/problem+json' } })
}

/** The answer to an error that clients may see; every other one is thrown on. */
export function importProblem(error: unknown, sent: SentDocument, traceId: string): Response {
  if (!(error instanceof HoldfastError) || error.code === 'INTERNAL') throw error
  const found = error.details.filter(isDiagnostic)
  const problem = error.code === 'BAD_USER_INPUT' && hasErrors(found) ? documentProblem(sent, found, traceId) : null
  return problem ?? problemResponse(error, traceId)
}

function isDiagnostic(detail: unknown): detail is Diagnostic {
  return isObject(detail) && typeof detail['severity'] === 'string' && typeof detail['pointer'] === 'string'
}
