import {
  Kind,
  OperationTypeNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
  type ArgumentNode,
  type OperationDefinitionNode,
  type GraphQLResolveInfo,
  valueFromASTUntyped,
} from 'graphql'
import { EDGE_NAMES, OPEN_LISTS } from '../edges/edge-names.ts'
import { METADATA_FIELD, MOST_METADATA } from '../../../records/metadata-limits.ts'
import { DEFAULT_NESTED, DEFAULT_PAGE, MAX_PAGE } from '../page.ts'
import { isObject } from '../../../lib/json.ts'

/** The largest amount of work that an operation can ask for, computed before it is validated or executed. */
export interface QueryWeight {
  /** Top-level fields, including fields of fragments. */
  readonly width: number
  readonly depth: number
  /** Fields and uses of fragments, after all fragments are expanded. */
  readonly fields: number
  /** Edges of any depth, after all fragments are expanded. Each needs statements of its own. */
  readonly edges: number
  /** Counts of lists of any depth, after all fragments are expanded. Each reads all items. */
  readonly counts: number
  /** Values in the answer, as far as the length of its lists is known. `PlainLists` counts the others. */
  readonly values: number
  /** Entries of the lists in its arguments. A list counts at each use, because many fields can share a variable. */
  readonly entries: number
  /** Whether edges multiply a list of unknown length: they lead from its items, or each to the same list. */
  readonly isMultiplied: boolean
  /** The number of values that come from introspection, which makes them all at once. */
  readonly introspected: number
  /** The number of times that each top-level field is used, by its name. */
  readonly times: ReadonlyMap<string, number>
  /** Whether the selected operation is a subscription. Fields of both kinds can have the same names. */
  readonly subscribes: boolean
  /** Whether the selected operation is a query, so that its fields run in parallel. */
  readonly isQuery: boolean
}

/**
 * The assumed length of lists without a length argument: the average for lists of the schema, and the maximum for
 * metadata. Other lists count only if an argument limits their length, and when they are read.
 */
const LENGTHS: ReadonlyMap<string, number> = new Map([
  ['types', 200],
  ['fields', 4],
  ['inputFields', 2],
  ['directives', 5],
  [METADATA_FIELD, MOST_METADATA.items],
  ['supports', 50],
  ['latest', 50],
])

/** Fields that return one item for each entry of their list arguments. */
const ANSWERS_ENTRIES: ReadonlySet<string> = new Set(['latestDatapoints', 'setSetpoints', 'createComponents'])

/** The fields of a page for which its items are read. */
const PAGE_LISTS: readonly string[] = ['nodes', 'edges', 'pageInfo']

/** Returns the highest number of each kind among all operations of a document, because all of them are checked. */
export function weigh(document: DocumentNode, variables: Variables = {}, operationName?: string | null): QueryWeight {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
  const weight = operations
    .map((one) => new Scale(document, { ...defaultsOf(one), ...variables }).operation(one.selectionSet))
    .reduce(heavier, NO_OPERATION)
  const meant = operations.filter(({ name }) => (operationName ?? name?.value) === name?.value)
  const kind = meant.length === 1 ? meant[0]?.operation : undefined
  return {
    ...weight,
    subscribes: kind === OperationTypeNode.SUBSCRIPTION,
    isQuery: kind === OperationTypeNode.QUERY,
  }
}

/** Returns the values of one item of a list, as far as the length of the lists inside is known. */
export function valuesOfItem({ fieldNodes, fragments, variableValues }: GraphQLResolveInfo): number {
  const scale = new Scale({ kind: Kind.DOCUMENT, definitions: Object.values(fragments) }, variableValues)
  return fieldNodes.reduce((sum, { selectionSet: set }) => sum + (set === undefined ? 0 : scale.valuesBelow(set)), 0)
}

interface Size extends Pick<
  QueryWeight,
  'width' | 'depth' | 'fields' | 'edges' | 'counts' | 'values' | 'entries' | 'isMultiplied'
> {
  /** Whether the query selects the lists of a page. */
  readonly isPage: boolean
  /** Whether the item has a list of unknown length. */
  readonly hasOpen: boolean
}

type OperationWeight = Omit<QueryWeight, 'subscribes' | 'isQuery'>

const NONE = { width: 0, depth: 0, fields: 0, edges: 0, counts: 0, values: 0, entries: 0, isMultiplied: false }
const NOTHING: Size = { ...NONE, isPage: false, hasOpen: false }
const NO_OPERATION: OperationWeight = { ...NONE, introspected: 0, times: new Map() }

function heavier(a: OperationWeight, b: OperationWeight): OperationWeight {
  const most = (name: string) => Math.max(a.times.get(name) ?? 0, b.times.get(name) ?? 0)
  return {
    width: Math.max(a.width, b.width),
    depth: Math.max(a.depth, b.depth),
    fields: Math.max(a.fields, b.fields),
    edges: Math.max(a.edges, b.edges),
    counts: Math.max(a.counts, b.counts),
    values: Math.max(a.values, b.values),
    entries: Math.max(a.entries, b.entries),
    isMultiplied: a.isMultiplied || b.isMultiplied,
    introspected: Math.max(a.introspected, b.introspected),
    times: new Map([...a.times.keys(), ...b.times.keys()].map((name) => [name, most(name)])),
  }
}

/** The values of each top-level field and the number of its uses, by its name. */
type Top = ReadonlyMap<string, { readonly values: number; readonly times: number }>

class Scale {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #variables: Variables
  /** Each fragment is measured only once, because nested fragments could double the work at each level. */
  readonly #known = new Map<string, Size>()
  readonly #named = new Map<string, Top>()

  constructor({ definitions }: DocumentNode, variables: Variables) {
    const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
    this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]))
    this.#variables = variables
  }

  operation(set: SelectionSetNode): OperationWeight {
    const top = this.#topOf(set)
    const introspected = [...top].reduce((sum, [name, { values }]) => sum + (name.startsWith('__') ? values : 0), 0)
    const { isPage: _, hasOpen: __, ...size } = this.#set(set, DEFAULT_PAGE)
    const times = new Map([...top].map(([name, asked]) => [name, asked.times]))
    return { ...size, introspected, times }
  }

  valuesBelow(set: SelectionSetNode): number {
    return this.#set(set).values
  }

  #topOf({ selections }: SelectionSetNode): Top {
    const top = new Map<string, { readonly values: number; readonly times: number }>()
    const add = (name: string, { values, times }: { values: number; times: number }) => {
      const before = top.get(name) ?? { values: 0, times: 0 }
      top.set(name, { values: before.values + values, times: before.times + times })
    }
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD)
        add(selection.name.value, { values: this.#size(selection, DEFAULT_PAGE).values, times: 1 })
      else for (const [name, asked] of this.#topInside(selection)) add(name, asked)
    }
    return top
  }

  #topInside(selection: Exclude<SelectionNode, FieldNode>): Top {
    if (selection.kind === Kind.INLINE_FRAGMENT) return this.#topOf(selection.selectionSet)
    const name = selection.name.value
    const known = this.#named.get(name)
    const fragment = this.#fragments.get(name)
    if (known !== undefined || fragment === undefined) return known ?? new Map()
    this.#named.set(name, new Map())
    const top = this.#topOf(fragment.selectionSet)
    this.#named.set(name, top)
    return top
  }

  /** `page` is the length of a page without a length argument: at the top level another than inside. */
  #set({ selections }: SelectionSetNode, page = DEFAULT_NESTED): Size {
    let { width, depth, fields, edges, counts, values, entries, isMultiplied, isPage, hasOpen } = NOTHING
    for (const selection of selections) {
      const size = this.#size(selection, page)
      width += size.width
      depth = Math.max(depth, size.depth)
      fields += size.fields
      edges += size.edges
      counts += size.counts
      values += size.values
      entries += size.entries
      isMultiplied ||= size.isMultiplied
      isPage ||= size.isPage
      hasOpen ||= size.hasOpen
    }
    return { width, depth, fields, edges, counts, values, entries, isMultiplied, isPage, hasOpen }
  }

  #size(selection: SelectionNode, page: number): Size {
    if (selection.kind === Kind.INLINE_FRAGMENT) return this.#set(selection.selectionSet, page)
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const size = this.#fragment(selection.name.value, page)
      return { ...size, fields: size.fields + 1 }
    }
    const inner = selection.selectionSet === undefined ? NOTHING : this.#set(selection.selectionSet)
    const isEdge = selection.selectionSet !== undefined && EDGE_NAMES.has(selection.name.value)
    const isOpen = selection.selectionSet !== undefined && OPEN_LISTS.has(selection.name.value)
    const isRepeated = isEdge && page !== DEFAULT_PAGE && inner.hasOpen
    return {
      width: 1,
      depth: inner.depth + 1,
      fields: inner.fields + 1,
      edges: inner.edges + Number(isEdge),
      counts: inner.counts + Number(selection.name.value === 'totalCount'),
      values: 1 + inner.values * this.#lengthOf(selection, inner, page),
      entries: inner.entries + this.#entriesOf(selection),
      isMultiplied: inner.isMultiplied || isRepeated || (isOpen && inner.edges > 0),
      isPage: PAGE_LISTS.includes(selection.name.value),
      hasOpen: inner.hasOpen || isOpen,
    }
  }

  /** The root types are nowhere else, so a fragment is either at the top level or inside. */
  #fragment(name: string, page: number): Size {
    const seen = this.#known.get(name)
    const fragment = this.#fragments.get(name)
    if (seen !== undefined || fragment === undefined) return seen ?? NOTHING
    // Another rule rejects a fragment that includes itself. It counts as nothing while it is measured.
    this.#known.set(name, NOTHING)
    const size = this.#set(fragment.selectionSet, page)
    this.#known.set(name, size)
    return size
  }

  #lengthOf(field: FieldNode, { isPage }: Size, page: number): number {
    const { name, arguments: given = [] } = field
    const first = given.find((argument) => argument.name.value === 'first')
    if (first !== undefined && !this.#isLeftOut(first.value)) return this.#number(first.value)
    if (ANSWERS_ENTRIES.has(name.value)) return Math.max(1, this.#entriesOf(field))
    return isPage ? page : (LENGTHS.get(name.value) ?? 1)
  }

  #entriesOf(field: FieldNode): number {
    return entriesOf(field, this.#variables)
  }

  /** Whether the value is a variable without a value, so that the argument has its default. */
  #isLeftOut(value: ValueNode): boolean {
    return value.kind === Kind.VARIABLE && this.#variables[value.name.value] === undefined
  }

  #number(value: ValueNode): number {
    const given = value.kind === Kind.VARIABLE ? this.#variables[value.name.value] : undefined
    const number = value.kind === Kind.INT ? Number(value.value) : given
    return typeof number === 'number' && number >= 0 ? number : MAX_PAGE
  }
}

type Variables = { readonly [name: string]: unknown }

/** The only object argument whose lists are counted. Others hold a whole model, which has its own limits. */
const FILTER = 'filter'

/** Returns the number of entries in a field's list arguments and in the lists of its filter. */
function entriesOf({ arguments: given = [] }: FieldNode, variables: Variables): number {
  return given.reduce((sum, argument) => sum + ofArgument(argument, variables), 0)
}

function ofArgument({ name, value }: ArgumentNode, variables: Variables): number {
  if (name.value !== FILTER) return lengthOf(value, variables)
  if (value.kind === Kind.OBJECT) return value.fields.reduce((sum, field) => sum + lengthOf(field.value, variables), 0)
  return value.kind === Kind.VARIABLE ? givenInside(variables[value.name.value]) : 0
}

function lengthOf(value: ValueNode, variables: Variables): number {
  if (value.kind === Kind.LIST) return value.values.length
  return value.kind === Kind.VARIABLE ? given(variables[value.name.value]) : 0
}

function given(list: unknown): number {
  return Array.isArray(list) ? list.length : 0
}

function givenInside(filter: unknown): number {
  return isObject(filter) ? Object.values(filter).reduce<number>((sum, list) => sum + given(list), 0) : 0
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Variables {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue: value }) =>
      value === undefined ? [] : [[variable.name.value, valueFromASTUntyped(value)] as const],
    ),
  )
}
