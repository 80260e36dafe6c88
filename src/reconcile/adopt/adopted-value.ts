import type { Path, ValueEdit } from '../../documents/edit/value-edit.ts'
import { canonicalText, isJsonList, isJsonObject, type Json, type JsonObject } from '../../lib/json.ts'
import { keyFieldOf, member } from '../../plan/render/field-diff.ts'
import { plainValue, taggedValue } from '../../records/metadata.ts'

type Maybe = Json | undefined

/**
 * The value to write so that a record equals the record on the platform. `written` is the value in the file, `planned`
 * its canonical form, and `live` the canonical value of the platform. Parts in which `planned` and `live` agree stay as
 * they are written.
 */
export function adoptedValue(written: Maybe, planned: Maybe, live: Json, isMetadata = false): Json {
  if (written !== undefined && planned !== undefined && isSame(planned, live)) return written
  if (isMetadata && isTagged(live) && !isObjectValue(written)) return plainForm(written, planned, live)
  if (isJsonList(live)) return adoptedList(listOf(written), listOf(planned), live, isMetadata)
  if (!isObjectValue(live)) return live
  const [was, plan] = [objectOf(written), objectOf(planned)]
  const kept = Object.keys(was).filter((name) => member(live, name) !== undefined || member(plan, name) === undefined)
  const added = Object.keys(live).filter(
    (name) => member(was, name) === undefined && !isSame(member(plan, name), live[name]),
  )
  return Object.fromEntries(
    [...kept, ...added].map((name) => {
      const [value, written] = [member(live, name), member(was, name)]
      return [
        name,
        value === undefined ? (written ?? null) : adoptedValue(written, member(plan, name), value, isMetadata),
      ]
    }),
  )
}

function adoptedList(
  written: readonly Json[],
  planned: readonly Json[],
  live: readonly Json[],
  isMetadata: boolean,
): Json[] {
  const nameOf = namer(written, planned, live)
  if (nameOf === null) return [...live]
  const [was, plan] = [written, planned].map((list) => new Map(list.map((item) => [nameOf(item), item])))
  const items = new Map(live.map((item) => [nameOf(item), item]))
  const adopt = (name: string): Json =>
    adoptedValue(was?.get(name), plan?.get(name), items.get(name) ?? null, isMetadata)
  // The platform sorts some lists. The written order stays, unless the order itself was changed.
  const common = (list: readonly Json[]) => list.map(nameOf).filter((name) => items.has(name) && plan?.has(name))
  const isReordered = common(planned).join('\n') !== common(live).join('\n')
  const order = isReordered ? [] : written.map(nameOf).filter((name) => items.has(name))
  // A new item comes after all items that precede it on the platform.
  const places = new Map(order.map((name, index) => [name, index]))
  let last = -1
  const found = live.map(nameOf).map((name) => {
    last = Math.max(last, places.get(name) ?? -1)
    return { name, last }
  })
  const added = Map.groupBy(
    found.filter(({ name }) => !places.has(name)),
    ({ last: behind }) => behind,
  )
  const all = [...(added.get(-1) ?? []), ...order.flatMap((name, index) => [{ name }, ...(added.get(index) ?? [])])]
  return all.map(({ name }) => adopt(name))
}

/** Names the items of lists, so that they can be found again; null if some items have no name or the same one. */
function namer(...lists: readonly (readonly Json[])[]): ((item: Json) => string) | null {
  const field = keyFieldOf(...lists)
  if (field !== null) return (item) => String(objectOf(item)[field])
  return lists.every((list) => new Set(list.map(canonicalText)).size === list.length) ? canonicalText : null
}

/** A metadata value without its tag, if it is read with the same tag again. */
function plainForm(written: Maybe, planned: Maybe, live: JsonObject): Json {
  const plain = plainValue(live)
  const isTag = (value: Json) => tagOf(taggedValue(value, undefined)) === tagOf(live)
  if (planned === undefined || written === undefined) return isTag(plain) ? plain : live
  // If the tag differs from the tag of the written value, a MetadataType decides it.
  return tagOf(planned) === tagOf(live) && (isTag(plain) || !isTag(written)) ? plain : live
}

const TAGS = /^(string|float|integer|boolean|timestamp|uuid)$/

function tagOf(value: Json): string {
  return Object.keys(objectOf(value)).join()
}

function isTagged(value: Json): value is JsonObject {
  return TAGS.test(tagOf(value))
}

/** The edits that change one written value into another. They go as deep as possible. */
export function editsBetween(
  place: { readonly document: number; readonly path: Path },
  before: Maybe,
  after: Maybe,
  names: readonly string[] = [],
): ValueEdit[] {
  const { document, path } = place
  const below = (name: string | number) => ({ document, path: [...path, name] })
  if (before !== undefined && after !== undefined && isSame(before, after)) return []
  if (after === undefined) return before === undefined ? [] : [{ ...place, kind: 'remove' }]
  if (isObjectValue(before) && isObjectValue(after)) {
    const all = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return all.flatMap((name) => editsBetween(below(name), member(before, name), member(after, name)))
  }
  if (isJsonList(before) && isJsonList(after)) {
    const edits = editsOfList(below, before, after)
    if (edits !== null) return edits
  }
  return [{ ...place, kind: 'set', value: after, after: names }]
}

/** Null if the items cannot be told apart, or if their order changes. */
function editsOfList(
  below: (index: number) => { readonly document: number; readonly path: Path },
  before: readonly Json[],
  after: readonly Json[],
): ValueEdit[] | null {
  const nameOf = namer(before, after)
  if (nameOf === null) return null
  const [was, is] = [before, after].map((list) => list.map(nameOf))
  const [places, wanted] = [new Map(was?.map((name, index) => [name, index])), new Set(is)]
  const kept = is?.filter((name) => places.has(name)) ?? []
  if (kept.join('\n') !== was?.filter((name) => wanted.has(name)).join('\n')) return null
  const removed = was?.flatMap((name, index): ValueEdit[] =>
    wanted.has(name) ? [] : [{ ...below(index), kind: 'remove' }],
  )
  let next = 0
  const others = after.flatMap((item): ValueEdit[] => {
    const index = places.get(nameOf(item))
    if (index === undefined) return [{ ...below(next), kind: 'insert', value: item }]
    next = index + 1
    return editsBetween(below(index), before[index], item)
  })
  return [...(removed ?? []), ...others]
}

function isSame(one: Maybe, other: Maybe): boolean {
  return one === other || (one !== undefined && other !== undefined && canonicalText(one) === canonicalText(other))
}

function isObjectValue(value: Maybe): value is JsonObject {
  return value !== undefined && isJsonObject(value)
}

function objectOf(value: Maybe): JsonObject {
  return isObjectValue(value) ? value : {}
}

function listOf(value: Maybe): readonly Json[] {
  return isJsonList(value) ? value : []
}
