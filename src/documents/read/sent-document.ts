import { hasErrors, type Diagnostic, type SourcePosition } from '../../lib/diagnostic.ts'
import { isWithin, toPointer } from '../../lib/pointer.ts'
import { NO_METADATA_RULES } from '../checks/metadata-rules.ts'
import { locatedDiagnostics, type FileFinding } from './file-positions.ts'
import { DOCUMENT_LIMITS } from './load.ts'
import { locatePointers } from '../locate.ts'
import { documentOf, EMPTY_FILE, Merger, type MergedDocument, untypedFindings } from './merge.ts'
import { readDocument } from './read-document.ts'
import { readFile } from './read-file.ts'
import { WrittenList } from './written-list.ts'

/** An import document that a client sent as text. */
export interface SentDocument {
  readonly document: MergedDocument
  /** The findings about the text. After errors, the document is incomplete. */
  readonly diagnostics: readonly Diagnostic[]
  /** Whether the text cannot be read at all, because it is neither JSON nor YAML. */
  readonly isBroken: boolean
  /** Tells whether a finding about the document does not follow from the findings about the text. */
  isNews(found: Diagnostic): boolean
  /** Finds the positions in the text of pointers into the document. */
  locate(pointers: readonly string[]): ReadonlyMap<string, SourcePosition>
}

/** Rejects a request without a body, which was probably lost. It is no document that manages nothing. */
const NO_DOCUMENT: SentDocument = {
  document: {},
  diagnostics: [
    {
      severity: 'error',
      code: 'no-document',
      message: 'the body holds no import document; send one, which is {} where it manages nothing',
      pointer: '',
    },
  ],
  isBroken: true,
  isNews: () => false,
  locate: () => new Map(),
}

const { depth, aliasedValues } = DOCUMENT_LIMITS

/** Reads a sent document. References like ${env:NAME} stay as written, which only the author's machine can resolve. */
export function readSentDocument(bytes: Uint8Array, form: 'json' | 'yaml'): SentDocument {
  const file = readFile(
    { path: `document.${form}`, bytes },
    { maxDepth: depth, aliases: { limit: aliasedValues, left: aliasedValues } },
  )
  const merger = new Merger((list) => (list instanceof WrittenList ? list : WrittenList.of(list)))
  merger.add(file)
  const { parts, findings } = merger
  const damaged = new Set(merger.damaged)
  if (findings.some(({ code }) => code === EMPTY_FILE)) return NO_DOCUMENT
  return {
    document: documentOf(parts),
    diagnostics: [
      ...file.diagnostics,
      ...locatedDiagnostics(findings.map(inDocument), depth),
      ...untypedFindings(file.rewritten, parts),
    ],
    isBroken: file.documents.length === 0 && hasErrors(file.diagnostics),
    isNews: ({ pointer }) => !isWithin(pointer, damaged),
    locate: (pointers) => locatePointers(pointers, { parts }, depth),
  }
}

/** A finding about a key gets a pointer to that key, because the sender knows only the document and not a file. */
function inDocument(finding: FileFinding): FileFinding {
  return { pointer: toPointer(finding.path), ...finding }
}

/**
 * After an error in the text or in its settings (`found`), no plan is made. So the findings about the records are added
 * here, and the author gets all findings at once.
 */
export function withRecordFindings(sent: SentDocument, found: readonly Diagnostic[]): readonly Diagnostic[] {
  if (sent.isBroken || !hasErrors(found)) return found
  const { diagnostics } = readDocument(sent.document, NO_METADATA_RULES)
  return [...found, ...diagnostics.filter((finding) => sent.isNews(finding))]
}
