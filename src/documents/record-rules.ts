import type { Diagnostic } from '../lib/diagnostic.ts'
import { isObject, type Json, type JsonObject } from '../lib/json.ts'
import { toPointer } from '../lib/pointer.ts'
import type { RecordType } from '../records/record-type.ts'
import { PLANNED_TYPES } from '../records/registry.ts'
import { keyOf } from '../records/identity.ts'

/** The checks beyond the JSON Schema that look at one record alone. */
export function checkRecords(document: JsonObject, skip: (pointer: string) => boolean): Diagnostic[] {
  const found: Diagnostic[] = []
  for (const type of PLANNED_TYPES) {
    const list = document[type.name]
    if (!Array.isArray(list)) continue
    list.forEach((record: Json, index) => {
      const pointer = `/${type.name}/${index}`
      if (!skip(pointer)) checkRecord(type, record as JsonObject, pointer, found)
    })
  }
  return found
}

function checkRecord(type: RecordType, record: JsonObject, pointer: string, found: Diagnostic[], depth = 0): void {
  checkIdentity(type, record, pointer, found)
  type.check?.(record, (severity, code, path, message) => {
    found.push({ severity, code, message, pointer: pointer + toPointer(path) })
  })
  const field = depth === 0 ? type.tree?.root : type.tree?.below
  const children = field === undefined ? undefined : record[field]
  if (!Array.isArray(children)) return
  children.forEach((child: Json, index) => {
    if (isObject(child)) checkRecord(type, child as JsonObject, `${pointer}/${field}/${index}`, found, depth + 1)
  })
}

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const LONGEST_KEY = 500

/** A key stands in addresses, plans and an index of the database, so it is one line of visible text, and short. */
function checkIdentity(type: RecordType, record: JsonObject, pointer: string, found: Diagnostic[]): void {
  const report = (code: string, message: string) =>
    found.push({ severity: 'error', code, message, pointer: `${pointer}/${type.identity.at(-1)}` })
  const key = keyOf(type, record)
  if (CONTROL.test(key))
    report('control-character', `the key ${JSON.stringify(key)} holds a control character; remove it`)
  if (key.startsWith('\ufeff'))
    report('byte-order-mark', 'the key begins with an invisible byte order mark (U+FEFF); remove it')
  if (key !== key.trim())
    report('blank-around-key', `the key ${JSON.stringify(key)} begins or ends with white space; remove it`)
  if (key.length > LONGEST_KEY)
    report('key-too-long', `the key has ${key.length} characters; at most ${LONGEST_KEY} are possible`)
}
