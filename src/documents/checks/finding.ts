import type { Diagnostic, Severity } from '../../lib/diagnostic.ts'

/** A mistake or a warning that was found while one file was read. */
export interface Finding {
  /** Left out for an error. */
  readonly severity?: Severity
  readonly code: string
  readonly message: string
  /** The offset in UTF-16 code units from the start of the file's text. */
  readonly offset: number
  /** The value that could not be read as it is written, where the rest of the file could be read. */
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
 * Turns findings into diagnostics, in the order of the text. They are about the file, so their pointer is that of the
 * whole document.
 */
export function fileDiagnostics(findings: readonly Finding[], file: string, text: string): Diagnostic[] {
  const positionAt = positionsIn(text)
  return findings
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ severity = 'error', code, message, offset }) => {
      return { severity, code, message, file, ...positionAt(offset), pointer: '' }
    })
}

/** Finds line and column of offsets in a text. Both count from 1, and columns count UTF-16 code units. */
export function positionsIn(text: string): (offset: number) => LineAndColumn {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    const line = lastNotAfter(starts, offset)
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 }
  }
}

/**
 * The index of the last of the ascending `numbers` that is not greater than `limit`. The first number must not be
 * greater.
 */
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
