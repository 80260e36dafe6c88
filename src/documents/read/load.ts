import { hasErrors, type Diagnostic } from '../../lib/diagnostic.ts'
import { toPointer } from '../../lib/pointer.ts'
import { NO_SETTINGS } from '../../records/settings.ts'
import { locatedDiagnostics, type FileFinding } from './file-positions.ts'
import { interpolate, type Interpolation, type ValueFinding, type ReferenceResolver } from './interpolate.ts'
import { loaded, type LoadedDocument } from './loaded-document.ts'
import { Merger, type FileList, type FinishList, type PartLocation, untypedFindings } from './merge.ts'
import { locatePointers } from '../locate.ts'
import { compare, inOrder } from '../locate-diagnostics.ts'
import type { RewrittenMetadata } from '../numbers/rewritten-numbers.ts'
import { readFile, type ReadFile, type SourceFile } from './read-file.ts'
import { isSecretPath, literalSecrets, type SecretFields, shownSecrets, type ReferenceUse } from './literal-secrets.ts'
import { isSettingsFile, readExportedAccess, readSettingsFiles, type ReadSettings } from './settings-file.ts'
import { WrittenList } from './written-list.ts'

export interface DocumentLimits {
  /** The maximum number of bytes of all files together. */
  readonly bytes: number
  /** The maximum number of levels of nested lists and mappings. */
  readonly depth: number
  /** The maximum number of values that YAML aliases may repeat in all files together. */
  readonly aliasedValues: number
}

export const DOCUMENT_LIMITS: DocumentLimits = { bytes: 64 * 1024 * 1024, depth: 100, aliasedValues: 1_000_000 }

interface LoadOptions {
  readonly secretFields: SecretFields
  readonly limits?: Partial<DocumentLimits>
  /** Whether the files are an export, which contains grants next to its import document; left out for models. */
  readonly isExport?: boolean
}

/** Reads files and merges them into one import document. They are sorted by path, so their order has no effect. */
export function loadDocument(
  files: readonly SourceFile[],
  resolver: ReferenceResolver,
  options: LoadOptions,
): LoadedDocument {
  const limits = { ...DOCUMENT_LIMITS, ...options.limits }
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (size > limits.bytes) return tooLarge(size, limits.bytes)
  const resolved: FileFinding[] = []
  const uses: ReferenceUse[] = []
  const resolving = { resolver, secretFields: options.secretFields, found: resolved, uses }
  const merger = new Merger(finishLists(resolving), options.isExport)
  const reading = readFiles(files, merger, limits)
  const settings = settingsIn(reading, limits.depth)
  const diagnostics = inOrder([
    ...settings.diagnostics,
    ...reading.diagnostics,
    ...locatedDiagnostics([...merger.findings, ...resolved], limits.depth),
    ...untypedFindings(reading.rewritten, merger.parts),
    ...located(shownSecrets(uses), merger, limits.depth),
  ])
  const unresolved = resolved.flatMap(({ severity, pointer = '' }) => (severity === 'error' ? [pointer] : []))
  const gaps = { damaged: [...merger.damaged, ...unresolved], unread: reading.unread }
  const location = settings.location && { ...settings.location, values: settings.settings }
  return loaded({ parts: merger.parts, settings: location }, settings.settings, diagnostics, gaps, limits.depth)
}

/** The content of the files. */
interface Reading {
  readonly merger: Merger
  readonly settingsFiles: ReadFile[]
  readonly diagnostics: Diagnostic[]
  readonly rewritten: RewrittenMetadata[]
  /** The files that could not be read. */
  readonly unread: SourceFile[]
}

/** Reads the files one by one, so that the values of each are freed before the next one is read. */
function readFiles(files: readonly SourceFile[], merger: Merger, limits: DocumentLimits): Reading {
  const reading: Reading = { merger, settingsFiles: [], diagnostics: [], rewritten: [], unread: [] }
  const aliases = { limit: limits.aliasedValues, left: limits.aliasedValues }
  for (const source of files.toSorted(byPath)) {
    const file = readFile(source, { maxDepth: limits.depth, aliases })
    if (isSettingsFile(source)) reading.settingsFiles.push(file)
    else addModels(reading, file)
  }
  return reading
}

function addModels({ merger, diagnostics, rewritten, unread }: Reading, file: ReadFile): void {
  merger.add(file)
  for (const diagnostic of file.diagnostics) diagnostics.push(diagnostic)
  for (const number of file.rewritten) rewritten.push(number)
  if (file.documents.length === 0 && hasErrors(file.diagnostics)) unread.push(file.source)
}

function settingsIn({ merger: { access }, settingsFiles }: Reading, maxDepth: number): ReadSettings {
  return access === undefined ? readSettingsFiles(settingsFiles, maxDepth) : readExportedAccess(access, maxDepth)
}

function byPath(a: SourceFile, b: SourceFile): number {
  return compare(a.path, b.path)
}

function tooLarge(size: number, limit: number): LoadedDocument {
  const message = `the files are ${size} bytes long together; the limit of an import document is ${limit}${limit === DOCUMENT_LIMITS.bytes ? ' (64 MiB)' : ''}. Move other record types to a directory of their own, which then is their owner; a single record type cannot be split`
  return loaded(
    { parts: new Map() },
    NO_SETTINGS,
    [{ severity: 'error', code: 'document-too-large', message, pointer: '' }],
    { damaged: [], unread: [] },
    0,
  )
}

/** Adds positions to findings about the merged document. */
function located(findings: readonly Diagnostic[], { parts }: Merger, maxDepth: number): Diagnostic[] {
  if (findings.length === 0) return []
  const pointers = findings.flatMap(({ pointer, related = [] }) => [pointer, ...related.map((other) => other.pointer)])
  const positions = locatePointers(pointers, { parts }, maxDepth)
  return findings.map((finding) => ({
    ...finding,
    ...positions.get(finding.pointer),
    related: (finding.related ?? []).map((other) => ({ ...other, ...positions.get(other.pointer) })),
  }))
}

interface Resolving {
  readonly resolver: ReferenceResolver
  readonly secretFields: SecretFields
  /** The findings about references. */
  readonly found: FileFinding[]
  readonly uses: ReferenceUse[]
}

/** Resolves the references of the lists that may contain some. */
function finishLists(resolving: Resolving): FinishList {
  return (list, location, { mayHoldReferences }) =>
    mayHoldReferences || resolving.secretFields.has(location.type)
      ? resolveList(list, location, resolving)
      : toText(list)
}

function toText(list: FileList): WrittenList {
  return list instanceof WrittenList ? list : WrittenList.of(list)
}

/** Searches for literal secrets first, because they cannot be distinguished from resolved ones. */
function resolveList(
  list: FileList,
  location: PartLocation,
  { resolver, secretFields, found, uses }: Resolving,
): WrittenList {
  const records = list instanceof WrittenList ? list.values() : [...list]
  const findings: ValueFinding[] = literalSecrets(location.type, records, secretFields)
  const isSecret = (path: ValueFinding['path']) => isSecretPath(path, secretFields)
  const file = location.file.path
  const use: Interpolation['use'] = (reference, path, isSecret) =>
    uses.push({ reference, file, pointer: pointerOf(location, path), isSecret })
  interpolate(records, { resolver, file, isSecret, findings, use }, [location.type])
  for (const finding of findings) found.push(inMergedDocument(location, finding))
  return WrittenList.of(records)
}

function inMergedDocument(location: PartLocation, { path, ...finding }: ValueFinding): FileFinding {
  const { file, document } = location
  return { ...finding, file, document, path: path.map(String), pointer: pointerOf(location, path) }
}

function pointerOf({ start }: PartLocation, [type = '', index, ...rest]: ValueFinding['path']): string {
  return toPointer([type, Number(index) + start, ...rest])
}
