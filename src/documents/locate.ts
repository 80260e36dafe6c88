import type { SourcePosition } from '../lib/diagnostic.ts'
import { fromPointer } from '../lib/pointer.ts'
import { isRecordTypeName, type RecordTypeName } from '../records/record-type.ts'
import { placesOf, type FilePath } from './file-places.ts'
import { lastNotAfter } from './finding.ts'
import type { Parts } from './merge.ts'

/** Where pointers into the merged document stand in the files; those into types that are in no file are left out. */
export function locatePointers(
  pointers: readonly string[],
  parts: Parts,
  maxDepth: number,
): ReadonlyMap<string, SourcePosition> {
  const starts = startsOf(parts)
  const known = pointers.flatMap((pointer) => {
    const path = inFile(fromPointer(pointer), parts, starts)
    return path === null ? [] : [{ pointer, path }]
  })
  const places = placesOf(
    known.map(({ path }) => path),
    maxDepth,
  )
  const positions = new Map<string, SourcePosition>()
  known.forEach(({ pointer }, index) => {
    const place = places[index]
    if (place) positions.set(pointer, place)
  })
  return positions
}

/** Finds the file that a pointer leads to. */
export function fileFinder(parts: Parts): (pointer: string) => string | undefined {
  const starts = startsOf(parts)
  return (pointer) => inFile(fromPointer(pointer), parts, starts)?.file.path
}

function startsOf(parts: Parts): Starts {
  return new Map([...parts].map(([type, list]) => [type, list.map(({ start }) => start)]))
}

type Starts = ReadonlyMap<RecordTypeName, readonly number[]>

/** The list as a whole, and an index behind its end, are found at its key in the first file that has it. */
function inFile([type = '', index = '', ...rest]: readonly string[], parts: Parts, starts: Starts): FilePath | null {
  if (!isRecordTypeName(type)) return null
  const list = parts.get(type) ?? []
  const part = INDEX.test(index) ? list[lastNotAfter(starts.get(type) ?? [], Number(index))] : undefined
  const local = Number(index) - (part?.start ?? 0)
  if (part !== undefined && local < part.list.length) return { ...part, path: [type, String(local), ...rest] }
  return list[0] === undefined ? null : { ...list[0], path: [type] }
}

const INDEX = /^(?:0|[1-9]\d*)$/
