import type { Diagnostic } from '../../lib/diagnostic.ts'
import type { JsonObject } from '../../lib/json.ts'
import { toPointer } from '../../lib/pointer.ts'
import { quoted } from '../../lib/quoted.ts'
import { didYouMean, MOST_GUESSES } from '../../lib/suggest.ts'
import {
  ACCESS,
  type RecordBody,
  type RecordKey,
  type RecordType,
  type RecordTypeName,
} from '../../records/record-type.ts'
import { recordId } from '../../records/record-id.ts'
import { referencesOf } from '../../records/references.ts'
import { recordType } from '../../records/registry.ts'
import { isReserved, reservedText } from '../../records/reserved.ts'
import { hasField } from '../../records/shape.ts'
import type { NamelessRecord } from '../build-snapshot.ts'
import type { Snapshot } from '../snapshot.ts'

/** A reference to a record that must already exist on the platform. */
export interface ExternalReference extends RecordKey {
  /** The record that has the reference. */
  readonly from: RecordKey
  /** The JSON Pointer of the reference in the import document. */
  readonly pointer: string
}

/** Tells whether a missing record has a known cause besides the reference, such as a file that could not be read. */
export type Excuse = (type: RecordTypeName, key: string) => boolean

/** Finds references to records that do not exist, and references that only the platform can decide. */
export function danglingReferences(
  snapshot: Snapshot,
  excused: Excuse,
  nameless: readonly NamelessRecord[] = [],
): { diagnostics: Diagnostic[]; external: ExternalReference[] } {
  const missing: ExternalReference[] = []
  const external: ExternalReference[] = []
  const check = (type: RecordType, key: string, body: RecordBody, pointer: string) => {
    for (const { type: target, key: wantedKey, path } of referencesOf(type, key, body)) {
      const wanted = snapshot.get(target)
      if (wanted === undefined || wanted.records.has(wantedKey)) continue
      const from = { type: type.name, key }
      const reference = { type: target, key: wantedKey, from, pointer: pointerInSource(pointer, type.name, path) }
      if (wanted.coverage !== 'all' || !wanted.covers(wantedKey)) external.push(reference)
      else if (!excused(target, wantedKey)) missing.push(reference)
    }
  }
  for (const [name, { records }] of snapshot) {
    const type = recordType(name)
    if (type.references === undefined) continue
    for (const { key, body, pointer } of records.values()) check(type, key, body, pointer ?? '')
  }
  for (const { type, body, pointer } of nameless) check(type, '', body, pointer)
  const keysOf = (type: RecordTypeName) => [...(snapshot.get(type)?.records.keys() ?? [])]
  return { diagnostics: danglingDiagnostics(unexplained(missing, nameless), keysOf), external }
}

/**
 * Removes the references that may lead to a record with an unknown key. That is possible if the key is one of the
 * record's values, such as in a misspelled field. It is also possible if there are at least as many records without any
 * such value as there are missing keys.
 */
function unexplained(
  missing: readonly ExternalReference[],
  nameless: readonly NamelessRecord[],
): readonly ExternalReference[] {
  if (missing.length === 0 || nameless.length === 0) return missing
  const records = Map.groupBy(nameless, ({ type }) => type.name)
  return [...Map.groupBy(missing, ({ type }) => type)].flatMap(([type, references]) => {
    const candidates = records.get(type) ?? []
    const values = new Set(candidates.flatMap(({ written }) => scalarsIn(written)))
    const left = references.filter(({ key }) => !values.has(key))
    return new Set(left.map(({ key }) => key)).size <= candidates.filter(hasNoKey).length ? [] : left
  })
}

function scalarsIn(written: JsonObject): string[] {
  const values = Object.values(written).flat()
  return values.flatMap((value) => (typeof value === 'object' ? [] : [String(value)]))
}

/** Tells whether the record has no unknown member, which could be its misspelled key. */
function hasNoKey({ type, written }: NamelessRecord): boolean {
  return Object.keys(written).every((name) => hasField(type, name))
}

/** Omits the path for an embedded item, because it names its target by `code` and not by the field of the link. */
function pointerInSource(pointer: string, type: RecordTypeName, path: readonly string[]): string {
  return pointer.startsWith(`/${type}/`) ? pointer + toPointer(path) : pointer
}

/**
 * Reports references to missing records. `keysOf` is called once for each type. Similar keys are suggested only for the
 * first missing keys, because each search compares all keys of a type.
 */
export function danglingDiagnostics(
  references: readonly ExternalReference[],
  keysOf: (type: RecordTypeName) => readonly string[],
): Diagnostic[] {
  const keys = new Map<RecordTypeName, readonly string[]>()
  const guesses = new Map<string, string>()
  const guessFor = ({ type, key }: RecordKey): string => {
    const id = recordId({ type, key })
    const known = guesses.get(id)
    if (known !== undefined || guesses.size >= MOST_GUESSES) return known ?? ''
    const candidates = keys.get(type) ?? keysOf(type)
    keys.set(type, candidates)
    const guess = didYouMean(key, candidates)
    guesses.set(id, guess)
    return guess
  }
  return references.map((reference) => danglingDiagnostic(reference, guessFor))
}

function danglingDiagnostic(reference: ExternalReference, guessFor: (record: RecordKey) => string): Diagnostic {
  const { type, key, from, pointer } = reference
  const { definition } = recordType(type)
  const name = quoted(key)
  if (isReserved({ type, key })) {
    const message = `${reservedText({ type, key })}, which the platform reserves and which may do everything. Name another ${definition}, or remove this`
    return { severity: 'error', code: 'dangling-reference', message, pointer }
  }
  const problem =
    from.type === ACCESS
      ? `there is no ${definition} ${name} in the models or on the platform: add it to ${type} or correct the grant.`
      : `no ${definition} ${name} exists: add it to ${type} or correct the reference.`
  return { severity: 'error', code: 'dangling-reference', message: problem + guessFor({ type, key }), pointer }
}
