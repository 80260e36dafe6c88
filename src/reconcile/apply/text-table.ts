import { displayWidth, padToWidth } from '../../lib/display-width.ts'
import { escapeUnseen } from '../../lib/visible-text.ts'

/** Columns under their headings, as wide as they need to be. */
export function textTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [headings, ...rows.map((row) => row.map(escapeUnseen))]
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => displayWidth(row[column] ?? ''))))
  return cells
    .map((row) =>
      row
        .map((cell, column) => padToWidth(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('')
}

export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const body = rows.map((row) => markdownRow(row.map(markdownCell)))
  return markdownRow(headings) + markdownRow(headings.map(() => '---')) + body.join('')
}

function markdownRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}

/** As code, so that nothing in it is a link, a mention or markup; a fence longer than any run of backticks inside. */
function markdownCell(text: string): string {
  if (text === '') return ''
  const shown = escapeUnseen(text).replaceAll('|', '\\|')
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? fence + shown + fence : `${fence} ${shown} ${fence}`
}
