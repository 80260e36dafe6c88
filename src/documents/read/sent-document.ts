import { hasErrors, type Diagnostic, type SourcePosition } from '../../lib/diagnostic.ts'
import { locatedDiagnostics } from './file-positions.ts'
import { DOCUMENT_LIMITS } from './load.ts'
import { locatePointers } from '../locate.ts'
import { documentOf, EMPTY_FILE, Merger, type MergedDocument } from './merge.ts'
import { readFile } from './read-file.ts'
import { untypedFindings } from '../checks/untyped-metadata.ts'
import { WrittenList } from './written-list.ts'

/** An import document that a client sent as text, rather than as files. */
export interface SentDocument {
  readonly document: MergedDocument
  /** The findings about the text. After errors the document is not complete. */
  readonly diagnostics: readonly Diagnostic[]
  /** Whether the text cannot be read at all, because it is neither JSON nor YAML. */
  readonly isBroken: boolean
  /** Finds the positions in the text of pointers into the document. */
  locate(pointers: readonly string[]): ReadonlyMap<string, SourcePosition>
}

/**
 * A request without a body is refused, because its body was probably lost. It must not pass for a document that
 * manages nothing.
 */
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
  locate: () => new Map(),
}

const { depth, aliasedValues } = DOCUMENT_LIMITS

/**
 * Reads a sent document. References such as ${env:NAME} stay as they are written, because only the author's machine
 * can resolve them.
 */
export function readSentDocument(bytes: Uint8Array, form: 'json' | 'yaml'): SentDocument {
  const file = readFile(
    { path: `document.${form}`, bytes },
    { maxDepth: depth, aliases: { limit: aliasedValues, left: aliasedValues } },
  )
  const merger = new Merger((list) => (list instanceof WrittenList ? list : WrittenList.of(list)))
  merger.add(file)
  const { parts, findings } = merger
  if (findings.some(({ code }) => code === EMPTY_FILE)) return NO_DOCUMENT
  return {
    document: documentOf(parts),
    diagnostics: [
      ...file.diagnostics,
      ...locatedDiagnostics(findings, depth),
      ...untypedFindings(file.rewritten, parts),
    ],
    isBroken: file.documents.length === 0 && hasErrors(file.diagnostics),
    locate: (pointers) => locatePointers(pointers, { parts }, depth),
  }
}
