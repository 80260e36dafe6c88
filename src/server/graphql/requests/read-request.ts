import { GraphQLError, parse, Source, type DocumentNode } from 'graphql'
import { isObject } from '../../../lib/json.ts'
import type { DomainContext } from '../../../platform/domain-context.ts'
import { onFewConnections } from '../../../platform/semaphore.ts'
import { IMPORT_FIELDS } from '../imports/import-operations.ts'
import { refuseHeavy, refuseMuch } from './query-limits.ts'
import { weigh, type QueryWeight } from './query-weight.ts'
import { readParams, type GraphqlParams } from './request-params.ts'
import { LRUCache } from 'lru-cache'

/** A request that was read. Where something is wrong with it, taking its parameters throws what is to be answered. */
export interface GraphqlRequest {
  /** Null if it cannot be read, or holds no query. */
  readonly weight: QueryWeight | null
  /** Parsed once, for its weight and for its handler; null if the request cannot be read. */
  readonly query: ParsedQuery | null
  /** Can be called once, because an import document of megabytes is not kept while it is worked on. */
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
 * How much a request asks for; null if it holds no query, which its handler will say. What is too much is refused. It
 * depends on the variables, so an answer for the same query before says nothing.
 */
function weighQuery(query: ParsedQuery, { variables, operationName }: GraphqlParams): QueryWeight | null {
  if (query instanceof GraphQLError) return null
  const weight = weigh(query, isObject(variables) ? variables : {}, operationName)
  refuseHeavy(weight)
  return weight
}

/** An answer of so many values takes some ten milliseconds to make, and so do lists of so many entries. */
const MANY_VALUES = 20_000

/** Whether carrying a request out would keep all others waiting: it deals with a whole model, or has a large answer. */
export function isHeavy({ weight }: GraphqlRequest): boolean {
  // Messages of a subscription are small, and its stream belongs to the thread that has the socket.
  if (weight === null || weight.subscribes) return false
  const { values, introspected, entries } = weight
  return values - introspected + entries > MANY_VALUES || asksForDocuments(weight)
}

/** How many connections to the database one request may use at once: a server has few for all that are under way. */
const MOST_CONNECTIONS = 3

/**
 * The context in which a request is carried out. The fields of a mutation are carried out one by one anyway; those of a
 * query, and of the items of its lists, side by side.
 */
export function contextFor(context: DomainContext, { weight }: GraphqlRequest): DomainContext {
  if (weight === null) return context
  const isNarrow = !weight.isQuery || (weight.width <= MOST_CONNECTIONS && weight.depth <= 1)
  return isNarrow ? context : { ...context, database: onFewConnections(context.database, MOST_CONNECTIONS) }
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

/** A query, or why it is none. */
type ParsedQuery = DocumentNode | GraphQLError

/** Parsed once for its weight and for its handler, and not again where the same text was kept. */
function parseQuery(text: string): ParsedQuery {
  const known = KEPT.get(text)
  if (known !== undefined) return known
  try {
    const source = new Source(text)
    refuseMuch(source)
    return parse(source)
  } catch (error) {
    // An error about size has a code, and rejects the whole request. GraphQL gives its syntax errors none.
    if (error instanceof GraphQLError && error.extensions['code'] === undefined) return error
    throw error
  }
}

/**
 * The queries that programs ask again and again. A character may take 250 bytes as a syntax tree, so that all of them
 * take 10 MB at most.
 */
const KEPT = new LRUCache<string, DocumentNode>({
  maxSize: 40_000,
  maxEntrySize: 4_000,
  sizeCalculation: (_, text) => Math.max(1, text.length),
})

/** Keeps a query that was found good. One with a text in it is not kept, since that may be a password. */
function keepQuery(text: string, query: DocumentNode): void {
  if (!text.includes('"')) KEPT.set(text, query)
}
