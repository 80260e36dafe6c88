import { GraphQLError, Lexer, TokenKind } from 'graphql'
import type { Source } from 'graphql'
import type { QueryWeight } from './query-weight.ts'

// A short query can ask for very much. These limits are far above the needs of any real query.

export const QUERY_LIMITS = {
  /** Levels of nested fields. */
  depth: 15,
  /** Fields of Query or Mutation in one operation, which each need at least one SQL statement. */
  operations: 50,
  /** Fields of any depth and uses of fragments, after all fragments are expanded. */
  fields: 500,
  /** Edges, and other objects with the name of an edge, after all fragments are expanded. */
  edges: 150,
  /** Fields `totalCount`, after all fragments are expanded. Each reads all items of its list. */
  counts: 20,
  /** Values in the answer. */
  values: 1_000_000,
  /** Entries of lists in arguments. A list counts each time it is used. */
  entries: 20_000,
  /** Values about the schema: slightly more than tools that read the whole schema need. */
  introspected: 100_000,
  tokens: 5_000,
  /** Levels of nested brackets, including the brackets of values. */
  brackets: 200,
  /** Plans, exports and applies: each can need as much memory as a whole model. */
  documents: 1,
  /** Previews of deletions: each waits for running flushes of the domain, and stops other changes meanwhile. */
  previews: 1,
  /** Histories of records: each reads up to a hundred parts of applies. */
  histories: 5,
  /** Characters of the document, including comments. */
  length: 100_000,
} as const

const OPENING: readonly TokenKind[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]
const CLOSING: readonly TokenKind[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]

/** Checks a document before it is parsed. Deep nesting would exhaust the parser's stack, and tokens its memory. */
export function refuseMuch(source: Source): void {
  const lexer = new Lexer(source)
  let depth = 0
  for (let count = 0; count < QUERY_LIMITS.tokens; count++) {
    const { kind } = lexer.advance()
    if (kind === TokenKind.EOF) return
    if (OPENING.includes(kind)) depth += 1
    if (CLOSING.includes(kind)) depth -= 1
    if (depth > QUERY_LIMITS.brackets) throw tooMuch(`its brackets are nested more than ${QUERY_LIMITS.brackets} deep`)
  }
  if (lexer.advance().kind !== TokenKind.EOF) throw tooMuch(`it has more than ${QUERY_LIMITS.tokens} tokens`)
}

function tooMuch(what: string): GraphQLError {
  return limitExceeded(`the query is too large: ${what}; send values as variables`)
}

/** Fields that can return a whole model. */
const WHOLE_MODELS: readonly string[] = ['planImport', 'importDocument', 'rollbackPlan', 'applyImport']

/** Checks a document before it is validated, because some validation rules of GraphQL compare all pairs of fields. */
export function refuseHeavy(weight: QueryWeight): void {
  const { width, depth, fields, edges, counts, values, entries, introspected, times } = weight
  const { operations, ...most } = QUERY_LIMITS
  const documents = WHOLE_MODELS.reduce((sum, name) => sum + (times.get(name) ?? 0), 0)
  if (documents > most.documents)
    throw limitExceeded(
      `the query is too large: it asks for ${documents} plans, exports or applies, and a request may ask for one; send the others in separate requests`,
    )
  const previews = times.get('deletionPreview') ?? 0
  if (previews > most.previews) throw tooLarge(`it asks for ${previews} previews of deletions`, most.previews)
  const histories = times.get('recordHistory') ?? 0
  if (histories > most.histories) throw tooLarge(`it asks for ${histories} histories of records`, most.histories)
  if (width > operations) throw tooLarge(`it asks for ${width} fields at its top level`, operations)
  if (depth > most.depth) throw tooLarge(`its fields are nested ${depth} deep`, most.depth, ' levels')
  if (fields > most.fields)
    throw tooLarge(`it has ${fields} fields, including the fields of its fragments`, most.fields)
  if (edges > most.edges) throw tooLarge(`it follows ${edges} edges, including the edges of its fragments`, most.edges)
  if (counts > most.counts) throw tooLarge(`it asks for totalCount ${counts} times`, most.counts)
  if (introspected > most.introspected)
    throw tooLarge(`it asks for some ${introspected} values of the schema`, most.introspected)
  if (entries > most.entries)
    throw tooLarge(
      `the lists in its arguments have ${entries} entries, each list counted as often as it is used`,
      most.entries,
    )
  if (values > most.values) throw tooManyValues(values)
}

export function tooManyValues(values: number): GraphQLError {
  const most = `${QUERY_LIMITS.values} are allowed; ask for less, such as a smaller first`
  return limitExceeded(`the query is too large: it asks for up to ${values} values, and at most ${most}`)
}

function tooLarge(what: string, most: number, unit = ''): GraphQLError {
  return limitExceeded(`the query is too large: ${what}, and at most ${most}${unit} are allowed`)
}

function limitExceeded(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'LIMIT_EXCEEDED' } })
}
