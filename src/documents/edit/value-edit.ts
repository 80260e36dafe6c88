import { isObject, type Json } from '../../lib/json.ts'
import { toPointer } from '../../lib/pointer.ts'
import { valueAt } from '../../records/json-schema.ts'

export type Path = readonly (string | number)[]

/** The place of a value in a file: the index of its document, and its path from the root of that document. */
export interface EditPlace {
  readonly document: number
  readonly path: Path
}

/**
 * A change of one value. The paths of several edits have the indices that the items have before all of them. An
 * `insert` puts an item before the one at its path. `after` names the members that come before a new member.
 */
export type ValueEdit = EditPlace &
  (
    | { readonly kind: 'set'; readonly value: Json; readonly after?: readonly string[] }
    | { readonly kind: 'insert'; readonly value: Json }
    | { readonly kind: 'remove' }
  )

/** Changes the values of documents, in place: copies of a large file would fill the memory. */
export function editValues(made: unknown[], edits: readonly ValueEdit[]): void {
  for (const { document } of edits) made[document] ??= {}
  const isOfList = ({ document, path }: ValueEdit) => Array.isArray(holderOf(made[document], path))
  const lists = Map.groupBy(edits.filter(isOfList), ({ document, path }) => toPointer([document, ...path.slice(0, -1)]))
  for (const edit of edits) if (!isOfList(edit) || edit.kind === 'set') editMember(made[edit.document], edit)
  // The indices outside stay valid while lists inside are changed.
  const inner = [...lists.values()].sort(([one], [other]) => (other?.path.length ?? 0) - (one?.path.length ?? 0))
  for (const group of inner) editList(made, group)
}

function holderOf(root: unknown, path: Path): unknown {
  return valueAt(root, path.slice(0, -1).map(String))
}

function editMember(root: unknown, edit: ValueEdit): void {
  const holder = holderOf(root, edit.path)
  const name = edit.path.at(-1) ?? ''
  if (Array.isArray(holder) && edit.kind === 'set') holder[Number(name)] = edit.value
  else if (isObject(holder) && edit.kind === 'remove') delete holder[name]
  else if (isObject(holder) && edit.kind !== 'remove') holder[name] = edit.value
}

function editList(documents: unknown[], edits: readonly ValueEdit[]): void {
  const [first] = edits
  const list = first && holderOf(documents[first.document], first.path)
  if (!Array.isArray(list)) return
  const { inserted, removed } = listEdits(edits)
  const items: unknown[] = [...list, undefined]
  const made = items.flatMap((item, index) => [
    ...(inserted.get(index) ?? []),
    ...(removed.has(index) || index === list.length ? [] : [item]),
  ])
  list.splice(0, list.length, ...made)
}

/** The edits of one list: the values to insert before each index, and the indices to remove. */
export function listEdits(edits: readonly ValueEdit[]): {
  readonly inserted: ReadonlyMap<number, readonly Json[]>
  readonly removed: ReadonlySet<number>
} {
  const inserted = new Map<number, Json[]>()
  const removed = new Set<number>()
  for (const edit of edits) {
    const index = Number(edit.path.at(-1))
    if (edit.kind === 'insert') inserted.set(index, [...(inserted.get(index) ?? []), edit.value])
    else if (edit.kind === 'remove') removed.add(index)
  }
  return { inserted, removed }
}
