// Each column of many rows is one text parameter with a line for each row, so that any number of rows takes the same
// number of parameters. PostgreSQL's `string_to_array` splits them. Keys hold no control characters and JSON escapes
// them, so no value can hold the separator.

export function toLines(values: readonly string[]): string {
  return values.join('\n')
}

/**
 * SQL for rows of text columns from the parameters `$first`, `$first + 1`, …, one for each column. They are unnested in
 * the select list, where PostgreSQL makes row after row; in the from clause it would first write all of them to a
 * temporary file.
 */
export function fromLines(alias: string, columns: readonly string[], first: number): string {
  const values = columns.map((name, index) => `unnest(string_to_array($${first + index}, E'\\n')) as ${name}`)
  return `(select ${values.join(', ')}) as ${alias}`
}
