import { GraphQLError, Kind, Lexer, TokenKind } from 'graphql'
import type {
  ASTVisitor,
  FragmentDefinitionNode,
  SelectionNode,
  SelectionSetNode,
  Source,
  ValidationContext,
} from 'graphql'

// A query can ask for far more than it is long. These limits are far above what any honest one needs.

export const QUERY_LIMITS = {
  /** Fields inside of fields. */
  depth: 15,
  /** Fields of Query or Mutation in one operation, each of them at least one statement. */
  operations: 50,
  tokens: 5_000,
  /** Brackets inside of brackets, those of values included. */
  brackets: 200,
  /** Characters of the document, comments included. */
  length: 100_000,
} as const

const OPENING: readonly TokenKind[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]
const CLOSING: readonly TokenKind[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]

/** To be called before a document is parsed: whoever reads it calls itself for each level, and a stack has an end. */
export function refuseDeep(source: Source): void {
  const lexer = new Lexer(source)
  let depth = 0
  for (let count = 0; count < QUERY_LIMITS.tokens; count++) {
    const { kind } = lexer.advance()
    if (kind === TokenKind.EOF) return
    if (OPENING.includes(kind)) depth += 1
    if (CLOSING.includes(kind)) depth -= 1
    if (depth > QUERY_LIMITS.brackets) throw tooDeep()
  }
}

function tooDeep(): GraphQLError {
  const message = `the query is too large: its brackets are nested more than ${QUERY_LIMITS.brackets} deep; send values as variables`
  return new GraphQLError(message, { extensions: { code: 'LIMIT_EXCEEDED' } })
}

interface Size {
  /** Fields at the top, those of fragments included. */
  readonly width: number
  readonly depth: number
}

const NOTHING: Size = { width: 0, depth: 0 }

/** A validation rule. Introspection is not counted here: GraphQL's own rules limit it. */
export function QueryLimitsRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition({ selectionSet }) {
      const { width, depth } = measure(context, selectionSet, new Map())
      if (width > QUERY_LIMITS.operations)
        report(
          context,
          `it asks for ${width} fields at its top level, and at most ${QUERY_LIMITS.operations} are allowed`,
        )
      if (depth > QUERY_LIMITS.depth)
        report(context, `its fields are nested ${depth} deep, and at most ${QUERY_LIMITS.depth} levels are allowed`)
    },
  }
}

function report(context: ValidationContext, what: string): void {
  context.reportError(new GraphQLError(`the query is too large: ${what}`, { extensions: { code: 'LIMIT_EXCEEDED' } }))
}

type Measured = Map<FragmentDefinitionNode, Size>

function measure(context: ValidationContext, { selections }: SelectionSetNode, known: Measured): Size {
  const sizes = selections.map((selection) => sizeOf(context, selection, known))
  return {
    width: sizes.reduce((total, { width }) => total + width, 0),
    depth: Math.max(0, ...sizes.map(({ depth }) => depth)),
  }
}

function sizeOf(context: ValidationContext, selection: SelectionNode, known: Measured): Size {
  if (selection.kind === Kind.INLINE_FRAGMENT) return measure(context, selection.selectionSet, known)
  if (selection.kind === Kind.FRAGMENT_SPREAD)
    return fragmentSize(context, context.getFragment(selection.name.value), known)
  if (selection.name.value.startsWith('__')) return NOTHING
  const { depth } = selection.selectionSet === undefined ? NOTHING : measure(context, selection.selectionSet, known)
  return { width: 1, depth: depth + 1 }
}

/** Each fragment is measured once, however often it is used: fragments of fragments double at each level. */
function fragmentSize(
  context: ValidationContext,
  fragment: FragmentDefinitionNode | null | undefined,
  known: Measured,
): Size {
  if (fragment == null) return NOTHING
  const seen = known.get(fragment)
  if (seen !== undefined) return seen
  // One that includes itself is another rule's error, and counts as nothing while it is measured.
  known.set(fragment, NOTHING)
  const size = measure(context, fragment.selectionSet, known)
  known.set(fragment, size)
  return size
}
