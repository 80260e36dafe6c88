import type { Diagnostic, SourcePosition } from '../lib/diagnostic.ts'
import { toPointer } from '../lib/pointer.ts'
import type { RecordTypeName } from '../records/record-type.ts'
import { NO_SETTINGS, type Settings } from '../records/settings.ts'
import { locatedDiagnostics, type FileFinding } from './file-places.ts'
import { interpolate, type ValueFinding } from './interpolate.ts'
import { locatePointers } from './locate.ts'
import { countFiles, documentOf, mergeFiles, type MergedDocument, type Part, type Parts } from './merge.ts'
import { isJson, readFile, type ReadFile, type SourceFile } from './read-file.ts'
import type { ReferenceResolver } from './resolver.ts'
import { isSecretPath, literalSecrets, type SecretFields } from './secrets.ts'
import { isSettingsFile, readSettings } from './settings.ts'

export type { ReferenceResolver, SecretFields, SourceFile }

export interface DocumentLimits {
  /** Of all files together. */
  readonly bytes: number
  /** Levels of lists and mappings inside each other. */
  readonly depth: number
  /** Values that aliases of YAML repeat, in all files together. */
  readonly aliasedValues: number
}

export const DOCUMENT_LIMITS: DocumentLimits = { bytes: 64 * 1024 * 1024, depth: 100, aliasedValues: 1_000_000 }

export interface LoadOptions {
  readonly secretFields: SecretFields
  readonly limits?: Partial<DocumentLimits>
}

export interface LoadedDocument {
  /** The merged import document, references resolved; unresolvable references in secrets are left as written. */
  readonly document: MergedDocument
  /** The same as JSON text in UTF-8 where one file alone says it, so that nobody needs to write it again. */
  readonly written: Uint8Array | null
  readonly settings: Settings
  /** In how many files each record type is present. */
  readonly files: { readonly [type in RecordTypeName]?: number }
  /** A file with an error of its own is left out of the document, so what refers to it cannot be judged. */
  readonly diagnostics: readonly Diagnostic[]
  /**
   * Where pointers into the merged document stand in the files: a member at its key, a record at its first token, what
   * is not there at its nearest ancestor. Reads again only the files that are asked for.
   */
  locate(pointers: readonly string[]): ReadonlyMap<string, SourcePosition>
}

/** Reads files and merges them into one import document. The order of `files` does not matter: their paths are sorted. */
export function loadDocument(
  files: readonly SourceFile[],
  resolver: ReferenceResolver,
  options: LoadOptions,
): LoadedDocument {
  const limits = { ...DOCUMENT_LIMITS, ...options.limits }
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (size > limits.bytes) return tooLarge(size, limits.bytes)

  const aliases = { limit: limits.aliasedValues, left: limits.aliasedValues }
  const read = files.toSorted(byPath).map((file) => readFile(file, { maxDepth: limits.depth, aliases }))
  const models = read.filter(({ source }) => !isSettingsFile(source))
  const settings = readSettings(
    read.filter(({ source }) => isSettingsFile(source)),
    limits.depth,
  )
  const { parts, findings } = mergeFiles(models)
  const resolved = resolveReferences(parts, resolver, options.secretFields)
  const diagnostics = [
    ...settings.diagnostics,
    ...models.flatMap((file) => file.diagnostics),
    ...locatedDiagnostics([...findings, ...resolved], limits.depth),
  ]
  return {
    document: documentOf(parts),
    written: models.length === 1 && models[0] !== undefined ? asWritten(models[0]) : null,
    settings: settings.settings,
    files: countFiles(parts),
    diagnostics: diagnostics.toSorted(byPosition),
    locate: (pointers) => locatePointers(pointers, parts, limits.depth),
  }
}

function asWritten(file: ReadFile): Uint8Array | null {
  const { source, documents, diagnostics, mayHoldReferences } = file
  const isWhole = isJson(source) && documents.length === 1 && diagnostics.length === 0 && !mayHoldReferences
  return isWhole && source.bytes[0] === OPENING_BRACE ? source.bytes : null
}

/** What a JSON object begins with, unless white space or a byte order mark comes first. */
const OPENING_BRACE = 0x7b

function byPath(a: SourceFile, b: SourceFile): number {
  return compare(a.path, b.path)
}

/** By code unit, so that the order is the same everywhere. */
function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function byPosition(a: Diagnostic, b: Diagnostic): number {
  return compare(a.file ?? '', b.file ?? '') || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}

function tooLarge(size: number, limit: number): LoadedDocument {
  const message = `the files are ${size} bytes long together; at most ${limit} can be read. Split the models into several directories.`
  const diagnostics: Diagnostic[] = [{ severity: 'error', code: 'document-too-large', message, pointer: '' }]
  return { document: {}, written: null, settings: NO_SETTINGS, files: {}, diagnostics, locate: () => new Map() }
}

function resolveReferences(parts: Parts, resolver: ReferenceResolver, secretFields: SecretFields): FileFinding[] {
  return [...parts].flatMap(([type, list]) => list.flatMap((part) => resolvePart(type, part, resolver, secretFields)))
}

/** Literal secrets are looked for first: once resolved, all secrets look alike. */
function resolvePart(
  type: RecordTypeName,
  part: Part,
  resolver: ReferenceResolver,
  secretFields: SecretFields,
): FileFinding[] {
  const findings: ValueFinding[] = literalSecrets(type, part.records, secretFields)
  if (part.file.mayHoldReferences) {
    const isSecret = (path: ValueFinding['path']) => isSecretPath(path, secretFields)
    interpolate(part.records as unknown[], { resolver, file: part.file.source.path, isSecret, findings }, [type])
  }
  return findings.map(({ path, ...finding }) => inMergedDocument(part, path, finding))
}

function inMergedDocument(part: Part, path: ValueFinding['path'], finding: Omit<ValueFinding, 'path'>): FileFinding {
  const [type = '', index, ...rest] = path
  const pointer = toPointer([type, Number(index) + part.start, ...rest])
  return { ...finding, file: part.file, document: part.document, path: path.map(String), pointer }
}
