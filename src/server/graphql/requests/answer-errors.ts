import { GraphQLError, Kind, type ExecutionResult } from 'graphql'
import type { ErrorCode } from '../../../lib/errors.ts'
import { graphqlExtensions, isExpected, publicError, statusOf } from '../../requests/error-response.ts'

export interface ErrorAnswer {
  readonly error: GraphQLError
  /** The HTTP status of an answer without data. */
  readonly status: number
  /** An unexpected error for the log. */
  readonly unexpected: unknown
}

/** The error that a client sees. */
export function answerError(error: GraphQLError, traceId: string): ErrorAnswer {
  const cause = causeOf(error)
  const isOfGraphql = cause instanceof GraphQLError
  const { code, message, details } = isOfGraphql
    ? { code: codeOf(cause), message: `${placeOf(error)}${withoutValues(cause.message)}`, details: [] }
    : publicError(cause)
  const { nodes, source, positions, path } = error
  const extensions = graphqlExtensions({ code, details }, traceId)
  return {
    error: new GraphQLError(message, {
      nodes: nodes ?? null,
      source: source ?? null,
      positions: positions ?? null,
      path: path ?? null,
      extensions,
    }),
    // A refusal of graphql-js, or of the limits of queries, is the client's error.
    status: isOfGraphql ? 400 : statusOf(code),
    unexpected: isOfGraphql || isExpected(cause) ? undefined : cause,
  }
}

/** Turns an error outside of a resolver into a result. */
export function failed(error: unknown): ExecutionResult {
  if (error instanceof GraphQLError) return { errors: [error] }
  const originalError = error instanceof Error ? error : new Error(String(error))
  return { errors: [new GraphQLError(originalError.message, { originalError })] }
}

/** GraphQL wraps what a resolver throws, sometimes more than once. */
function causeOf(error: GraphQLError): unknown {
  let inner: unknown = error
  while (inner instanceof GraphQLError && inner.originalError !== undefined) inner = inner.originalError
  return inner
}

/**
 * `Variable "$input" at "input.name": `, for a value that does not fit. The name is in the syntax tree. The path is only in
 * the message, between the value, in which quotation marks are escaped, and the reason.
 */
function placeOf({ nodes, message, originalError }: GraphQLError): string {
  const [node] = nodes ?? []
  if (node?.kind !== Kind.VARIABLE_DEFINITION || originalError === undefined) return ''
  const path = /[^\\] at "([\w.[\]]+)"; $/.exec(message.slice(0, -originalError.message.length))?.[1]
  return `Variable "$${node.variable.name.value}"${path === undefined ? '' : ` at "${path}"`}: `
}

/**
 * GraphQL quotes the value that does not fit, and a secret in the wrong shape is such a value: what was expected, and
 * where, says enough. The tests send a value in each way that graphql-js has words for. The expressions begin at one place,
 * or end soon: a value of a megabyte may repeat their words.
 */
function withoutValues(message: string): string {
  return message
    .replace(/(cannot represent [^:]{0,100}): .*$/s, '$1.')
    .replace(/^(Expected value of type "[^"]*"), found .*$/s, '$1, found another value.')
    .replace(/^Value ".*" does not exist in/s, 'The value does not exist in')
    .replace(/^(Syntax Error: Unexpected (?:Name|String|BlockString|Int|Float)) ".*"/s, '$1')
    .replace(/^(Syntax Error: Expected .*?, found (?:Name|String|BlockString|Int|Float)) ".*"/s, '$1')
    .replace(/(Invalid Unicode escape sequence): .*$/s, '$1.')
}

/** Syntax, validation and coercion are the client's errors. */
function codeOf({ extensions }: GraphQLError): ErrorCode {
  return extensions['code'] === ('LIMIT_EXCEEDED' satisfies ErrorCode) ? 'LIMIT_EXCEEDED' : 'BAD_USER_INPUT'
}
