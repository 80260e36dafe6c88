import type { Diagnostic } from '../lib/diagnostic.ts'

/** Sorts by file, line and column. Diagnostics without a file come first. */
export function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted(byPosition)
}

function byPosition(a: Diagnostic, b: Diagnostic): number {
  return compare(a.file ?? '', b.file ?? '') || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}

/** Compares code units, so that the order does not depend on the machine. */
export function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
