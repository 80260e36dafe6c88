import { paint, styled, type Line } from '../../lib/styled-line.ts'
import type { Diagnostic, RelatedPosition } from '../../lib/diagnostic.ts'
import { escapeUnseen } from '../../lib/visible-text.ts'
import { positionText } from './change-notes.ts'

/** Renders one line for each finding, `path:line:column: severity code: message`. Not wrapped, for tools. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], { color }: { readonly color: boolean }): string {
  return paint(diagnosticLines(diagnostics), color)
}

/** The lines of the findings: errors before warnings, otherwise in the given order. */
export function diagnosticLines(diagnostics: readonly Diagnostic[]): Line[] {
  return errorsFirst(diagnostics).map((diagnostic) => {
    const { severity, code } = diagnostic
    const position = diagnosticPosition(diagnostic)
    return [
      ...(position === '' ? [] : [styled(`${position}: `, 'dim')]),
      styled(severity, severity),
      ` ${escapeUnseen(code)}: ${diagnosticText(diagnostic)}`,
    ]
  })
}

export function errorsFirst(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [
    ...diagnostics.filter(({ severity }) => severity === 'error'),
    ...diagnostics.filter(({ severity }) => severity !== 'error'),
  ]
}

/** `models/a.yaml:3:5`; `3:5` if the text is no file; or else the pointer, which is empty for the whole document. */
export function diagnosticPosition({ file, line, column, pointer }: RelatedPosition): string {
  if (file === undefined) return line === undefined ? escapeUnseen(pointer) : `${line}:${column ?? 1}`
  return positionText({ file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) })
}

/** The message, and the other positions that the finding concerns. */
export function diagnosticText({ message, related = [] }: Diagnostic): string {
  const positions = related.map(diagnosticPosition).filter((position) => position !== '')
  return positions.length === 0 ? escapeUnseen(message) : `${escapeUnseen(message)} (first at ${positions.join(', ')})`
}
