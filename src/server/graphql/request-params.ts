import { GraphQLError } from 'graphql'
import type { GraphQLParams } from 'graphql-yoga'
import { isExact } from '../../documents/exact-number.ts'
import { isObject } from '../../lib/json.ts'
import { QUERY_LIMITS } from '../../graphql/query-limits.ts'

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** The parameters in the body of a GraphQL request. Decoded and parsed once: an import document can have 64 MiB. */
export function readParams(body: Uint8Array): GraphQLParams {
  const params = parseJson(decode(body))
  if (!isObject(params)) throw badRequest('the body must be a JSON object with the member query')
  const { query, operationName } = params
  if (typeof query !== 'string') throw badRequest('the body must have the member query, a text')
  if (query.length > QUERY_LIMITS.length) {
    throw badRequest(
      `query has ${query.length} characters, and at most ${QUERY_LIMITS.length} are allowed; send values as variables`,
      'LIMIT_EXCEEDED',
    )
  }
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
    throw badRequest('operationName must be a text')
  return params
}

function decode(body: Uint8Array): string {
  try {
    return UTF8.decode(body)
  } catch {
    throw badRequest('the body is not valid UTF-8')
  }
}

function parseJson(text: string): unknown {
  try {
    return UNUSUAL_NUMBER.test(text) ? JSON.parse(text, refuseInexact) : JSON.parse(text)
  } catch (error) {
    if (error instanceof GraphQLError) throw error
    // What the parser says would quote the body, which can hold secrets.
    throw badRequest('the body is not valid JSON')
  }
}

/**
 * A number that is long or has an exponent; also met in some texts, where looking closer costs time but does no harm. It
 * must not be met in a digest such as `sha256:12e…`: every plan is full of them.
 */
const UNUSUAL_NUMBER = /(?:"\s*:|[,[])\s*-?(?:\d[\d.]{15}|[\d.]+[eE])/

function refuseInexact(key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (typeof value === 'number' && source !== undefined && !isExact(source)) {
    throw badRequest(
      `the number ${source.slice(0, 40)} at ${JSON.stringify(key)} cannot be kept exactly; write fewer digits, or a string where one is allowed`,
    )
  }
  return value
}

function badRequest(message: string, code = 'BAD_USER_INPUT'): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status: 400 } } })
}
