import { ERROR_CODES, type ErrorCode, type HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'
import type { Advice } from './bearer.ts'
import { skewAdvice } from './clock.ts'
import type { JsonAnswer } from './json-request.ts'
import { ForeignAnswerError, PlatformError } from './platform-error.ts'
import type { Answer } from '../shell/io.ts'
import { isBusy, strangeAnswer } from './strange-answer.ts'

/** The error for an answer without the requested data, with advice about the credential. */
export function refusedRequest(url: string, answer: JsonAnswer, advice: Advice, now: number): HoldfastError {
  const own = said(answer)
  const Answered = own === null ? ForeignAnswerError : PlatformError
  const { code, message, details, traceId } = own ?? guessed(url, answer)
  const explained = code === 'FORBIDDEN' ? (advice.explain?.(details) ?? null) : null
  if (explained !== null) return new Answered(code, explained, { traceId })
  const more = code === 'UNAUTHENTICATED' ? advice.refused : code === 'FORBIDDEN' ? advice.forbidden : ''
  const clock = code === 'UNAUTHENTICATED' ? skewAdvice(answer.response.headers.get('date'), now) : ''
  return new Answered(code, `${message}${versionAdvice(message)}${more === '' ? '' : `; ${more}`}${clock}`, {
    details,
    traceId: traceId ?? answer.response.headers.get('x-trace-id'),
  })
}

/** Parts of errors about a query that does not fit the schema. It fits the schema of its own version. */
const MISFITS = ['Unknown argument "', 'Unknown type "', 'Cannot query field "', '" is not defined by type "']

function versionAdvice(message: string): string {
  if (!MISFITS.some((part) => message.includes(part))) return ''
  return '; the platform is older than this command line: update the platform, or use its version on the command line'
}

export interface Said {
  readonly code: ErrorCode
  readonly message: string
  readonly details: readonly unknown[]
  readonly traceId: string | null
}

/** Reads the first GraphQL error, or problem+json (RFC 9457); null for an answer without a code of the platform. */
export function said({ body }: Pick<JsonAnswer, 'body'>): Said | null {
  if (typeof body['detail'] === 'string') return saidIn(body['detail'], body, body['errors'])
  const error = firstError(body)
  if (error === null) return null
  const fields = isObject(error['extensions']) ? error['extensions'] : {}
  return saidIn(messageOf(error), fields, fields['details'])
}

function saidIn(message: string, { code, traceId }: { [name: string]: unknown }, details: unknown): Said | null {
  const known = ERROR_CODES.find((one) => one === code)
  // A newer platform may send an unknown code. Such an error is recognised by its trace-id.
  const isOfNewer = typeof code === 'string' && typeof traceId === 'string'
  if (known === undefined && !isOfNewer) return null
  return {
    code: known ?? 'BAD_USER_INPUT',
    message,
    details: Array.isArray(details) ? (details as readonly unknown[]) : [],
    traceId: typeof traceId === 'string' ? traceId : null,
  }
}

function firstError({ errors }: JsonAnswer['body']): { readonly [name: string]: unknown } | null {
  const [error] = Array.isArray(errors) ? (errors as readonly unknown[]) : []
  return isObject(error) ? error : null
}

function messageOf({ message }: { readonly [name: string]: unknown }): string {
  return typeof message === 'string' ? message : 'the platform reports an error without a message'
}

/** Describes an answer of a proxy, a login page or another program, by its own text or by its status. */
function guessed(url: string, { response, body }: JsonAnswer): Said {
  const error = firstError(body)
  if (error !== null) return { code: 'INTERNAL', message: messageOf(error), details: [], traceId: null }
  const [code, message] = meaningOf(response)
  return { code, message: `${url} ${message}`, details: [], traceId: null }
}

function meaningOf(response: Answer): readonly [code: ErrorCode, message: string] {
  const { status } = response
  if (status === 401) return ['UNAUTHENTICATED', 'does not accept the credential']
  if (status === 403) return ['FORBIDDEN', 'does not allow this']
  if (status === 413) return ['LIMIT_EXCEEDED', 'does not accept so large a request']
  if (isBusy(response)) return ['UNAVAILABLE', `is not able to answer now (status ${status}); try again later`]
  return ['UNAVAILABLE', strangeAnswer(response)]
}
