import { OperationTypeNode } from 'graphql'
import type { ExecutionResult, GraphQLError, GraphQLObjectType, GraphQLResolveInfo } from 'graphql'
import { breather } from '../../db/breather.ts'
import { QUERY_LIMITS, tooManyValues } from './requests/query-limits.ts'
import { valuesOfItem } from './requests/query-weight.ts'
import { selectedFields } from './selected-fields.ts'

/** A list that makes its items on demand, because there may be many. */
export interface ManyItems<Item> {
  readonly length: number
  /** Returns an item. Fields that it leaves out are null. */
  itemAt(index: number): Item
}

export function manyItems<Stored, Item>(stored: readonly Stored[], viewOf: (stored: Stored) => Item): ManyItems<Item> {
  return { length: stored.length, itemAt: (index) => viewOf(stored[index]!) }
}

interface WaitingList {
  readonly path: GraphQLResolveInfo['path']
  readonly items: ManyItems<object>
  readonly type: string
  /** The selected fields: their keys in the answer and their names in the schema. */
  readonly fields: readonly (readonly [shown: string, name: string])[]
}

/**
 * The long lists of one answer. graphql-js needs a microsecond or more for each field of each item, and does all of it
 * in one turn of the event loop. So it gets empty lists, which are filled afterwards.
 */
export class PlainLists {
  /** The error of the first list that exceeded the limit. */
  refusal: GraphQLError | null = null
  #waiting: WaitingList[] = []
  #values = 0
  readonly #weights = new WeakMap<GraphQLResolveInfo['fieldNodes'], number>()
  readonly #fields = new WeakMap<GraphQLResolveInfo['fieldNodes'], WaitingList['fields']>()

  /**
   * Counts the items of a list before graphql-js gets them, because their number is not known earlier. It fails if the
   * items and all that is selected below them are too many values.
   */
  count(items: number, info: GraphQLResolveInfo): void {
    // A stream has no end, and its messages have no edges.
    if (info.operation.operation === OperationTypeNode.SUBSCRIPTION) return
    const { fieldNodes } = info
    // All objects of a list share one array of field nodes.
    const weight = this.#weights.get(fieldNodes) ?? valuesOfItem(info)
    this.#weights.set(fieldNodes, weight)
    this.#values += items * weight
    if (this.#values <= QUERY_LIMITS.values) return
    this.refusal ??= tooManyValues(this.#values)
    throw this.refusal
  }

  /** Adds a list. */
  add(items: ManyItems<object>, type: GraphQLObjectType, info: GraphQLResolveInfo): readonly object[] {
    this.count(items.length, info)
    const fields = this.#fieldsOf(info)
    const known = type.getFields()
    // Only graphql-js can follow edges.
    if (fields.some(([, name]) => known[name]?.extensions['edge'] !== undefined))
      return Array.from({ length: items.length }, (_, index) => items.itemAt(index))
    this.#waiting.push({ path: info.path, items, type: type.name, fields })
    return []
  }

  /** Returns the selected fields. All items of a list select the same ones, so they are found once. */
  #fieldsOf(info: GraphQLResolveInfo): WaitingList['fields'] {
    const known = this.#fields.get(info.fieldNodes)
    if (known !== undefined) return known
    const fields = [...selectedFields(info)]
    this.#fields.set(info.fieldNodes, fields)
    return fields
  }

  /** Fills the lists of a result, and lets other work run in between. */
  async fill({ data }: ExecutionResult): Promise<void> {
    const breathe = breather()
    const waiting = this.#waiting
    this.#waiting = []
    for (const { path, items, type, fields } of waiting) {
      const filled = listAt(data, path)
      if (filled === null) continue
      for (let index = 0; index < items.length; index++) {
        if (index % ITEMS_AT_ONCE === 0) await breathe()
        const item = { ...items.itemAt(index), __typename: type } as { readonly [name: string]: unknown }
        filled.push(Object.fromEntries(fields.map(([key, name]) => [key, item[name] ?? null])))
      }
    }
  }
}

const ITEMS_AT_ONCE = 1_000

/** Returns the list at a path of the result; null if an error has replaced it. */
function listAt(data: unknown, path: GraphQLResolveInfo['path'] | undefined): unknown[] | null {
  const found = valueAt(data, path)
  return Array.isArray(found) ? found : null
}

function valueAt(data: unknown, path: GraphQLResolveInfo['path'] | undefined): unknown {
  if (path === undefined) return data
  const parent = valueAt(data, path.prev)
  return typeof parent === 'object' && parent !== null ? Reflect.get(parent, path.key) : undefined
}
