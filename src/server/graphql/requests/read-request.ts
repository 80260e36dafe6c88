import { GraphQLError, parse, Source, type DocumentNode } from 'graphql'
import { isObject } from '../../../lib/json.ts'
import type { DomainContext } from '../../../platform/domain-context.ts'
import { onFewConnections } from '../../../platform/semaphore.ts'
import { IMPORT_FIELDS } from '../imports/import-operations.ts'
import { refuseHeavy, refuseMuch } from './query-limits.ts'
import { weigh, type QueryWeight } from './query-weight.ts'
import { readParams, type GraphqlParams } from './request-params.ts'
import { LRUCache } from 'lru-cache'

/** A parsed request. If something is wrong with it, `takeParams` throws the error to answer. */
export interface GraphqlRequest {
  /** Null if the request cannot be read or contains no query. */
  readonly weight: QueryWeight | null
  /** Parsed once, for the weight and the handler; null if the request cannot be read. */
  readonly query: ParsedQuery | null
  /** Can be called only once, so that an import document of megabytes is not kept during the work on it. */
  takeParams(): GraphqlParams
}

export function readRequest(body: Uint8Array): GraphqlRequest {
  try {
    const params = readParams(body)
    const query = parseQuery(params.query ?? '')
    const weight = weighQuery(query, params)
    if (!(query instanceof GraphQLError)) keepQuery(params.query ?? '', query)
    return { weight, query, takeParams: once(params) }
  } catch (error) {
    return {
      weight: null,
      query: null,
      takeParams: () => {
        throw error
      },
    }
  }
}

/**
 * Returns how much a request asks for, and rejects too much. Returns null if there is no query; the handler reports
 * that. The result depends on the variables, so it is computed for each request.
 */
function weighQuery(query: ParsedQuery, { variables, operationName }: GraphqlParams): QueryWeight | null {
  if (query instanceof GraphQLError) return null
  const weight = weigh(query, isObject(variables) ? variables : {}, operationName)
  refuseHeavy(weight)
  return weight
}

/** An answer with this many values takes about ten milliseconds to make, and so do lists of this many entries. */
const MANY_VALUES = 20_000

/** Tells whether a request would block all others: it processes a whole model, or has a large answer. */
export function isHeavy({ weight }: GraphqlRequest): boolean {
  // Messages of a subscription are small, and its stream belongs to the thread that owns the socket.
  if (weight === null || weight.subscribes) return false
  const { values, introspected, entries, isMultiplied } = weight
  return isMultiplied || values - introspected + entries > MANY_VALUES || asksForDocuments(weight)
}

export function isMutation({ weight }: GraphqlRequest): boolean {
  return weight !== null && !weight.isQuery && !weight.subscribes
}

/**
 * The maximum number of database connections that one request uses at once. All requests of a server share a small
 * number of them.
 */
const MOST_CONNECTIONS = 3

/**
 * Returns the context for a request. It limits the connections, because the fields of a query, and edges also of a
 * mutation, run in parallel. Only the top-level fields of a mutation run one after the other. A query ends when its
 * client disconnects.
 */
export function contextFor(context: DomainContext, { weight }: GraphqlRequest): DomainContext {
  if (weight === null) return context
  const isNarrow = weight.isQuery ? weight.width <= MOST_CONNECTIONS && weight.depth <= 1 : weight.edges === 0
  const left = weight.isQuery ? context.left : undefined
  return isNarrow ? context : { ...context, database: onFewConnections(context.database, MOST_CONNECTIONS, left) }
}

export function asksForDocuments({ times }: QueryWeight): boolean {
  return !IMPORT_FIELDS.isDisjointFrom(times)
}

function once(params: GraphqlParams): () => GraphqlParams {
  let kept: GraphqlParams | undefined = params
  return () => {
    if (kept === undefined) throw new Error('the parameters of a request were taken twice')
    const taken = kept
    kept = undefined
    return taken
  }
}

/** A query, or the reason why it cannot be parsed. */
type ParsedQuery = DocumentNode | GraphQLError

/** Parses a query once for the weight and the handler, or returns it from the cache. */
function parseQuery(text: string): ParsedQuery {
  const known = KEPT.get(text)
  if (known !== undefined) return known
  try {
    const source = new Source(text)
    refuseMuch(source)
    return parse(source)
  } catch (error) {
    // An error about size has a code and rejects the whole request. Syntax errors of GraphQL have no code.
    if (error instanceof GraphQLError && error.extensions['code'] === undefined) return error
    throw error
  }
}

/** A cache of repeated queries. A character can need 250 bytes in a syntax tree, so the cache needs 10 MB at most. */
const KEPT = new LRUCache<string, DocumentNode>({
  maxSize: 40_000,
  maxEntrySize: 4_000,
  sizeCalculation: (_, text) => Math.max(1, text.length),
})

/** Caches a valid query. A query that contains a text is not cached, because the text may be a password. */
function keepQuery(text: string, query: DocumentNode): void {
  if (!text.includes('"')) KEPT.set(text, query)
}
