import { canonicalText, isObject, type Json, type JsonObject, isJsonObject } from '../../lib/json.ts'
import { valueText } from './value-text.ts'

/** One difference inside a record. `path` is written for readers: `options[auto].label`. */
export type FieldChange =
  | { readonly kind: 'added'; readonly path: string; readonly after: Json }
  | { readonly kind: 'removed'; readonly path: string; readonly before: Json }
  | { readonly kind: 'changed'; readonly path: string; readonly before: Json; readonly after: Json }
  /** Unchanged items of a list in which other items change. */
  | { readonly kind: 'same'; readonly path: string; readonly count: number }

type Maybe = Json | undefined

/**
 * All differences between two values, each as deep inside as possible. The list is empty exactly if the values are
 * equal.
 */
export function diffFields(before: Maybe, after: Maybe, path = ''): FieldChange[] {
  if (before === undefined) return after === undefined ? [] : [{ kind: 'added', path, after }]
  if (after === undefined) return [{ kind: 'removed', path, before }]
  if (canonicalText(before) === canonicalText(after)) return []
  if (isObject(before) && isObject(after)) return diffMembers(before, after, path)
  if (Array.isArray(before) && Array.isArray(after)) return diffLists(before, after, path)
  if (typeof before === 'string' && typeof after === 'string' && `${before}${after}`.includes('\n')) {
    return diffLines(before.split('\n'), after.split('\n'), path)
  }
  return [{ kind: 'changed', path, before, after }]
}

function diffMembers(before: JsonObject, after: JsonObject, path: string): FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names.flatMap((name) => diffFields(member(before, name), member(after, name), memberPath(path, name)))
}

/** Reads an own member only: a member may be called `constructor`, which every object inherits. */
export function member(object: JsonObject, name: string): Maybe {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function memberPath(path: string, name: string): string {
  if (!/^[\p{L}\p{N}_$-]+$/u.test(name) || name.length > 60) return itemPath(path, name)
  return path === '' ? name : `${path}.${name}`
}

function itemPath(path: string, key: string): string {
  return `${path}[${valueText(key, 60)}]`
}

function diffLists(before: readonly Json[], after: readonly Json[], path: string): FieldChange[] {
  const field = keyFieldOf(before, after)
  if (field !== null) return diffKeyed(itemsByKey(before, field), itemsByKey(after, field), path)
  if (isScalarList(before) && isScalarList(after)) return diffScalars(before, after, path)
  const indexes = [...Array(Math.max(before.length, after.length)).keys()]
  return indexes.flatMap((index) => diffFields(before[index], after[index], `${path}[${index}]`))
}

function diffKeyed(before: ReadonlyMap<string, Json>, after: ReadonlyMap<string, Json>, path: string): FieldChange[] {
  const keys = [...new Set([...after.keys(), ...before.keys()])]
  const changes = keys.map((key) => diffFields(before.get(key), after.get(key), itemPath(path, key)))
  const order = diffOrder([...before.keys()], [...after.keys()], path)
  return [...order, ...changes.flat(), ...same(path, changes.filter((change) => change.length === 0).length)]
}

function diffOrder(before: readonly string[], after: readonly string[], path: string): FieldChange[] {
  const [old, now] = [new Set(before), new Set(after)]
  const [was, is] = [before.filter((key) => now.has(key)), after.filter((key) => old.has(key))]
  if (was.every((key, index) => key === is[index])) return []
  return [{ kind: 'changed', path: `${path} (order)`, before: was, after: is }]
}

function diffScalars(before: readonly Json[], after: readonly Json[], path: string): FieldChange[] {
  const [removed, added] = [surplusItems(before, after), surplusItems(after, before)]
  if (removed.length === 0 && added.length === 0) return [{ kind: 'changed', path: `${path} (order)`, before, after }]
  return [
    ...removed.map((item) => ({ kind: 'removed' as const, path, before: item })),
    ...added.map((item) => ({ kind: 'added' as const, path, after: item })),
    ...same(path, after.length - added.length),
  ]
}

function same(path: string, count: number): FieldChange[] {
  return count === 0 ? [] : [{ kind: 'same', path, count }]
}

/**
 * The lines between the equal lines at the beginning and at the end. If their number stays the same, they are paired.
 */
function diffLines(before: readonly string[], after: readonly string[], path: string): FieldChange[] {
  let head = 0
  while (head < before.length && before[head] === after[head]) head += 1
  let tail = 0
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  const [was, is] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)]
  const at = (index: number) => `${path} (line ${head + index + 1})`
  if (was.length === is.length) return was.flatMap((line, index) => diffFields(line, is[index], at(index)))
  return [
    ...was.map((line, index) => ({ kind: 'removed' as const, path: at(index), before: line })),
    ...is.map((line, index) => ({ kind: 'added' as const, path: at(index), after: line })),
  ]
}

/** The fields that may name the items of a list, in order of preference. They hold for every list of the model. */
const KEY_FIELDS = ['key', 'code', 'name'] as const

/** The first of the key fields that every item has as a text and that is unique in each list; null if there is none. */
export function keyFieldOf(...lists: readonly (readonly Json[])[]): string | null {
  if (lists.every((list) => list.length === 0)) return null
  return KEY_FIELDS.find((field) => lists.every((list) => isUniqueKey(list, field))) ?? null
}

function isUniqueKey(list: readonly Json[], field: string): boolean {
  const keys = new Set(list.map((item) => (isObject(item) ? item[field] : undefined)))
  return keys.size === list.length && [...keys].every((key) => typeof key === 'string')
}

/** The items by their keys, without the key field. If an item has only a `value` left, it becomes that value. */
export function itemsByKey(list: readonly Json[], field: string): ReadonlyMap<string, Json> {
  return new Map(list.filter(isJsonObject).map((item) => [String(item[field]), withoutKey(item, field)]))
}

function withoutKey(item: JsonObject, field: string): Json {
  const { [field]: _, ...rest } = item
  const [only, ...others] = Object.keys(rest)
  return only === 'value' && others.length === 0 ? (rest['value'] ?? null) : rest
}

function isScalarList(list: readonly Json[]): boolean {
  return list.every((item) => typeof item !== 'object' || item === null)
}

/** The items that `list` has more often than `other`, in the order of `list`. */
function surplusItems(list: readonly Json[], other: readonly Json[]): Json[] {
  const left = new Map<Json, number>()
  for (const item of other) left.set(item, (left.get(item) ?? 0) + 1)
  return list.filter((item) => {
    const count = left.get(item) ?? 0
    left.set(item, count - 1)
    return count <= 0
  })
}
