import { GraphQLError, parse, Source } from 'graphql'
import type { DocumentNode } from 'graphql'
import { LRUCache } from 'lru-cache'
import { refuseMuch } from './query-limits.ts'

/** A query, or why it is none. */
export type ParsedQuery = DocumentNode | GraphQLError

/** Parsed once for its weight and for its handler, and not again where the same text was kept. */
export function parseQuery(text: string): ParsedQuery {
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
export function keepQuery(text: string, query: DocumentNode): void {
  if (!text.includes('"')) KEPT.set(text, query)
}
