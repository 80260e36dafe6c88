import type { Diagnostic, SourcePosition } from '../../lib/diagnostic.ts'
import { fromPointer, toPointer } from '../../lib/pointer.ts'
import { splitKey } from '../../records/identity.ts'
import type { DocumentTypeName } from '../../records/record-type.ts'
import type { Settings } from '../../records/settings.ts'
import { decode } from './decode.ts'
import { fileFinder, locatePointers, type Sources } from '../locate.ts'
import { countFiles, documentOf, documentText, type MergedDocument } from './merge.ts'
import type { SourceFile } from './read-file.ts'

export interface LoadedDocument {
  /**
   * The merged import document, references resolved; unresolvable references in secrets are left as written. The values
   * are made when they are asked for first: who sends a document needs only its text.
   */
  readonly document: MergedDocument
  /** The same as JSON text in UTF-8, in pieces. */
  text(): Iterable<Uint8Array>
  readonly settings: Settings
  /** The number of files in which each record type is present. */
  readonly files: { readonly [type in DocumentTypeName]?: number }
  /** Sorted by place, as all that `inOrder` sorts. */
  readonly diagnostics: readonly Diagnostic[]
  /** Findings about the document that do not follow from those above. */
  isNews(found: Diagnostic): boolean
  /** Whether a key stands in a file that could not be read, so that the record may be described there. */
  mayBeUnread(key: string): boolean
  /**
   * Where pointers into the merged document, and into the lists of the settings, stand in the files: a member at its
   * key, a record at its first token, what is not there at its nearest ancestor. Only the files that are asked for are
   * read again.
   */
  locate(pointers: readonly string[]): ReadonlyMap<string, SourcePosition>
  /** Only the file that a pointer leads to. Reads nothing. */
  fileOf(pointer: string): string | undefined
}

/** What of the files is not in the document as it is written. */
export interface Gaps {
  /** Pointers into the document. */
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
  const damagedPlaces = new Set(damaged)
  const unreadTexts = unread.map(({ bytes }) => decode(bytes).text)
  return {
    get document() {
      return (document ??= documentOf(parts))
    },
    text: () => documentText(parts),
    settings,
    files: countFiles(parts),
    diagnostics,
    isNews: ({ pointer }) =>
      !fromPointer(pointer).some((_, at, path) => damagedPlaces.has(toPointer(path.slice(0, at + 1)))),
    // A file in another encoding has no text, and may describe any record.
    mayBeUnread: (key) => unreadTexts.some((text) => text === '' || splitKey(key).every((part) => text.includes(part))),
    locate: (pointers) => locatePointers(pointers, sources, maxDepth),
    fileOf: fileFinder(sources),
  }
}
