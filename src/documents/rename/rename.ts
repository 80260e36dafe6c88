import { canonicalText, isObject, parseJson as parsePlain, type JsonObject } from '../../lib/json.ts'
import { positionsIn } from '../checks/finding.ts'
import { parseJson } from '../json/parse-json.ts'
import { decode } from '../read/decode.ts'
import { DOCUMENT_LIMITS } from '../read/load.ts'
import { isJson, type SourceFile } from '../read/read-file.ts'
import { isSettingsFile } from '../read/settings-file.ts'
import { parseYaml } from '../yaml/parse-yaml.ts'
import { edited, rewritten, type Edit, writtenAt, writtenTrees, type WrittenNode } from './written-tree.ts'
import { addMovedEntry, movedEntry } from './moved-entry.ts'
import type { Renaming } from './new-key.ts'
import { isBack, objectsIn, placesIn, ruleChange, type Place } from './places.ts'

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

/** A file with its text and the values of its documents. */
interface Parsed {
  readonly source: SourceFile
  readonly text: string
  readonly documents: readonly unknown[]
}

/** Renames a record in all files that name it. Adds an entry to the settings that keeps its links and data. */
export function renameIn(files: readonly SourceFile[], settingsPath: string, renaming: Renaming): Renamed {
  const parsed = files.map(parse)
  const documents = parsed.flatMap((file) => file.documents.filter(isDocument))
  const rules = documents.map((document) => ruleChange(document, renaming)).find((change) => change !== null) ?? null
  const isReturn = documents.some((document) => objectsIn(document, 'moved').some(([one]) => isBack(one, renaming)))
  const settings = parsed.find(({ source }) => isSettingsFile(source))
  const made = parsed.map((file) => {
    const places = file.documents.map((document) => (isDocument(document) ? placesIn(document, renaming, rules) : []))
    return renameFile(file, places, file === settings && !isReturn ? renaming : null)
  })
  const added = settings === undefined && !isReturn ? [newSettings(settingsPath, renaming)] : []
  return {
    files: [...made.flatMap(({ file }) => file ?? []), ...added],
    problems: made.flatMap(({ problems }) => problems),
  }
}

function newSettings(path: string, renaming: Renaming): RenamedFile {
  return { path, text: `moved:\n  - ${movedEntry(renaming)}\n`, places: 0, isNew: true }
}

function parse(source: SourceFile): Parsed {
  const { text } = decode(source.bytes)
  return { source, text, documents: documentsOf(source, text) }
}

function documentsOf(source: SourceFile, text: string): readonly unknown[] {
  const { depth, aliasedValues } = DOCUMENT_LIMITS
  if (isJson(source)) return parseJson(text, depth).documents
  return parseYaml(text, depth, { limit: aliasedValues, left: aliasedValues }).documents
}

function isDocument(value: unknown): value is JsonObject {
  return isObject(value)
}

interface MadeFile {
  readonly file: RenamedFile | null
  readonly problems: readonly string[]
}

function renameFile(parsed: Parsed, places: readonly (readonly Place[])[], moved: Renaming | null): MadeFile {
  const { source, text, documents } = parsed
  const count = places.flat().length
  if (count === 0 && moved === null) return { file: null, problems: [] }
  const roots = writtenTrees(text, DOCUMENT_LIMITS.depth)
  const unreached: string[] = []
  const edits = places.flatMap((list, document) =>
    list.flatMap((place) => editOf(place, roots[document], parsed, unreached) ?? []),
  )
  if (moved !== null) edits.push(addMovedEntry(text, rootOf(roots, documents), moved))
  const made = edited(text, edits)
  if (isAsWanted(documentsOf(source, made), documents, places, moved))
    return { file: { path: source.path, text: made, places: count, isNew: false }, problems: [] }
  const unsafe = `${source.path}: it is written in a way that cannot be changed safely${byHand(moved)}`
  return { file: null, problems: unreached.length > 0 ? unreached : [unsafe] }
}

function byHand(moved: Renaming | null): string {
  return moved === null ? '' : `; write this entry below "moved" yourself, and then rename again: ${movedEntry(moved)}`
}

function rootOf(roots: readonly WrittenNode[], documents: readonly unknown[]): WrittenNode | undefined {
  return roots[documents.findIndex((document) => document !== null)]
}

/**
 * The edit of one place; null for an alias, whose anchor may be changed for another place too, and for a text of
 * several lines.
 */
function editOf(
  { path, text: wanted }: Place,
  root: WrittenNode | undefined,
  { source, text }: Parsed,
  unreached: string[],
): Edit | null {
  const node = root === undefined ? null : writtenAt(root, path)
  const edit = node?.kind === 'scalar' ? rewritten(node, wanted) : null
  if (edit !== null) return edit
  const { line, column } = positionsIn(text)(node?.start ?? 0)
  const where = node === null ? `${source.path}, ${path.join('.')}` : `${source.path}:${line}:${column}`
  unreached.push(`${where}: the name comes from an alias or a merge, or spans several lines; write it out in one line`)
  return null
}

/** Whether the new text has the wanted values and leaves all others unchanged. */
function isAsWanted(
  made: readonly unknown[],
  before: readonly unknown[],
  places: readonly (readonly Place[])[],
  moved: Renaming | null,
): boolean {
  const wanted: unknown[] = [...structuredClone(before)]
  places.forEach((list, document) => {
    for (const place of list) setAt(wanted[document], place)
  })
  if (moved !== null) addMoved(wanted, moved)
  return textOf(made) === textOf(wanted)
}

function addMoved(documents: unknown[], { type, from, to }: Renaming): void {
  const at = Math.max(
    0,
    documents.findIndex((document) => document !== null),
  )
  const root = isObject(documents[at]) ? documents[at] : {}
  const entries: unknown[] = Array.isArray(root['moved']) ? root['moved'] : []
  documents[at] = { ...root, moved: [...entries, { type, from, to }] }
}

function textOf(values: readonly unknown[]): string {
  return canonicalText(parsePlain(JSON.stringify(values)))
}

function setAt(root: unknown, { path, text }: Place): void {
  let parent: unknown = root
  for (const part of path.slice(0, -1)) parent = memberOf(parent, part)
  if (isObject(parent)) parent[path.at(-1) ?? ''] = text
}

function memberOf(parent: unknown, part: string | number): unknown {
  if (Array.isArray(parent)) return parent[Number(part)]
  return isObject(parent) ? parent[part] : undefined
}
