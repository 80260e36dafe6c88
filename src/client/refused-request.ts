import { ERROR_CODES, type ErrorCode, type HoldfastError } from '../lib/errors.ts'
import { isObject } from '../lib/json.ts'
import type { Advice } from './bearer.ts'
import { skewAdvice } from './clock.ts'
import type { JsonAnswer } from './json-request.ts'
import { PlatformError } from './platform-error.ts'
import { strangeAnswer } from './strange-answer.ts'

/** A platform that fails in itself is no refusal. */
const CODES: readonly ErrorCode[] = ERROR_CODES.filter((code) => code !== 'INTERNAL')

/** The error for an answer without the requested data, with advice about the credential. */
export function refusedRequest(url: string, answer: JsonAnswer, advice: Advice, now: number): HoldfastError {
  const { code, message, details, traceId } = said(answer) ?? guessed(url, answer.response)
  const explained = code === 'FORBIDDEN' ? (advice.explain?.(details) ?? null) : null
  if (explained !== null) return new PlatformError(code, explained, { traceId })
  const more = code === 'UNAUTHENTICATED' ? advice.refused : code === 'FORBIDDEN' ? advice.forbidden : ''
  const clock = code === 'UNAUTHENTICATED' ? skewAdvice(answer.response.headers.get('date'), now) : ''
  return new PlatformError(code, `${message}${more === '' ? '' : `; ${more}`}${clock}`, {
    details,
    traceId: traceId ?? answer.response.headers.get('x-trace-id'),
  })
}

interface Said {
  readonly code: ErrorCode
  readonly message: string
  readonly details: readonly unknown[]
  readonly traceId: string | null
}

/** Reads the first GraphQL error, or problem+json (RFC 9457). */
function said({ body }: JsonAnswer): Said | null {
  const [error] = Array.isArray(body['errors']) ? (body['errors'] as readonly unknown[]) : []
  if (typeof body['detail'] === 'string' && typeof body['code'] === 'string') {
    return saidIn(body['detail'], body, body['errors'])
  }
  if (error === undefined) return null
  const { message, extensions } = isObject(error) ? error : {}
  const text = typeof message === 'string' ? message : 'the platform reports an error without a message'
  const fields = isObject(extensions) ? extensions : {}
  return saidIn(text, fields, fields['details'])
}

function saidIn(message: string, { code, traceId }: { [name: string]: unknown }, details: unknown): Said {
  return {
    code: CODES.find((known) => known === code) ?? 'INTERNAL',
    message,
    details: Array.isArray(details) ? (details as readonly unknown[]) : [],
    traceId: typeof traceId === 'string' ? traceId : null,
  }
}

/** Describes an answer of a proxy, a login page or another program by its status. */
function guessed(url: string, response: Response): Said {
  const [code, message] = meaningOf(response)
  return { code, message: `${url} ${message}`, details: [], traceId: null }
}

function meaningOf(response: Response): readonly [code: ErrorCode, message: string] {
  const { status } = response
  if (status === 401) return ['UNAUTHENTICATED', 'does not accept the credential']
  if (status === 403) return ['FORBIDDEN', 'does not allow this']
  if (status === 413) return ['LIMIT_EXCEEDED', 'does not accept so large an import document']
  if ([429, 502, 503, 504].includes(status)) {
    return ['UNAVAILABLE', `is not able to answer now (status ${status}); try again later`]
  }
  return ['BAD_USER_INPUT', strangeAnswer(response)]
}
