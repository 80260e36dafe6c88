import { capitalized } from '../../lib/letter-case.ts'
import { HttpError, isExpected, publicError, statusOf } from '../requests/error-response.ts'
import { errorFields } from '../logger.ts'
import type { LoginPorts, RequestContext } from './login-ports.ts'
import { pageResponse } from './page.ts'
import { problemPage } from './pages/problem-page.ts'

type Handler = (ports: LoginPorts, request: RequestContext) => Promise<Response>

/** Wraps a handler of the login UI, so that people see its failures as pages. */
export function withFailurePage(ports: LoginPorts, handle: Handler): (request: RequestContext) => Promise<Response> {
  return (request) => handle(ports, request).catch((error: unknown) => failurePage(ports, request, error))
}

function failurePage({ logger }: LoginPorts, request: RequestContext, error: unknown): Response {
  const traceId = request.get('traceId')
  if (!isExpected(error)) logger.error({ traceId, ...errorFields(error) }, 'unexpected error')
  const { code, message } = publicError(error)
  const status = error instanceof HttpError ? error.status : statusOf(code)
  const lines = [`${capitalized(message)}.`]
  return pageResponse(problemPage({ title: 'That did not work', lines, traceId }), status, headersOf(error, status))
}

function headersOf(error: unknown, status: number): { readonly [name: string]: string } {
  const own = error instanceof HttpError ? error.headers : {}
  return status === 503 ? { 'retry-after': '5', ...own } : own
}
