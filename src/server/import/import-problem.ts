import { locateDiagnostics } from '../../documents/locate-diagnostics.ts'
import type { SentDocument } from '../../documents/read/sent-document.ts'
import { counted } from '../../lib/counted.ts'
import { hasErrors, isDiagnostic, type Diagnostic, type RelatedPosition } from '../../lib/diagnostic.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { problemType } from '../requests/error-kinds.ts'
import { problemResponse } from '../requests/error-response.ts'

const MOST_SHOWN = 100

/** Returns the errors that prevent a plan of the document, with their positions in the text; null if there are none. */
export function documentProblem(
  sent: Pick<SentDocument, 'isBroken' | 'locate'>,
  found: readonly Diagnostic[],
  traceId: string,
): Response | null {
  const { isBroken } = sent
  const errors = found.filter(({ severity }) => severity === 'error')
  if (errors.length === 0) return null
  const shown = locateDiagnostics(errors.slice(0, MOST_SHOWN), sent)
  const what = isBroken ? 'cannot be read' : `has ${counted(errors.length, 'error')}`
  const body = {
    type: problemType('BAD_USER_INPUT'),
    title: isBroken ? 'Bad request' : 'Unprocessable content',
    status: isBroken ? 400 : 422,
    detail: `the import document ${what}; nothing was planned`,
    code: 'BAD_USER_INPUT',
    traceId,
    errorCount: errors.length,
    errors: shown.map(({ code, message, related, ...place }) => ({
      ...placeOf(place),
      code,
      detail: message,
      retryable: false,
      ...(related && { related: related.map(placeOf) }),
    })),
  }
  return Response.json(body, { status: body.status, headers: { 'content-type': 'application/problem+json' } })
}

function placeOf({ pointer, line, column }: RelatedPosition) {
  return { pointer, ...(line !== undefined && { line, column }) }
}

/** Returns the answer to an error that clients may see, and throws every other error again. */
export function importProblem(error: unknown, sent: SentDocument, traceId: string): Response {
  if (!(error instanceof HoldfastError) || error.code === 'INTERNAL') throw error
  const found = error.details.filter(isDiagnostic)
  const problem = error.code === 'BAD_USER_INPUT' && hasErrors(found) ? documentProblem(sent, found, traceId) : null
  return problem ?? problemResponse(error, traceId)
}
