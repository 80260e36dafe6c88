import type { Diagnostic, Severity } from '../../lib/diagnostic.ts'
import { isJsonList, type Json, type JsonObject } from '../../lib/json.ts'
import { toPointer } from '../../lib/pointer.ts'
import { hasUnseen, plainText, quoteText } from '../../lib/visible-text.ts'
import type { RecordType } from '../../records/record-type.ts'
import { PLANNED_TYPES } from '../../records/registry.ts'
import { keyFieldsOf, keyOf } from '../../records/identity.ts'
import { flawsIn, soundRecord, type Flaws, type Occurrence } from './flaws.ts'

/** Checks single records beyond the JSON Schema. */
export function checkRecords(document: JsonObject, flaws: Flaws): Diagnostic[] {
  const found: Diagnostic[] = []
  for (const type of PLANNED_TYPES) {
    const list = document[type.name]
    if (!Array.isArray(list)) continue
    const flawed = flaws.get(type.name)
    list.forEach((record: Json, index) => {
      checkRecord(type, record, { pointer: `/${type.name}/${index}`, flaw: flawed?.inside.get(String(index)) }, found)
    })
  }
  return found
}

function checkRecord(
  type: RecordType,
  record: Json,
  { pointer, flaw }: Occurrence,
  found: Diagnostic[],
  depth = 0,
): void {
  const sound = soundRecord(type, record, flaw, depth)
  if (sound === null) return
  const { body, dropped, isNamed } = sound
  if (isNamed) checkIdentity(type, body, pointer, found)
  type.check?.(body, (severity, code, path, message) => {
    // A member that was removed already has a finding, and only seems to be missing.
    if (!dropped.has(String(path[0]))) found.push({ severity, code, message, pointer: pointer + toPointer(path) })
  })
  for (const set of type.sets ?? []) checkSet(set, body[set], pointer, found)
  const field = depth === 0 ? type.tree?.root : type.tree?.below
  const children = field === undefined ? undefined : body[field]
  if (field === undefined || !Array.isArray(children)) return
  const flaws = flawsIn(flaw, field)
  children.forEach((child: Json, index) => {
    const occurrence = { pointer: `${pointer}/${field}/${index}`, flaw: flaws.get(String(index)) }
    checkRecord(type, child, occurrence, found, depth + 1)
  })
}

/** Warns about repeated entries of a set, because only one is stored. */
function checkSet(field: string, list: Json | undefined, pointer: string, found: Diagnostic[]): void {
  if (!isJsonList(list)) return
  const first = new Map<Json, number>()
  for (const [index, entry] of list.entries()) {
    const earlier = first.get(entry)
    if (earlier === undefined) first.set(entry, index)
    else
      found.push({
        severity: 'warning',
        code: 'repeated-entry',
        message: `${JSON.stringify(entry)} is in ${field} twice, and stored once; remove it`,
        pointer: `${pointer}/${field}/${index}`,
        related: [{ pointer: `${pointer}/${field}/${earlier}` }],
      })
  }
}

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
/** A key of these characters needs no further checks. */
const PLAIN = /^[!-~]+$/
export const LONGEST_KEY = 500
/**
 * The maximum number of bytes of a key in a tree, including the keys of its ancestors. An index of PostgreSQL allows
 * only slightly more.
 */
export const MOST_PATH_BYTES = 2_600

/** Checks that a key is short and one line of visible text, as keys appear in addresses, plans and a database index. */
function checkIdentity(type: RecordType, record: JsonObject, pointer: string, found: Diagnostic[]): void {
  const key = keyOf(type, record)
  if (key.length <= LONGEST_KEY && PLAIN.test(key)) return
  const identity = `${pointer}/${keyFieldsOf(type, record).at(-1)}`
  const report = (severity: Severity, code: string, message: string) =>
    found.push({ severity, code, message, pointer: identity })
  if (!PLAIN.test(key)) checkCharacters(key, report)
  if (key.length > LONGEST_KEY)
    report('error', 'key-too-long', `the key has ${key.length} characters; at most ${LONGEST_KEY} are possible`)
}

type ReportKey = (severity: Severity, code: string, message: string) => void

function checkCharacters(key: string, report: ReportKey): void {
  const quoted = JSON.stringify(key)
  const isControlled = CONTROL.test(key)
  const isMarked = key.startsWith('\ufeff')
  const isPadded = key !== key.trim()
  if (isControlled) report('error', 'control-character', `the key ${quoted} holds a control character; remove it`)
  if (isMarked)
    report('error', 'byte-order-mark', 'the key begins with an invisible byte order mark (U+FEFF); remove it')
  if (isPadded) report('error', 'blank-around-key', `the key ${quoted} begins or ends with white space; remove it`)
  if (!isControlled && !isMarked && !isPadded) warnOfTwins(key, report)
}

/** Warns about keys that look like another key but name different records. */
function warnOfTwins(key: string, report: ReportKey): void {
  if (hasUnseen(key))
    report('warning', 'unseen-character', `the key ${quoteText(key)} holds invisible characters; remove them`)
  const composed = key.normalize('NFC')
  if (key === composed) return
  const message = `the key ${plainText(key)} is not composed as texts usually are (NFC), so it is another one than ${quoteText(composed)}; write it like that`
  report('warning', 'key-not-composed', message)
}
