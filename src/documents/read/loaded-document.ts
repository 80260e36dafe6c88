import type { Diagnostic, SourcePosition } from '../../lib/diagnostic.ts'
import { isWithin } from '../../lib/pointer.ts'
import { splitKey } from '../../records/identity.ts'
import type { DocumentTypeName } from '../../records/record-type.ts'
import type { Settings } from '../../records/settings.ts'
import { decode } from './decode.ts'
import { fileFinder, locatePointers, type Sources } from '../locate.ts'
import { countFiles, documentOf, documentText, type MergedDocument } from './merge.ts'
import type { SourceFile } from './read-file.ts'

export interface LoadedDocument {
  /**
   * The merged import document with resolved references. References in secrets that cannot be resolved stay as written.
   * The values are created on first use, because sending a document needs only its text.
   */
  readonly document: MergedDocument
  /** The same document as JSON text in UTF-8, in pieces. */
  text(): Iterable<Uint8Array>
  readonly settings: Settings
  /** The number of records at the top level of the lists. */
  readonly records: number
  /** The number of files that have each record type. */
  readonly files: { readonly [type in DocumentTypeName]?: number }
  /** The findings, sorted by file, line and column. */
  readonly diagnostics: readonly Diagnostic[]
  /** Tells whether a finding about the document has a cause of its own, and does not follow from the findings above. */
  isNews(found: Diagnostic): boolean
  /** Tells whether the key appears in an unreadable file, which may describe the record. */
  mayBeUnread(key: string): boolean
  /**
   * Finds the positions of pointers into the merged document and into the lists of the settings. A member has the
   * position of its key, and a record the position of its first token. A missing value has the position of its nearest
   * ancestor. Only the files concerned are read again.
   */
  locate(pointers: readonly string[]): ReadonlyMap<string, SourcePosition>
  /** The file that a pointer leads to. No file is read for this. */
  fileOf(pointer: string): string | undefined
}

/** The parts of the files that are not in the document as written. */
interface Gaps {
  /** JSON Pointers into the document. */
  readonly damaged: readonly string[]
  readonly unread: readonly SourceFile[]
}

export function loaded(
  sources: Sources,
  settings: Settings,
  diagnostics: readonly Diagnostic[],
  { damaged, unread }: Gaps,
  maxDepth: number,
): LoadedDocument {
  const { parts } = sources
  let document: MergedDocument | undefined
  const damagedPointers = new Set(damaged)
  const unreadFiles = unread.map(({ bytes }) => mayHave(decode(bytes).text))
  return {
    get document() {
      return (document ??= documentOf(parts))
    },
    text: () => documentText(parts),
    settings,
    records: [...parts.values()].flat().reduce((sum, { list }) => sum + list.length, 0),
    files: countFiles(parts),
    diagnostics,
    isNews: ({ pointer }) => !isWithin(pointer, damagedPointers),
    mayBeUnread: (key) => unreadFiles.some((has) => splitKey(key).every(has)),
    locate: (pointers) => locatePointers(pointers, sources, maxDepth),
    fileOf: fileFinder(sources),
  }
}

const WORD = /[^\s"',:[\]{}\\]+/g

/** Finds values in the text of an unreadable file by their words, which are collected once: many keys may be missing. */
function mayHave(text: string): (value: string) => boolean {
  // A file in another encoding has no text, and may describe any record.
  if (text === '') return () => true
  let words: Set<string> | undefined
  return (value) => {
    const known = (words ??= new Set(text.matchAll(WORD).map(([word]) => word)))
    return value.match(WORD)?.every((word) => known.has(word)) ?? true
  }
}
