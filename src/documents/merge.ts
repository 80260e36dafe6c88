import type { Json } from '../lib/json.ts'
import { isObject } from '../lib/json.ts'
import { didYouMean } from '../lib/suggest.ts'
import { isRecordTypeName, RECORD_TYPE_NAMES, type RecordTypeName } from '../records/record-type.ts'
import { NO_SETTINGS } from '../records/settings.ts'
import type { FileFinding } from './file-places.ts'
import type { ReadFile } from './read-file.ts'

/** The records of one type in one document of one file, and where they stand in the merged list. */
export interface Part {
  readonly file: ReadFile
  /** The index of the document in the file. */
  readonly document: number
  readonly start: number
  readonly records: readonly unknown[]
}

export type Parts = ReadonlyMap<RecordTypeName, readonly Part[]>

export interface MergedFiles {
  readonly parts: Parts
  readonly findings: readonly FileFinding[]
}

/** Puts the lists of all files one behind the other, in the order of the files. */
export function mergeFiles(files: readonly ReadFile[]): MergedFiles {
  const parts = new Map<RecordTypeName, Part[]>()
  const findings: FileFinding[] = []
  for (const file of files) {
    const documents = file.documents.map((root, document) => ({ root, document }))
    const filled = documents.filter(({ root }) => root !== null)
    if (filled.length === 0 && file.diagnostics.length === 0) findings.push(emptyFile(file))
    for (const { root, document } of filled) addDocument(parts, findings, file, document, root)
  }
  return { parts, findings }
}

function emptyFile(file: ReadFile): FileFinding {
  const message = 'the file holds no records; remove it, or add some.'
  return { file, document: 0, path: [], severity: 'warning', code: 'empty-file', message }
}

function addDocument(
  parts: Map<RecordTypeName, Part[]>,
  findings: FileFinding[],
  file: ReadFile,
  document: number,
  root: unknown,
): void {
  const report = (path: readonly string[], code: string, message: string) =>
    findings.push({ file, document, path, severity: 'error', code, message })
  if (!isObject(root)) {
    report([], 'not-a-document', 'a models file is a mapping from record types to lists of records.')
    return
  }
  for (const [key, value] of Object.entries(root)) {
    if (key === '$schema') continue
    if (!isRecordTypeName(key)) report([key], 'unknown-key', unknownKeyMessage(key))
    else if (value === null) report([key], 'null-list', nullListMessage(key))
    else if (!Array.isArray(value))
      report([key], 'not-a-list', `${key} must be a list of records, even if it has only one.`)
    else addPart(parts, key, { file, document, records: value as readonly unknown[] })
  }
}

function addPart(parts: Map<RecordTypeName, Part[]>, type: RecordTypeName, part: Omit<Part, 'start'>): void {
  const list = parts.get(type)
  const last = list?.at(-1)
  const start = last === undefined ? 0 : last.start + last.records.length
  if (list === undefined) parts.set(type, [{ ...part, start }])
  else list.push({ ...part, start })
}

function unknownKeyMessage(key: string): string {
  if (Object.hasOwn(NO_SETTINGS, key)) return `${key} belongs in holdfast.yaml, beside the models.`
  const shown = JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key)
  const guess = didYouMean(key, RECORD_TYPE_NAMES)
  return `${shown} is no record type.${guess === '' ? ` The record types are ${RECORD_TYPE_NAMES.join(', ')}.` : guess}`
}

function nullListMessage(key: string): string {
  return `${key} has no value. Remove the key to leave these records as they are (unmanaged), or write "${key}: []" to delete all of them.`
}

export type MergedDocument = { readonly [type in RecordTypeName]?: readonly Json[] }

/** The merged document itself, its keys in the order of the specification. */
export function documentOf(parts: Parts): MergedDocument {
  const document: { [type in RecordTypeName]?: readonly Json[] } = {}
  for (const type of RECORD_TYPE_NAMES) {
    const list = parts.get(type)
    if (list !== undefined) document[type] = concatenate(list) as readonly Json[]
  }
  return document
}

function concatenate(parts: readonly Part[]): readonly unknown[] {
  const [only] = parts
  return only !== undefined && parts.length === 1 ? only.records : parts.flatMap(({ records }) => records)
}

/** In how many files each record type is present. */
export function countFiles(parts: Parts): { readonly [type in RecordTypeName]?: number } {
  const counts: { [type in RecordTypeName]?: number } = {}
  for (const [type, list] of parts) counts[type] = new Set(list.map(({ file }) => file)).size
  return counts
}
