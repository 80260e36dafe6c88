import type { SourcePosition } from '../lib/diagnostic.ts'
import { fromPointer } from '../lib/pointer.ts'
import { ACCESS, isDocumentTypeName, type DocumentTypeName } from '../records/record-type.ts'
import { NO_SETTINGS, type Settings } from '../records/settings.ts'
import { positionsOf, type ValueLocation, type SettingsLocation } from './read/file-positions.ts'
import { lastNotAfter } from './checks/finding.ts'
import type { Parts } from './read/merge.ts'

/** The files of the merged document and of the settings. */
export interface Sources {
  readonly parts: Parts
  readonly settings?: (SettingsLocation & { readonly values: Settings }) | undefined
}

/** Finds the positions of pointers into the merged document. Pointers into types that occur in no file are left out. */
export function locatePointers(
  pointers: readonly string[],
  sources: Sources,
  maxDepth: number,
): ReadonlyMap<string, SourcePosition> {
  const find = pathFinder(sources)
  const known = pointers.flatMap((pointer) => {
    const path = find(fromPointer(pointer))
    return path === null ? [] : [{ pointer, path }]
  })
  const found = positionsOf(
    known.map(({ path }) => path),
    maxDepth,
  )
  const positions = new Map<string, SourcePosition>()
  known.forEach(({ pointer }, index) => {
    const position = found[index]
    if (position) positions.set(pointer, position)
  })
  return positions
}

/** Finds the file that a pointer leads to. */
export function fileFinder(sources: Sources): (pointer: string) => string | undefined {
  const find = pathFinder(sources)
  return (pointer) => find(fromPointer(pointer))?.file.path
}

function pathFinder({ parts, settings }: Sources): (path: readonly string[]) => ValueLocation | null {
  const starts = startsOf(parts)
  return (path) => {
    const [list = '', index] = path
    if (!isSettingsList(list)) return inFile(path, parts, starts)
    // Entries after the end come from no file: the command line adds some, and so does a rollback.
    const isThere = index === undefined || Number(index) < (settings?.values[list]?.length ?? 0)
    return settings === undefined || !isThere ? null : { file: settings.file, document: settings.document, path }
  }
}

/** No key of the settings is a key of the import document. */
function isSettingsList(key: string): key is Exclude<keyof Settings, 'isPartial'> {
  return key === ACCESS || Object.hasOwn(NO_SETTINGS, key)
}

function startsOf(parts: Parts): Starts {
  return new Map([...parts].map(([type, list]) => [type, list.map(({ start }) => start)]))
}

type Starts = ReadonlyMap<DocumentTypeName, readonly number[]>

/** Finds the file of a record. A pointer to a list, or beyond its end, leads to the type's key in its first file. */
function inFile(
  [type = '', index = '', ...rest]: readonly string[],
  parts: Parts,
  starts: Starts,
): ValueLocation | null {
  if (!isDocumentTypeName(type)) return null
  const list = parts.get(type) ?? []
  const part = INDEX.test(index) ? list[lastNotAfter(starts.get(type) ?? [], Number(index))] : undefined
  const local = Number(index) - (part?.start ?? 0)
  if (part !== undefined && local < part.list.length) return { ...part, path: [type, String(local), ...rest] }
  return list[0] === undefined ? null : { ...list[0], path: [type] }
}

const INDEX = /^(?:0|[1-9]\d*)$/
