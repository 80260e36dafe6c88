import { displayWidth } from '../../../lib/display-width.ts'
import type { Diagnostic } from '../../../lib/diagnostic.ts'
import { styled, wrapLine, type Line } from '../../../lib/styled-line.ts'
import { escapeUnseen } from '../../../lib/visible-text.ts'
import { diagnosticPosition, diagnosticText, errorsFirst } from '../render-diagnostics.ts'

/** The text of one line of a file; null if it must not or cannot be shown. Lines count from 1. */
export type SourceLine = (file: string, line: number) => string | null

interface FindingStyle {
  /** In terminal columns. */
  readonly width: number
  readonly sourceLine: SourceLine
}

/** At most this many equal findings are named by their lines. */
const MOST_PLACES = 8
/** A long source line is cut so that this many columns before the finding stay. */
const COLUMNS_BEFORE = 24

/**
 * Renders findings for a person: errors first, equal findings of one file once, and each with its source line. Tools
 * read the output of `renderDiagnostics`.
 */
export function findingLines(diagnostics: readonly Diagnostic[], style: FindingStyle): Line[] {
  const groups = Map.groupBy(errorsFirst(diagnostics), ({ file, severity, code, message }) =>
    [file, severity, code, message].join('\0'),
  )
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [...oneFinding(first, style), ...alsoAt(others, style.width), []],
  )
}

function oneFinding(diagnostic: Diagnostic, { width, sourceLine }: FindingStyle): Line[] {
  const { severity, code, file, line, column = 1 } = diagnostic
  const position = diagnosticPosition(diagnostic)
  const source = file === undefined || line === undefined ? null : sourceLine(file, line)
  return [
    [...(position === '' ? [] : [position, '  ']), styled(severity, severity), '  ', styled(escapeUnseen(code), 'dim')],
    ...(source === null || line === undefined ? [] : excerpt({ source, line, column }, width)),
    ...wrapLine(['  ', diagnosticText(diagnostic)], width, 2),
  ]
}

/** The source line below its number, and a mark below the place. */
function excerpt({ source, line, column }: { source: string; line: number; column: number }, width: number): Line[] {
  const margin = `  ${line} | `
  const room = Math.max(COLUMNS_BEFORE * 2, width - margin.length)
  const start = displayWidth(source) <= room ? 0 : Math.max(0, column - 1 - COLUMNS_BEFORE)
  const shown = escapeUnseen(source.slice(start, start + room)).trimEnd()
  const before = displayWidth(escapeUnseen(source.slice(start, column - 1)))
  return [
    [styled(margin, 'dim'), shown],
    [styled(`${' '.repeat(margin.length - 2)}| `, 'dim'), ' '.repeat(before), styled('^', 'error')],
  ]
}

function alsoAt(others: readonly Diagnostic[], width: number): Line[] {
  if (others.length === 0) return []
  const lines = others.slice(0, MOST_PLACES).map(({ line }) => line ?? '?')
  const more = others.length > lines.length ? ', …' : ''
  const text = `and ${others.length} more of the same in this file: ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`
  return wrapLine(['  ', styled(text, 'dim')], width, 2)
}
