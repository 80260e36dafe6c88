import type { Context } from 'koa'
import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { isExpected, publicError } from '../../requests/error-response.ts'
import { errorFields } from '../../logger.ts'
import { stateOf } from '../request-state.ts'

// oidc-provider answers errors in the form of RFC 6749. These functions log each error once. Errors that are not the
// client's fault get a helpful text without internal details.

const REFUSALS = [
  'authorization.error',
  'grant.error',
  'userinfo.error',
  'introspection.error',
  'revocation.error',
  'end_session.error',
  'jwks.error',
  'discovery.error',
] as const

export interface Failure {
  readonly status: number
  readonly error: string
  readonly error_description: string
}

const FAILURE = 'failure'

export function listenForFailures(provider: Provider): void {
  for (const event of REFUSALS) provider.on(event as 'grant.error', logRefusal)
  provider.on('server_error', (context, error) => noteFailure(context, error))
}

/** Logs an error of a client. The platform did not fail, but operators may have to explain the error. */
function logRefusal(context: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  const { traceId, logger } = stateOf(context)
  const { error: code, error_description: description, error_detail: detail } = error
  const clientId = context.oidc.client?.clientId
  logger.info({ traceId, error: code, description, detail, clientId }, 'refused')
}

export function noteFailure(context: KoaContextWithOIDC | Context, error: unknown): Failure {
  const { traceId, logger } = stateOf(context)
  if (!isExpected(error)) logger.error({ traceId, ...errorFields(error) }, 'unexpected error')
  const failure = explain(error)
  context.state[FAILURE] = failure
  return failure
}

function explain(error: unknown): Failure {
  const { code, message: error_description } = publicError(error)
  if (code === 'INTERNAL') return { status: 500, error: 'server_error', error_description }
  if (code === 'UNAVAILABLE') return { status: 503, error: 'temporarily_unavailable', error_description }
  return { status: 400, error: 'invalid_request', error_description }
}

export function failureOf({ state }: Pick<Context, 'state'>): Failure | undefined {
  return state[FAILURE] as Failure | undefined
}

/** Restricts a text to the characters of an error_description (RFC 6749, section 5.2). */
export function plainText(text: string): string {
  return text.replaceAll('"', `'`).replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?')
}

/** The error for too many attempts. `slow_down` tells clients what to do; OAuth has no code (RFC 8628, section 3.5). */
export function tooMany(context: Pick<Context, 'set'>, seconds: number, what: string): Error {
  context.set('retry-after', String(seconds))
  const description = `too many ${what}; try again in ${seconds} seconds`
  return Object.assign(new errors.SlowDown(description), { status: 429, statusCode: 429 })
}
