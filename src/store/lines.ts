// Columns of many rows travel as one text parameter each, a line per row: a fixed number of parameters for any number
// of rows, split by PostgreSQL's `string_to_array`. Keys hold no control characters and JSON escapes them, so no value
// can hold the separator.

export function toLines(values: readonly string[]): string {
  return values.join('\n')
}

/**
 * Rows of text columns from parameters `$first`, `$first + 1`, …, one for each column. Unnested in the select list, where
 * PostgreSQL makes row after row; in the from clause it would first write all of them to a temporary file.
 */
export function fromLines(alias: string, columns: readonly string[], first: number): string {
  const values = columns.map((name, index) => `unnest(string_to_array($${first + index}, E'\\n')) as ${name}`)
  return `(select ${values.join(', ')}) as ${alias}`
}
