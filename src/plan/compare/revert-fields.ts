import { isJsonList, isObject, sortKeys, type Json } from '../../lib/json.ts'
import { METADATA_FIELD } from '../../records/metadata-limits.ts'
import type { RecordBody } from '../../records/record-type.ts'

/** A change to revert, and the record as it is now. */
interface RevertedChange {
  readonly before: RecordBody
  readonly after: RecordBody
  readonly now: RecordBody
}

interface RevertedBody {
  /** The present record, with the old values of the fields that the change touched. */
  readonly body: RecordBody
  /** The touched fields that were changed again later; a metadata item is `metadataKeyValueStore/key`. */
  readonly overwritten: readonly string[]
}

/** Reverts a change field by field, as a three-way merge does. Metadata is compared item by item. */
export function revertedBody({ before, after, now }: RevertedChange): RevertedBody {
  const [was, is, live] = [fieldsOf(before), fieldsOf(after), fieldsOf(now)]
  const touched = [...new Set([...was.keys(), ...is.keys()])].filter((field) => differs(was, is, field))
  const overwritten = touched.filter((field) => differs(is, live, field) && differs(was, live, field))
  const reverted = new Map(live)
  for (const field of touched) {
    const value = was.get(field)
    if (value === undefined) reverted.delete(field)
    else reverted.set(field, value)
  }
  return { body: toBody(reverted), overwritten }
}

/** The fields that a change touched. */
export function changedFields(before: RecordBody | null, after: RecordBody | null): string[] {
  const [was, is] = [fieldsOf(before ?? {}), fieldsOf(after ?? {})]
  return [...new Set([...was.keys(), ...is.keys()])].filter((field) => differs(was, is, field))
}

type Fields = ReadonlyMap<string, Json>

const ITEM = `${METADATA_FIELD}/`

/** The fields of a body, with an entry for each metadata item, and one for the list itself, which may be empty. */
function fieldsOf(body: RecordBody): Map<string, Json> {
  const fields = new Map<string, Json>()
  for (const [field, value] of Object.entries(body)) {
    if (field !== METADATA_FIELD || !isJsonList(value)) fields.set(field, value)
    else {
      fields.set(field, [])
      for (const item of value) if (isObject(item)) fields.set(`${ITEM}${String(item['key'])}`, item)
    }
  }
  return fields
}

function toBody(fields: Fields): RecordBody {
  const entries = [...fields].filter(([field]) => !field.startsWith(ITEM))
  const items = [...fields].filter(([field]) => field.startsWith(ITEM)).sort(([a], [b]) => (a < b ? -1 : 1))
  const body = Object.fromEntries(entries)
  return sortKeys(items.length === 0 ? body : { ...body, [METADATA_FIELD]: items.map(([, item]) => item) })
}

function differs(one: Fields, other: Fields, field: string): boolean {
  return JSON.stringify(one.get(field)) !== JSON.stringify(other.get(field))
}
