import type { Diagnostic, SourcePosition } from '../../lib/diagnostic.ts'
import { isWithin } from '../../lib/pointer.ts'
import { remembering } from '../../lib/remembering.ts'
import { splitKey } from '../../records/identity.ts'
import type { DocumentTypeName } from '../../records/record-type.ts'
import type { Settings } from '../../records/settings.ts'
import { decode } from './decode.ts'
import { fileFinder, locatePointers, type Sources } from '../locate.ts'
import { countFiles, documentOf, documentText, type MergedDocument } from './merge.ts'
import type { SourceFile } from './read-file.ts'

export interface LoadedDocument {
  /**
   * The merged import document with its references resolved; unresolvable references in secrets are left as they are
   * written. The values are made on first use, because sending a document needs only its text.
   */
  readonly document: MergedDocument
  /** The same document as JSON text in UTF-8, in pieces. */
  text(): Iterable<Uint8Array>
  readonly settings: Settings
  /** The number of records at the top of the lists, without those inside of others. */
  readonly records: number
  /** The number of files that have each record type. */
  readonly files: { readonly [type in DocumentTypeName]?: number }
  /** The findings, sorted by file, line and column. */
  readonly diagnostics: readonly Diagnostic[]
  /** Tells whether a finding about the document is not a consequence of the findings above. */
  isNews(found: Diagnostic): boolean
  /** Tells whether the key appears in a file that could not be read, so that the record may be described there. */
  mayBeUnread(key: string): boolean
  /**
   * Finds the positions in the files of pointers into the merged document and into the lists of the settings. A
   * member is found at its key, a record at its first token, and what does not exist at its nearest ancestor. Only
   * the files of these pointers are read again.
   */
  locate(pointers: readonly string[]): ReadonlyMap<string, SourcePosition>
  /** The file that a pointer leads to. This reads no file. */
  fileOf(pointer: string): string | undefined
}

/** The parts of the files that the document does not contain as they are written. */
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
  const unreadFiles = unread.map(({ bytes }) => {
    const { text } = decode(bytes)
    // A file in another encoding has no text, and may describe any record.
    return text === '' ? () => true : remembering((part: string) => text.includes(part))
  })
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
    mayBeUnread: (key) => unreadFiles.some((mayHave) => splitKey(key).every(mayHave)),
    locate: (pointers) => locatePointers(pointers, sources, maxDepth),
    fileOf: fileFinder(sources),
  }
}
