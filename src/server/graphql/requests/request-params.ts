import { GraphQLError } from 'graphql'
import { isExact } from '../../../lib/exact-number.ts'
import { isObject } from '../../../lib/json.ts'
import { findRepeatedKey } from '../../../lib/repeated-keys.ts'
import { scanJson } from '../../../lib/scan-json.ts'
import { QUERY_LIMITS } from './query-limits.ts'

const UTF8 = new TextDecoder('utf-8', { fatal: true })

export interface GraphqlParams {
  readonly query: string
  readonly operationName: string | null
  readonly variables: { readonly [name: string]: unknown } | null
}

/** The members that a request may have. */
const MEMBERS = new Set(['query', 'operationName', 'variables', 'extensions'])

/** Reads the parameters of a GraphQL request. The body is parsed only once, because a document can have 64 MiB. */
export function readParams(body: Uint8Array): GraphqlParams {
  const members = refuseHazards(body)
  const params = parseJson(decode(body))
  refuseRepeatedKeys(body, params, members)
  if (!isObject(params)) throw badRequest('the body must be a JSON object with the member query')
  const { query, operationName, variables, extensions } = params
  const other = Object.keys(params).find((name) => !MEMBERS.has(name) && params[name] !== null)
  if (other !== undefined)
    throw badRequest(
      `the body has the member ${JSON.stringify(other.slice(0, 60))}, which a request of GraphQL does not have`,
    )
  if (typeof query !== 'string') throw badRequest('the body must have the member query, a text')
  if (query.length > QUERY_LIMITS.length) {
    throw badRequest(
      `query has ${query.length} characters, and at most ${QUERY_LIMITS.length} are allowed; send values as variables`,
      'LIMIT_EXCEEDED',
    )
  }
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
    throw badRequest('operationName must be a text')
  if (variables !== undefined && variables !== null && !isObject(variables))
    throw badRequest('variables must be an object')
  if (extensions !== undefined && extensions !== null && !isObject(extensions))
    throw badRequest('extensions must be an object')
  return { query, operationName: operationName ?? null, variables: variables ?? null }
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
    return JSON.parse(text)
  } catch {
    // The parser's message would quote the body, which can hold secrets.
    throw badRequest('the body is not valid JSON')
  }
}

/** Rejects repeated keys. JSON.parse would silently keep only the last of two members with the same key. */
function refuseRepeatedKeys(body: Uint8Array, params: unknown, members: number): void {
  const repeated = findRepeatedKey(body, params, members)
  if (repeated === null) return
  const key = JSON.stringify(repeated.key.slice(0, 60))
  throw badRequest(`an object in the body has ${key} twice; remove one`)
}

/**
 * The maximum number of levels of nested brackets in a request. Models need about twelve, and JSON values in them at
 * most 64.
 */
const MOST_LEVELS = 200

/**
 * Checks the body in one pass before it is parsed. Recursive checks, or checks of single values, could be stalled by a
 * crafted body. Returns the number of members in all objects.
 */
function refuseHazards(body: Uint8Array): number {
  const { broken, members } = scanJson(body, { levels: MOST_LEVELS }, (start, end, place) => {
    const number = Buffer.from(body.buffer, body.byteOffset + start, end - start).toString('latin1')
    // The parser rejects texts that are not numbers.
    if (isExact(number) || !NUMBER.test(number)) return
    throw badRequest(
      `the number ${number.slice(0, 40)} at ${JSON.stringify(place())} cannot be kept exactly; write fewer digits, or a string where one is allowed`,
    )
  })
  if (broken !== null)
    throw badRequest(`the body is nested more than ${MOST_LEVELS} levels deep; make it flatter`, 'LIMIT_EXCEEDED')
  return members
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/

function badRequest(message: string, code = 'BAD_USER_INPUT'): GraphQLError {
  return new GraphQLError(message, { extensions: { code } })
}
