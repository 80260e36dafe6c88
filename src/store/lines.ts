// Columns of many rows travel as one text parameter each, a line per row: a fixed number of parameters for any number
// of rows, split by PostgreSQL's `string_to_array`. Keys hold no control characters and JSON escapes them, so no value
// can hold the separator.

export function toLines(values: readonly string[]): string {
  return values.join('\n')
}

/** A table function of text columns from parameters `$first`, `$first + 1`, …, one for each column. */
export function fromLines(alias: string, columns: readonly string[], first: number): string {
  const arrays = columns.map((_, index) => `string_to_array($${first + index}, E'\\n')`)
  return `unnest(${arrays.join(', ')}) as ${alias} (${columns.join(', ')})`
}
