import { GraphQLError, Lexer, TokenKind } from 'graphql'
import type { Source } from 'graphql'
import type { QueryWeight } from './query-weight.ts'

// A query can ask for far more than it is long. These limits are far above what any honest one needs.

export const QUERY_LIMITS = {
  /** Fields inside of fields. */
  depth: 15,
  /** Fields of Query or Mutation in one operation, each of them at least one statement. */
  operations: 50,
  /** Fields of any depth and uses of fragments, all fragments written out. */
  fields: 500,
  /** Values of the answer. */
  values: 1_000_000,
  /** Entries of lists in its arguments, each list as often as it is used. */
  entries: 20_000,
  /** Values about the schema: a little more than tools ask for that want to know all of it. */
  introspected: 100_000,
  tokens: 5_000,
  /** Brackets inside of brackets, those of values included. */
  brackets: 200,
  /** Plans, exports and applies: each of them may take as much memory as a whole model. */
  documents: 1,
  /** Characters of the document, comments included. */
  length: 100_000,
} as const

const OPENING: readonly TokenKind[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]
const CLOSING: readonly TokenKind[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]

/**
 * Is to be called before a document is parsed: the parser calls itself for each level, and a stack has an end; and each
 * token takes memory.
 */
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

/** The fields whose answer may be as large as a model. */
const WHOLE_MODELS: readonly string[] = ['planImport', 'importDocument', 'rollbackPlan', 'applyImport']

/** To be called before a document is validated: some rules of GraphQL compare each field with each other one. */
export function refuseHeavy({ width, depth, fields, values, entries, introspected, times }: QueryWeight): void {
  const { operations, ...most } = QUERY_LIMITS
  const documents = WHOLE_MODELS.reduce((sum, name) => sum + (times.get(name) ?? 0), 0)
  if (documents > most.documents)
    throw limitExceeded(
      `the query is too large: it asks for ${documents} plans, exports or applies, and a request may ask for one; send the others in requests of their own`,
    )
  if (width > operations) throw tooLarge(`it asks for ${width} fields at its top level`, operations)
  if (depth > most.depth) throw tooLarge(`its fields are nested ${depth} deep`, most.depth, ' levels')
  if (fields > most.fields) throw tooLarge(`it has ${fields} fields with those of its fragments`, most.fields)
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
  return tooLarge(`it asks for up to ${values} values`, QUERY_LIMITS.values)
}

function tooLarge(what: string, most: number, unit = ''): GraphQLError {
  return limitExceeded(`the query is too large: ${what}, and at most ${most}${unit} are allowed`)
}

function limitExceeded(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'LIMIT_EXCEEDED' } })
}
