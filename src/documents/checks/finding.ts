import type { Diagnostic, Severity } from '../../lib/diagnostic.ts'

/** A mistake or a warning from reading one file. */
export interface Finding {
  /** Left out for an error. */
  readonly severity?: Severity
  readonly code: string
  readonly message: string
  /** The offset in UTF-16 code units from the start of the file's text. */
  readonly offset: number
  /** The value that cannot be stored as it is written, if the rest of the file can be read. */
  readonly value?: ValuePath
}

/** A value in a file: the index of its document, and its path from the root of that document. */
export interface ValuePath {
  readonly document: number
  readonly path: readonly string[]
}

export interface LineAndColumn {
  readonly line: number
  readonly column: number
}

/**
 * Turns findings into diagnostics, in the order of the text. They have the pointer of the whole document, because they
 * are about the file.
 */
export function fileDiagnostics(findings: readonly Finding[], file: string, text: string): Diagnostic[] {
  const positionAt = positionsIn(text)
  return findings
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ severity = 'error', code, message, offset }) => {
      return { severity, code, message, file, ...positionAt(offset), pointer: '' }
    })
}

/** Converts offsets in a text to lines and columns. Both count from 1, and columns count UTF-16 code units. */
export function positionsIn(text: string): (offset: number) => LineAndColumn {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    const line = lastNotAfter(starts, offset)
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 }
  }
}

/** The index of the last of the ascending `numbers` that is at most `limit`. The first must be. */
export function lastNotAfter(numbers: readonly number[], limit: number): number {
  let low = 0
  let high = numbers.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((numbers[middle] ?? 0) <= limit) low = middle
    else high = middle - 1
  }
  return low
}
