import { HoldfastError } from '../lib/errors.ts'

// Each column of many rows is one text parameter with a line for each row, so that any number of rows takes the same
// number of parameters. PostgreSQL's `string_to_array` splits them. Keys hold no control characters and JSON escapes
// them, so no stored value can hold the separator.

/** Refuses a value with a line feed, which would become two lines, and name other rows. */
export function toLines(values: readonly string[]): string {
  if (values.some((value) => value.includes('\n')))
    throw new HoldfastError('BAD_USER_INPUT', 'a key holds a line feed; no record has such a key')
  return values.join('\n')
}

/** SQL for the uuids of a column, with which rows are found by index whatever they are joined with. */
export function uuidsIn(parameter: string): string {
  return `string_to_array(${parameter}, E'\\n')::uuid[]`
}

/**
 * SQL for rows of columns from the parameters `$first`, `$first + 1`, …, one for each column. They are unnested in
 * the select list, where PostgreSQL makes row after row; in the from clause it would first write all of them to a
 * temporary file. A column is text, or has its type behind its name: `system_uuid::uuid`. A table under row level security
 * is joined with columns of their types: a cast in the condition might tell what it sees, so that PostgreSQL would look at
 * all rows that may be seen before it compares.
 */
export function fromLines(alias: string, columns: readonly string[], first: number): string {
  const values = columns.map((column, index) => {
    const [name, type = 'text'] = column.split('::')
    return `unnest(string_to_array($${first + index}, E'\\n')::${type}[]) as ${name}`
  })
  return `(select ${values.join(', ')}) as ${alias}`
}
