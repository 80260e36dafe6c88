import { GraphQLError, parse, Source } from 'graphql'
import type { DocumentNode } from 'graphql'
import { QUERY_LIMITS, refuseDeep } from './query-limits.ts'

/** A query, or why it is none. */
export type ParsedQuery = DocumentNode | GraphQLError

/** Parsed once for its weight and for its handler, and not again for a request that brings the same text. */
export function parseQuery(text: string): ParsedQuery {
  const known = PARSED_QUERIES.get(text)
  if (known !== undefined) return known
  try {
    const source = new Source(text)
    refuseDeep(source)
    const query = parse(source, { maxTokens: QUERY_LIMITS.tokens })
    PARSED_QUERIES.set(text, query)
    return query
  } catch (error) {
    if (error instanceof GraphQLError) return error
    throw error
  }
}

/** Programs ask few queries again and again. Longer ones are not kept, so that strangers cannot fill the memory. */
const MOST = { queries: 200, characters: 4_000 }

class ParsedQueries {
  /** The one that was asked for last is the last. */
  readonly #documents = new Map<string, DocumentNode>()

  get(text: string): DocumentNode | undefined {
    const found = this.#documents.get(text)
    if (found !== undefined) {
      this.#documents.delete(text)
      this.#documents.set(text, found)
    }
    return found
  }

  set(text: string, query: DocumentNode): void {
    if (text.length > MOST.characters) return
    this.#documents.set(text, query)
    const [oldest] = this.#documents.keys()
    if (this.#documents.size > MOST.queries && oldest !== undefined) this.#documents.delete(oldest)
  }
}

/** yoga looks here, too, and remembers of each document that it is valid. */
export const PARSED_QUERIES = new ParsedQueries()
