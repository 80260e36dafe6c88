import { isObject, type JsonObject } from '../../lib/json.ts'
import { editText, readTexts } from '../edit/edit-text.ts'
import type { ValueEdit } from '../edit/value-edit.ts'
import type { SourceFile } from '../read/read-file.ts'
import { isSettingsFile } from '../read/settings-file.ts'
import type { Renaming } from './new-key.ts'
import { isBack, objectsIn, placesIn, ruleChange } from './places.ts'

export interface RenamedFile {
  readonly path: string
  readonly text: string
  /** The number of places that name the record. */
  readonly places: number
  readonly isNew: boolean
}

interface Renamed {
  readonly files: readonly RenamedFile[]
  /** The reasons why a person must help, each with its place. If there are any, no file may be written. */
  readonly problems: readonly string[]
}

/** A file with the values of its documents. */
interface Parsed {
  readonly source: SourceFile
  readonly documents: readonly unknown[]
}

/** Renames a record in all files that name it. Adds an entry to the settings that keeps its links and data. */
export function renameIn(files: readonly SourceFile[], settingsPath: string, renaming: Renaming): Renamed {
  const newFile = { source: { path: settingsPath, bytes: new Uint8Array() }, documents: [] }
  const parsed = files.map((source) => ({ source, documents: readTexts(source).documents }))
  const documents = parsed.flatMap((file) => file.documents.filter(isDocument))
  const rules = documents.map((document) => ruleChange(document, renaming)).find((change) => change !== null) ?? null
  const isReturn = documents.some((document) => objectsIn(document, 'moved').some(([one]) => isBack(one, renaming)))
  const settings = parsed.find(({ source }) => isSettingsFile(source))
  const made = parsed.map((file) => {
    const places = file.documents.flatMap((document, index) =>
      isDocument(document) ? placesIn(document, renaming, rules).map((place) => ({ ...place, document: index })) : [],
    )
    const edits = places.map(({ document, path, text: value }) => ({ kind: 'set' as const, document, path, value }))
    return renameFile(file, edits, file === settings && !isReturn ? [movedEdit(file, renaming)] : [])
  })
  if (settings === undefined && !isReturn) made.push(renameFile(newFile, [], [movedEdit(newFile, renaming)], true))
  return { files: made.flatMap(({ file }) => file ?? []), problems: made.flatMap(({ problems }) => problems) }
}

/** The edit that adds the entry of `moved`, which keeps the links and data of the record. */
function movedEdit({ documents }: Parsed, { type, from, to }: Renaming): ValueEdit {
  const document = Math.max(0, documents.findIndex(isDocument))
  const root = documents[document]
  const entries = isDocument(root) ? root['moved'] : undefined
  const entry = { type, from, to }
  if (!Array.isArray(entries)) return { kind: 'set', document, path: ['moved'], value: [entry] }
  return { kind: 'insert', document, path: ['moved', entries.length], value: entry }
}

function isDocument(value: unknown): value is JsonObject {
  return isObject(value)
}

interface MadeFile {
  readonly file: RenamedFile | null
  readonly problems: readonly string[]
}

function renameFile(
  { source }: Parsed,
  places: readonly ValueEdit[],
  moved: readonly ValueEdit[],
  isNew = false,
): MadeFile {
  if (places.length + moved.length === 0) return { file: null, problems: [] }
  const made = editText(source, [...places, ...moved])
  if ('problems' in made) return { file: null, problems: made.problems.map(({ message }) => message) }
  return { file: { path: source.path, text: made.text, places: places.length, isNew }, problems: [] }
}
