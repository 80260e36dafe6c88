import { hasErrors, type Diagnostic, type SourcePosition } from '../../lib/diagnostic.ts'
import { locatedDiagnostics } from './file-places.ts'
import { DOCUMENT_LIMITS } from './load.ts'
import { locatePointers } from '../locate.ts'
import { documentOf, EMPTY_FILE, Merger, type MergedDocument } from './merge.ts'
import { readFile } from './read-file.ts'
import { untypedFindings } from '../checks/untyped-metadata.ts'
import { WrittenList } from './written-list.ts'

/** An import document that came as text, by itself and not as a file beside others. */
export interface SentDocument {
  readonly document: MergedDocument
  /** What was found in the text. Errors keep it from being read as it is meant: the document is then not all of it. */
  readonly diagnostics: readonly Diagnostic[]
  /** Whether the text cannot be read at all, as what is not even JSON or YAML. */
  readonly isBroken: boolean
  /** Where pointers into the document stand in the text. */
  locate(pointers: readonly string[]): ReadonlyMap<string, SourcePosition>
}

/** A request whose body was lost on its way must not pass for a document that wants nothing. */
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

/** References such as ${env:NAME} stay as they are written: only the person who has the files can resolve them. */
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
