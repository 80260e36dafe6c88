import { GraphQLError } from 'graphql'
import type { ErrorCode } from '../../lib/errors.ts'
import { graphqlExtensions, isExpected, publicError, statusOf } from '../requests/error-response.ts'

/** How yoga takes the HTTP status from an error; `spec`: only for application/graphql-response+json. */
interface HttpExtension {
  readonly status?: number
  readonly spec?: boolean
}

export interface ErrorAnswer {
  readonly error: GraphQLError
  /** What belongs into the log, because nobody foresaw it. */
  readonly unexpected: unknown
}

/** The error that a client sees. `hasData`: the operation began, so the HTTP status says nothing about it. */
export function answerError(error: GraphQLError, traceId: string, hasData: boolean): ErrorAnswer {
  const cause = causeOf(error)
  const isOfGraphql = cause instanceof GraphQLError
  const { code, message, details } = isOfGraphql
    ? { code: codeOf(cause), message: withoutValues(cause.message), details: [] }
    : publicError(cause)
  const own = error.extensions['http'] as HttpExtension | undefined
  const http = hasData ? undefined : (own ?? { status: statusOf(code), spec: isOfGraphql })
  const { nodes, source, positions, path } = error
  const extensions = { ...graphqlExtensions({ code, details }, traceId), ...(http !== undefined && { http }) }
  return {
    error: new GraphQLError(message, {
      nodes: nodes ?? null,
      source: source ?? null,
      positions: positions ?? null,
      path: path ?? null,
      extensions,
    }),
    unexpected: isOfGraphql || isExpected(cause) ? undefined : cause,
  }
}

/** GraphQL wraps what a resolver throws, sometimes more than once. */
function causeOf(error: GraphQLError): unknown {
  let inner: unknown = error
  while (inner instanceof GraphQLError && inner.originalError !== undefined) inner = inner.originalError
  return inner
}

/**
 * GraphQL quotes the value that does not fit, and a secret in the wrong shape is such a value: what was expected, and
 * where, says enough.
 */
function withoutValues(message: string): string {
  return message
    .replace(/(Variable "\$\w+" got invalid value) .*?( at "[\w.[\]$]+")?; (?=[A-Z])/s, '$1$2; ')
    .replace(/(cannot represent [^:]*): .*$/s, '$1.')
    .replace(/(Expected value of type "[^"]*"), found .*$/s, '$1, found another value.')
    .replace(/Value ".*" does not exist in/s, 'The value does not exist in')
    .replace(/(Unexpected (?:Name|String|BlockString|Int|Float)) ".*"/s, '$1')
    .replace(/(Expected .*?, found (?:Name|String|BlockString|Int|Float)) ".*"/s, '$1')
}

/** Syntax, validation and coercion are the client's errors. */
function codeOf({ extensions }: GraphQLError): ErrorCode {
  return extensions['code'] === ('LIMIT_EXCEEDED' satisfies ErrorCode) ? 'LIMIT_EXCEEDED' : 'BAD_USER_INPUT'
}
