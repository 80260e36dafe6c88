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

/** Returns the error that a client sees. */
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
    // Errors of graphql-js and of the query limits are the client's fault.
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

/** Returns the cause of an error. GraphQL wraps the errors of resolvers, sometimes more than once. */
function causeOf(error: GraphQLError): unknown {
  let inner: unknown = error
  while (inner instanceof GraphQLError && inner.originalError !== undefined) inner = inner.originalError
  return inner
}

/**
 * Returns the place of a wrong value, such as `Variable "$input" at "input.name": `. The name is in the syntax tree.
 * The path is only in the message, between the value, whose quotation marks are escaped, and the reason.
 */
function placeOf({ nodes, message, originalError }: GraphQLError): string {
  const [node] = nodes ?? []
  if (node?.kind !== Kind.VARIABLE_DEFINITION || originalError === undefined) return ''
  const path = /[^\\] at "([\w.[\]]+)"; $/.exec(message.slice(0, -originalError.message.length))?.[1]
  return `Variable "$${node.variable.name.value}"${path === undefined ? '' : ` at "${path}"`}: `
}

/**
 * Removes values from a message. GraphQL quotes wrong values, and a secret in the wrong shape could be one. The
 * expected type and the place are enough. The tests send a value in each way that graphql-js reports. Each expression
 * starts at a fixed place or ends soon, because a value of a megabyte may repeat the words of a message.
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

/** Errors of syntax, validation and coercion are the client's fault. */
function codeOf({ extensions }: GraphQLError): ErrorCode {
  return extensions['code'] === ('LIMIT_EXCEEDED' satisfies ErrorCode) ? 'LIMIT_EXCEEDED' : 'BAD_USER_INPUT'
}
