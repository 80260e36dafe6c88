import { cellAt, type Cell } from '../../../datapoints/chunks/point-columns.ts'
import { numberText } from '../../../records/values/value.ts'
import { timestampText } from '../../../datapoints/wire/timestamp-text.ts'
import { shownCell } from '../reading/shown-cell.ts'
import { inPieces, SERIES_FIELDS, type ExportedPart } from './exported-part.ts'

/** Writes one datapoint per line, in the format of a request that sends datapoints. */
export function exportNdjson(parts: AsyncIterable<ExportedPart>): AsyncGenerator<Uint8Array> {
  return inPieces(ndjsonLines(parts))
}

async function* ndjsonLines(parts: AsyncIterable<ExportedPart>): AsyncGenerator<Iterable<string>> {
  for await (const part of parts) yield linesOf(part)
}

function* linesOf({ series, rules, columns: { at, values } }: ExportedPart): Generator<string> {
  const middle = SERIES_FIELDS.map((field) => `,"${field}":"${series[field]}"`).join('')
  for (let index = 0; index < at.length; index++) {
    const time = timestampText(at[index] ?? Number.NaN)
    yield `{"timestamp":"${time}"${middle},"value":${valueJson(cellAt(values, index), rules)}}\n`
  }
}

/** The JSON text of a value, in the form of the API. */
export function valueJson(value: Exclude<Cell, null>, rules: ExportedPart['rules']): string {
  if (typeof value === 'number') return numberText(value)
  return JSON.stringify(shownCell(value, rules))
}
