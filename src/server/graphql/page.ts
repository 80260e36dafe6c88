import { GraphQLBoolean, GraphQLInt, GraphQLObjectType, GraphQLString, type GraphQLResolveInfo } from 'graphql'
import { HoldfastError } from '../../lib/errors.ts'
import { itemsOf, type Page, type PageRequest } from '../../platform/paging.ts'
import type { Placed } from '../../store/cursors.ts'
import { INTEGER } from './scalars.ts'
import { selectedFields } from './selected-fields.ts'
import { defaulting, list, nonNull, optional, type ValuesOf } from './typed.ts'

/** The maximum number of items of a page. Asking for more is an error; pages are never truncated. */
export const MAX_PAGE = 1_000

export const DEFAULT_PAGE = 50

export const FIRST = defaulting(GraphQLInt, DEFAULT_PAGE, `Maximum number of items, up to ${MAX_PAGE}.`)

const AFTER = optional(GraphQLString, 'The cursor after which to continue.')

export const PAGE_ARGUMENTS = { first: FIRST, after: AFTER }

/** The length of a list inside of another answer. The lengths of nested lists multiply. */
export const DEFAULT_NESTED = 10

export const NESTED_ARGUMENTS = {
  first: defaulting(GraphQLInt, DEFAULT_NESTED, `Maximum number of items, up to ${MAX_PAGE}.`),
  after: AFTER,
}

export type PageArguments = ValuesOf<typeof PAGE_ARGUMENTS>

export interface PageView<Node> {
  readonly nodes: readonly Node[]
  /** The cursor of each node. */
  readonly cursors: readonly string[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
}

export interface CountedPage<Node> extends PageView<Node> {
  /** A number, or a function that counts it if a request selects it. */
  readonly totalCount: number | (() => Promise<number>)
}

export interface PageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

export const PAGE_INFO = new GraphQLObjectType<PageInfo>({
  name: 'PageInfo',
  description: 'Whether the list has more items, and where it continues.',
  fields: {
    hasNextPage: { type: nonNull(GraphQLBoolean), description: 'Whether there are more items.' },
    hasPreviousPage: { type: nonNull(GraphQLBoolean), description: 'Whether this page began after a cursor.' },
    startCursor: { type: GraphQLString, description: 'The cursor of the first item on this page.' },
    endCursor: {
      type: GraphQLString,
      description: 'The cursor of the last item on this page. For the next page, pass it as `after`.',
    },
  },
})

/**
 * Makes the type of a page with cursors, as in the Relay specification (https://relay.dev/graphql/connections.htm).
 * `nodes` is for clients that need no cursors.
 */
export function pageType<Source>(
  node: GraphQLObjectType<Source>,
  spoken: string,
  plural = `${spoken}s`,
): GraphQLObjectType<CountedPage<Source>> {
  const known = pages.get(node) ?? newPageType(node, spoken, plural)
  pages.set(node, known)
  return known
}

/** A schema allows one type for each name. */
const pages = new WeakMap<GraphQLObjectType, GraphQLObjectType>()

function newPageType<Source>(
  node: GraphQLObjectType<Source>,
  spoken: string,
  plural: string,
): GraphQLObjectType<CountedPage<Source>> {
  const edge = new GraphQLObjectType<Placed<Source>>({
    name: `${node.name}Edge`,
    description: `One ${spoken} in a list.`,
    fields: {
      node: { type: nonNull(node), description: `The ${spoken}.`, resolve: ({ item }) => item },
      cursor: { type: nonNull(GraphQLString), description: 'Its place in the list.' },
    },
  })
  return new GraphQLObjectType<CountedPage<Source>>({
    name: `${node.name}Connection`,
    description: `A page of ${plural}.`,
    fields: {
      edges: {
        type: nonNull(list(edge)),
        description: 'The page, with cursors.',
        resolve: ({ nodes, cursors }) => nodes.map((item, index) => ({ item, cursor: cursors[index] })),
      },
      nodes: { type: nonNull(list(node)), description: 'The page, without cursors.' },
      pageInfo: {
        type: nonNull(PAGE_INFO),
        description: 'Whether there is more.',
        resolve: pageInfo,
      },
      totalCount: TOTAL_COUNT,
    },
  })
}

const TOTAL_COUNT = { type: nonNull(INTEGER), description: 'How many there are on all pages.' }

interface PlainPageTexts {
  readonly description: string
  readonly nodes: string
  /** The meaning of the cursor. */
  readonly cursor: string
}

/** Makes the type of a page without edges. */
export function plainPageType<Source>(
  node: GraphQLObjectType<Source>,
  { description, nodes, cursor }: PlainPageTexts,
): GraphQLObjectType<CountedPage<Source>> {
  return new GraphQLObjectType<CountedPage<Source>>({
    name: `${node.name}Connection`,
    description,
    fields: {
      nodes: { type: nonNull(list(node)), description: nodes },
      pageInfo: {
        type: nonNull(PAGE_INFO),
        description: `Whether there is more. ${cursor}`,
        resolve: pageInfo,
      },
      totalCount: TOTAL_COUNT,
    },
  })
}

function pageInfo({ cursors, hasNextPage, hasPreviousPage }: PageView<unknown>): PageInfo {
  const endCursor = cursors.at(-1) ?? null
  // An empty page has no cursor at which the next one could begin.
  return { hasNextPage: hasNextPage && endCursor !== null, hasPreviousPage, startCursor: cursors[0] ?? null, endCursor }
}

export function checkPageSize(first: number): void {
  if (first < 0) throw new HoldfastError('BAD_USER_INPUT', 'first must not be negative')
  if (first > MAX_PAGE)
    throw new HoldfastError(
      'LIMIT_EXCEEDED',
      `first is ${first}, and a page has at most ${MAX_PAGE}; ask for the next one with after`,
    )
}

/** Requests a page. It counts all matching items only if the request selects the count, as counting reads all. */
export function pageRequest({ first, after }: PageArguments, info: GraphQLResolveInfo): PageRequest {
  checkPageSize(first)
  const isCounted = [...selectedFields(info).values()].includes('totalCount')
  return { first, after: after ?? null, ...(!isCounted && { mostCounted: 0 }) }
}

export function pageView<Item>({ after }: PageArguments, page: Page<Item>): CountedPage<Item> {
  const { items, cursors, hasNext, total } = page
  return { nodes: items, cursors, hasNextPage: hasNext, hasPreviousPage: after != null, totalCount: total }
}

/** Makes a page of the items that were found when one more was requested. */
export function plainPage<Item>(
  { first, after }: PageArguments,
  found: readonly Placed<Item>[],
  totalCount: () => Promise<number>,
): CountedPage<Item> {
  const shown = found.slice(0, first)
  const cursors = shown.map(({ cursor }) => cursor)
  let total: Promise<number> | undefined
  return {
    nodes: itemsOf(shown),
    cursors,
    hasNextPage: found.length > first,
    hasPreviousPage: after != null,
    totalCount: () => (total ??= totalCount()),
  }
}
