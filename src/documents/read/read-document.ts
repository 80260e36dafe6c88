import validators from '../../../generated/validators.cjs'
import schema from '../../../schemas/import-document.schema.json' with { type: 'json' }
import type { Diagnostic } from '../../lib/diagnostic.ts'
import { isObject, type Json } from '../../lib/json.ts'
import { canonicalRecord } from '../../records/canonical.ts'
import { MOST_ERRORS, schemaDiagnostics } from '../../records/schema-findings/schema-error.ts'
import { ACCESS, isDocumentTypeName, PLANNED_TYPE_NAMES, type DocumentTypeName } from '../../records/record-type.ts'
import type { Settings } from '../../records/settings.ts'
import { buildSnapshot } from '../build-snapshot.ts'
import { ACCESS_IN_DOCUMENT, type MergedDocument } from './merge.ts'
import { danglingReferences, type Excuse, type ExternalReference } from '../checks/dangling.ts'
import { flawsOf } from '../checks/flaws.ts'
import { MetadataChecker, metadataTypesOf, NO_METADATA_RULES, type MetadataRules } from '../checks/metadata-rules.ts'
import { checkRecords } from '../checks/record-rules.ts'
import type { Snapshot } from '../snapshot.ts'

export interface DocumentReading {
  /** After errors, it contains only the sound part of each record. Plans need a reading without errors. */
  readonly snapshot: Snapshot
  readonly diagnostics: readonly Diagnostic[]
  /** References to types that the document does not manage. Only the platform can resolve them. */
  readonly external: readonly ExternalReference[]
  /** The metadata types of the document or, if it does not manage them, of the platform. */
  readonly metadata: MetadataRules
  /** For a rollback: the later changes of records that the rollback would overwrite, by their present `type/key`. */
  readonly overwritten?: ReadonlyMap<string, string>
}

/**
 * Validates a merged import document and builds its snapshot, together with the grants of valid settings. All findings
 * are in document order. `excused` tells which missing records may be described elsewhere.
 */
export function readDocument(
  document: unknown,
  liveMetadata: MetadataRules = NO_METADATA_RULES,
  access?: Settings['access'],
  excused: Excuse = () => false,
): DocumentReading {
  const structural = structuralDiagnostics(document)
  const { isOwn: isUnusable, inside: flaws } = flawsOf(structural)
  if (!isObject(document) || isUnusable)
    return { snapshot: new Map(), diagnostics: structural, external: [], metadata: liveMetadata }
  const usable = { ...listsOf(document), ...(access !== undefined && { [ACCESS]: access }) }
  const metadata = metadataTypesOf(usable, liveMetadata, flaws)
  const checker = new MetadataChecker(metadata)
  const { snapshot, nameless, diagnostics } = buildSnapshot(usable, metadata.dataTypes, flaws, (...record) =>
    checker.check(...record),
  )
  for (const { type, body, pointer, depth } of nameless)
    checker.checkAt(type, depth, pointer, canonicalRecord(type, body, metadata.dataTypes, depth).body, body)
  const references = danglingReferences(snapshot, excused, nameless)
  const found = [
    ...structural,
    ...checkRecords(usable, flaws),
    ...diagnostics,
    ...checker.diagnostics,
    ...references.diagnostics,
  ]
  return { snapshot, diagnostics: inDocumentOrder(found), external: references.external, metadata }
}

/** The deepest nesting that is read. Models are much flatter, and the stack allows much more. */
export const DEEPEST = 100

function structuralDiagnostics(document: unknown): readonly Diagnostic[] {
  if (isDeeperThan(document, DEEPEST)) {
    const message = `the document is nested more than ${DEEPEST} levels deep; a model never needs that`
    return [{ severity: 'error', code: 'nested-too-deeply', message, pointer: '' }]
  }
  if (validators.importDocument(document)) return []
  const errors = validators.importDocument.errors ?? []
  const found = schemaDiagnostics(errors, document, schema).map(explainAccess)
  return errors.length > MOST_ERRORS ? [...found, NOT_ALL] : found
}

/** Its pointer excludes the document from all further checks, because parts of it have not been validated. */
const NOT_ALL: Diagnostic = {
  severity: 'error',
  code: 'too-many-findings',
  message: 'the document has too many mistakes to list, so the rest of it was not checked; correct the others first.',
  pointer: '',
}

/** Explains where grants belong, which helps more than the schema's list of known keys. */
function explainAccess(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.pointer === `/${ACCESS}` ? { ...diagnostic, message: ACCESS_IN_DOCUMENT } : diagnostic
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (isDeeperThan(value[index], levels - 1)) return true
    return false
  }
  if (!isObject(value)) return false
  // `Object.values` would allocate an array for every object, which costs more than validating the document.
  for (const key in value) if (isDeeperThan(value[key], levels - 1)) return true
  return false
}

function listsOf(document: { readonly [name: string]: unknown }): MergedDocument {
  const lists: { [name in DocumentTypeName]?: readonly Json[] } = {}
  for (const [name, value] of Object.entries(document))
    if (isDocumentTypeName(name) && Array.isArray(value)) lists[name] = value
  return lists
}

function inDocumentOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length < 2) return diagnostics
  return diagnostics
    .map((diagnostic) => ({ diagnostic, order: orderOf(diagnostic) }))
    .sort((a, b) => a.order.type - b.order.type || a.order.index - b.order.index)
    .map(({ diagnostic }) => diagnostic)
}

function orderOf({ pointer }: Diagnostic): { type: number; index: number } {
  const [, type = '', index = '-1'] = pointer.split('/')
  return { type: PLANNED_TYPE_NAMES.findIndex((name) => name === type), index: Number(index) }
}
