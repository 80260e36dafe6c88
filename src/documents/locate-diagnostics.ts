import type { Diagnostic, SourcePosition } from '../lib/diagnostic.ts'

type Positions = ReadonlyMap<string, SourcePosition>

interface Located {
  locate(pointers: readonly string[]): Positions
}

/** Adds positions to the findings. All positions are searched at once. */
export function locateDiagnostics(diagnostics: readonly Diagnostic[], document: Located): readonly Diagnostic[] {
  return addPositions(diagnostics, findPositions(pointersOf(diagnostics), document))
}

/** The pointers of findings that have no position yet. */
export function pointersOf(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.flatMap(({ pointer, line, related = [] }) => [
    ...(line === undefined ? [pointer] : []),
    ...related.map((position) => position.pointer),
  ])
}

/** Finds positions. The empty pointer is the whole document and has no position. */
export function findPositions(pointers: readonly string[], document: Located): Positions {
  const wanted = new Set(pointers)
  wanted.delete('')
  return wanted.size === 0 ? new Map() : document.locate([...wanted])
}

export function addPositions(diagnostics: readonly Diagnostic[], positions: Positions): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const { pointer, line, related } = diagnostic
    const positioned = line === undefined ? { ...diagnostic, ...positions.get(pointer) } : diagnostic
    if (related === undefined) return positioned
    return { ...positioned, related: related.map((one) => ({ ...one, ...positions.get(one.pointer) })) }
  })
}

/** Sorts by file, line and column. Diagnostics without a file come first. */
export function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted(byPosition)
}

function byPosition(a: Diagnostic, b: Diagnostic): number {
  return compare(a.file ?? '', b.file ?? '') || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}

/** Compares code units, so that the order does not depend on the locale of the machine. */
export function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
