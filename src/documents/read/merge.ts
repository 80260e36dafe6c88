import { type Json, isObject } from '../../lib/json.ts'
import { toPointer } from '../../lib/pointer.ts'
import { counted } from '../../lib/counted.ts'
import { didYouMean } from '../../lib/suggest.ts'
import { ACCESS, isDocumentTypeName, DOCUMENT_TYPE_NAMES, type DocumentTypeName } from '../../records/record-type.ts'
import { NO_SETTINGS } from '../../records/settings.ts'
import type { FileFinding, SettingsLocation } from './file-positions.ts'
import type { ValuePath } from '../checks/finding.ts'
import type { ReadFile, SourceFile } from './read-file.ts'
import { WrittenList } from './written-list.ts'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import { MOST_FINDINGS } from '../found-in-text.ts'
import { recordType } from '../../records/registry.ts'
import { metadataTypesOf, NO_METADATA_RULES } from '../checks/metadata-rules.ts'
import type { RewrittenMetadata } from '../numbers/rewritten-numbers.ts'

/** A list of records of a file, as values or still as JSON text. */
export type FileList = readonly unknown[] | WrittenList

/** The location of a list of records of one type in the files and in the merged list. */
export interface PartLocation {
  readonly type: DocumentTypeName
  readonly file: SourceFile
  /** The index of the document in the file. */
  readonly document: number
  /** The index of the first record in the merged list. */
  readonly start: number
}

/** The part of a list that is kept. Keeping the values of thousands of files would need too much memory. */
interface Part extends PartLocation {
  readonly list: WrittenList
}

export type Parts = ReadonlyMap<DocumentTypeName, readonly Part[]>

/** Prepares a list for the merged document by resolving its references. */
export type FinishList = (list: FileList, location: PartLocation, file: ReadFile) => WrittenList

/** The grants of an export, which are next to its document. */
export interface FoundAccess {
  readonly values: unknown
  readonly location: SettingsLocation
}

/** Joins the lists of all files in the order in which the files are added. */
export class Merger {
  readonly parts = new Map<DocumentTypeName, Part[]>()
  readonly findings: FileFinding[] = []
  /** Pointers to values of the merged document that differ from the files. */
  readonly damaged: string[] = []
  readonly #finish: FinishList
  readonly #takesAccess: boolean
  #access: FoundAccess | undefined

  /** `takesAccess`: whether the files are an export, which contains grants too. */
  constructor(finish: FinishList, takesAccess = false) {
    this.#finish = finish
    this.#takesAccess = takesAccess
  }

  /** The grants of an export, not yet checked. */
  get access(): FoundAccess | undefined {
    return this.#access
  }

  add(file: ReadFile): void {
    const documents = file.documents.map((root, document) => ({ root, document }))
    const filled = documents.filter(({ root }) => root !== null)
    if (filled.length === 0 && file.diagnostics.length === 0) this.findings.push(emptyFile(file))
    const damaged = Map.groupBy(file.damaged, ({ document }) => document)
    for (const { root, document } of filled) this.#addDocument(file, document, root, damaged.get(document) ?? [])
  }

  #addDocument(file: ReadFile, document: number, root: unknown, damaged: readonly ValuePath[]): void {
    const pointers = new Set(damaged.map(({ path }) => toPointer(path)))
    const damagedLists = Map.groupBy(damaged, ({ path: [list] }) => list)
    const report = (path: readonly string[], code: string, message: string) => {
      const found = this.findings.length < MOST_FINDINGS ? { code, message } : TOO_MANY
      if (this.findings.length <= MOST_FINDINGS && !pointers.has(toPointer(path)))
        this.findings.push({ file: file.source, document, path, severity: 'error', ...found })
    }
    if (!isObject(root)) {
      report([], 'not-a-document', 'a models file is a mapping from record types to lists of records.')
      return
    }
    for (const [key, value] of Object.entries(root)) {
      if (key === '$schema') continue
      if (key === ACCESS && this.#takesAccess) {
        const values = value instanceof WrittenList ? value.values() : value
        this.#access ??= { values, location: { file: file.source, document } }
      } else if (!isDocumentTypeName(key)) report([key], 'unknown-key', unknownKeyMessage(key))
      else if (value === null) report([key], 'null-list', nullListMessage(key))
      else if (value instanceof WrittenList || Array.isArray(value)) {
        const start = this.#addList(file, document, key, value)
        this.#addDamaged(key, start, damagedLists.get(key) ?? [])
      } else report([key], 'not-a-list', `${key} must be a list of records, even if it has only one.`)
    }
  }

  #addList(file: ReadFile, document: number, type: DocumentTypeName, list: FileList): number {
    const parts = this.parts.get(type) ?? []
    const last = parts.at(-1)
    const start = last === undefined ? 0 : last.start + last.list.length
    const location = { type, file: file.source, document, start }
    parts.push({ ...location, list: this.#finish(list, location, file) })
    this.parts.set(type, parts)
    return start
  }

  #addDamaged(type: DocumentTypeName, start: number, values: readonly ValuePath[]): void {
    for (const { path } of values) {
      const [, index, ...rest] = path
      if (index !== undefined) this.damaged.push(toPointer([type, Number(index) + start, ...rest]))
    }
  }
}

const TOO_MANY = {
  code: 'too-many-findings',
  message: `there are more than ${MOST_FINDINGS} such mistakes, and the others are not shown; correct these first.`,
}

export const EMPTY_FILE = 'empty-file'

function emptyFile({ source }: ReadFile): FileFinding {
  const message = 'the file holds no records; remove it, or add some.'
  return { file: source, document: 0, path: [], severity: 'warning', code: EMPTY_FILE, message }
}

/** The message for models, and for documents that a client sent. */
export const ACCESS_IN_DOCUMENT =
  'access belongs in holdfast.yaml (by GraphQL: into the settings), not into the data model.'

function unknownKeyMessage(key: string): string {
  if (key === ACCESS) return ACCESS_IN_DOCUMENT
  if (Object.hasOwn(NO_SETTINGS, key)) return `${key} belongs in holdfast.yaml, next to the models.`
  const shown = JSON.stringify(key.length > 60 ? `${key.slice(0, 60)}…` : key)
  const guess = didYouMean(key, DOCUMENT_TYPE_NAMES)
  return `${shown} is no record type.${guess === '' ? ` The record types are ${DOCUMENT_TYPE_NAMES.join(', ')}.` : guess}`
}

function nullListMessage(key: string): string {
  return `${key} has no value. Remove the key to leave these records as they are (unmanaged), or write "${key}: []" to delete all of them.`
}

export type MergedDocument = { readonly [type in DocumentTypeName]?: readonly Json[] }

/** The values of the merged document, with its keys in the order of the specification. */
export function documentOf(parts: Parts): MergedDocument {
  const document: { [type in DocumentTypeName]?: readonly Json[] } = {}
  for (const type of DOCUMENT_TYPE_NAMES) {
    const list = parts.get(type)
    if (list !== undefined) document[type] = list.flatMap((part) => part.list.values())
  }
  return document
}

/** The merged document as JSON text in UTF-8, in pieces. */
export function* documentText(parts: Parts): Generator<Uint8Array> {
  let opening = '{'
  for (const type of DOCUMENT_TYPE_NAMES) {
    const filled = parts.get(type)?.filter(({ list }) => list.length > 0)
    if (filled === undefined) continue
    yield Buffer.from(`${opening}${JSON.stringify(type)}:[`)
    for (const [index, { list }] of filled.entries()) {
      if (index > 0) yield COMMA
      yield list.elements
    }
    yield CLOSING_BRACKET
    opening = ','
  }
  yield Buffer.from(opening === '{' ? '{}' : '}')
}

const COMMA = Buffer.from(',')
const CLOSING_BRACKET = Buffer.from(']')

/** The number of files that have each record type. */
export function countFiles(parts: Parts): { readonly [type in DocumentTypeName]?: number } {
  const counts: { [type in DocumentTypeName]?: number } = {}
  for (const [type, list] of parts) counts[type] = new Set(list.map(({ file }) => file)).size
  return counts
}

/** Keeps the first findings about metadata without a MetadataType in the document, and counts the others. */
export function untypedFindings(rewritten: readonly RewrittenMetadata[], parts: Parts): Diagnostic[] {
  if (rewritten.length === 0) return []
  const ruling = [...parts].filter(([type]) => recordType(type).metadataRule !== undefined)
  const { dataTypes } = metadataTypesOf(documentOf(new Map(ruling)), NO_METADATA_RULES)
  const untyped = rewritten.filter(({ entity, key }) => dataTypes(entity, key) === undefined)
  const found = untyped.slice(0, MOST_FINDINGS).map(({ diagnostic }) => diagnostic)
  const next = untyped[MOST_FINDINGS]?.diagnostic
  if (next === undefined) return found
  const message = `${counted(untyped.length - MOST_FINDINGS, 'metadata value')} from here on are kept as numbers, too; put them in quotes to keep them as they are written.`
  return [...found, { ...next, message }]
}
