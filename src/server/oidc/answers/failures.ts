import type { Context } from 'koa'
import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { isExpected, publicError } from '../../requests/error-response.ts'
import { errorFields } from '../../process/logger.ts'
import { stateOf } from '../request-state.ts'

// oidc-provider answers errors in the form of RFC 6749. Here they are logged once each, and those that are not the
// client's fault get a helpful text that reveals nothing.

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

/** Logs an error of a client. It is no error of the platform, but operators may have to explain it. */
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
