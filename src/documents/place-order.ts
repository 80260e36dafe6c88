import type { Diagnostic } from '../lib/diagnostic.ts'

/** Sorts by file, line and column; what stands in no file comes first. */
export function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted(byPosition)
}

function byPosition(a: Diagnostic, b: Diagnostic): number {
  return compare(a.file ?? '', b.file ?? '') || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}

/** By code unit, so that the order is the same everywhere. */
export function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
