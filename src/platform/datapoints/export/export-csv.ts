import { cellAt, type Cell } from '../../../datapoints/chunks/point-columns.ts'
import { numberText } from '../../../records/values/value.ts'
import { timestampText } from '../../../datapoints/wire/timestamp-text.ts'
import { inPieces, SERIES_FIELDS, type ExportedPart } from './exported-part.ts'

export interface CsvOptions {
  /**
   * Whether to put an apostrophe before text that a spreadsheet would run as a formula (docs/decisions/0038). The file
   * is then safe to open, but differs from the stored text. Numbers are never changed.
   */
  readonly guardFormulas: boolean
}

/** Writes RFC 4180, UTF-8, with a header. Values are as stored. JSON values and multiple options become JSON text. */
export function exportCsv(parts: AsyncIterable<ExportedPart>, options: CsvOptions): AsyncGenerator<Uint8Array> {
  return inPieces(csvLines(parts, options))
}

async function* csvLines(parts: AsyncIterable<ExportedPart>, options: CsvOptions): AsyncGenerator<Iterable<string>> {
  yield [`timestamp,${SERIES_FIELDS.join(',')},value\r\n`]
  for await (const part of parts) yield linesOf(part, options)
}

function* linesOf({ series, columns: { at, values } }: ExportedPart, options: CsvOptions): Generator<string> {
  const middle = SERIES_FIELDS.map((field) => `,${series[field]}`).join('')
  for (let index = 0; index < at.length; index++) {
    yield `${timestampText(at[index] ?? Number.NaN)}${middle},${csvCell(cellAt(values, index), options)}\r\n`
  }
}

export function csvCell(value: Exclude<Cell, null>, { guardFormulas }: CsvOptions): string {
  if (typeof value === 'number') return numberText(value)
  if (typeof value !== 'string') return String(value)
  const text = guardFormulas && FORMULA.test(value) ? `'${value}` : value
  return text === '' || NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

/** Matches text that spreadsheets read as a formula (OWASP, "CSV Injection"), even after skipped space. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/
